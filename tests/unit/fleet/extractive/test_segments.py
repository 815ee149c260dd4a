"""Sentences of turns: exact spans, code left out, quoted material marked."""

import string

from hypothesis import given
from hypothesis import strategies as st

from dissolution.conversation import QuotedKind, QuotedSpan, Role, Snapshot
from fleet.extractive.segments import LONGEST_CHARS, LONGEST_SENTENCE, Sentence, sentences
from tests.factories import a_snapshot, a_turn


def of(content: str, role: Role = Role.USER, quoted: tuple[QuotedSpan, ...] = ()) -> tuple[Sentence, ...]:
    return sentences(Snapshot(conversation="c", turns=(a_turn(1, content, role, quoted=quoted),)))


def test_spans_are_exact_and_in_order() -> None:
    content = "We take PostgreSQL 16. The window is Sunday.\n\n- Ravi signs off."
    found = of(content)
    assert [s.quote for s in found] == ["We take PostgreSQL 16.", "The window is Sunday.", "Ravi signs off."]
    assert all(content[s.start : s.end] == s.quote for s in found)
    assert [s.paragraph for s in found] == [0, 0, 1]


def test_code_is_no_speech() -> None:
    found = of("Run this.\n```\nrm -rf /srv/data\n```\nThen wait.")
    assert [s.quote for s in found] == ["Run this.", "Then wait."]


def test_what_is_passed_on_is_quoted() -> None:
    assert all(s.quoted for s in of("The count is 47 rows. All is well.", Role.TOOL))
    span = QuotedSpan(start=6, end=20, kind=QuotedKind.DOCUMENT)
    assert [s.quoted for s in of("Look. The fee is 30. Fine.", quoted=(span,))] == [False, True, False]


def test_speech_without_full_stops_is_parted_at_clauses() -> None:
    content = "we keep the display and we take the cheap chip, " * 12
    found = of(content)
    assert len(found) > 1
    assert all(len(s.quote.split()) <= LONGEST_SENTENCE for s in found)
    assert all(content[s.start : s.end] == s.quote for s in found)


def test_a_wall_without_words_is_dropped() -> None:
    assert of("x" * (LONGEST_CHARS + 1)) == ()


@given(st.lists(st.text(min_size=1).filter(lambda t: t.strip() != ""), min_size=1, max_size=4))
def test_any_text_gives_verbatim_spans(contents: list[str]) -> None:
    snapshot = a_snapshot(*contents)
    for sentence in sentences(snapshot):
        assert snapshot.turn(sentence.turn).content[sentence.start : sentence.end] == sentence.quote
        assert sentence.quote == sentence.quote.strip(string.whitespace)
