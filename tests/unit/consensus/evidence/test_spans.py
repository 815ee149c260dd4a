from hypothesis import given
from hypothesis import strategies as st

from consensus.evidence.spans import candidates
from dissolution.conversation import QuotedKind, QuotedSpan, Role, Snapshot
from tests.factories import a_snapshot, a_turn


def test_sentences_of_all_turns_in_order() -> None:
    found = candidates(a_snapshot("One here. Two here.", "Three here."))
    assert [(c.turn, c.text, c.role) for c in found] == [
        (1, "One here.", Role.USER), (1, "Two here.", Role.USER), (2, "Three here.", Role.ASSISTANT),
    ]  # fmt: skip


def test_tool_output_and_quoted_stretches_are_not_spoken() -> None:
    turns = (
        a_turn(1, "Mine. Theirs.", quoted=(QuotedSpan(start=6, end=13, kind=QuotedKind.QUOTE),)),
        a_turn(2, "Output here.", Role.TOOL),
    )
    found = candidates(Snapshot(conversation="c", turns=turns))
    assert [(c.text, c.spoken) for c in found] == [("Mine.", True), ("Theirs.", False), ("Output here.", False)]


def test_long_blocks_are_offered_line_by_line_and_long_lines_in_pieces() -> None:
    log = "```\n" + "\n".join(f"line {n} of the log" for n in range(60)) + "\n" + "w " * 500 + "y" * 900 + "\n```"
    found = candidates(a_snapshot(log, "x"))
    texts = [c.text for c in found]
    assert "line 7 of the log" in texts
    assert "```" not in texts
    assert max(len(text) for text in texts) <= 400


@given(st.text(min_size=1, max_size=2000))
def test_every_stretch_stands_where_it_says(text: str) -> None:
    snapshot = a_snapshot(text, "x")
    for c in candidates(snapshot):
        assert snapshot.turn(c.turn).content[c.start : c.end] == c.text
        assert len(c.text) <= 400
