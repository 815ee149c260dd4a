"""Excerpts of a boundary: what extraction methods chose, in the order in which it was said."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consensus.admission.excerpts import choose_excerpts, read_until, unread
from dissolution.claims import ClaimState
from dissolution.conversation import QuotedKind, QuotedSpan, Role, Snapshot
from dissolution.excerpts import Chosen, Excerpt, ExcerptPolicy
from dissolution.findings import EmbeddingStamp
from dissolution.ledger import ChangeKind
from tests.factories import a_conversation, a_snapshot, a_turn
from tests.unit.store.ledgers import a_boundary, a_claim, a_job

STAMP = EmbeddingStamp(model="m", digest="d", dimension=1)
HALF = ExcerptPolicy(share=0.5, least_words=0)
TALK = a_snapshot(
    "The pump stands in hall one.",  # six words each
    "The valve stands in hall two.",
    "The boiler burns forty tons daily.",
    "A turbine takes five tons hourly.",
)


def whole(turn: int, score: float, snapshot: Snapshot = TALK) -> Chosen:
    return Chosen(turn=turn, start=0, end=len(snapshot.turn(turn).content), score=score)


def turns(excerpts: tuple[Excerpt, ...]) -> list[int]:
    return [one.turn for one in excerpts]


def test_what_more_methods_chose_stands_first_and_the_order_is_that_of_the_talk() -> None:
    chosen = {"a": [whole(4, 1.0), whole(3, 0.9)], "b": [whole(3, 0.8), whole(1, 0.7)], "c": [whole(1, 0.6)]}
    found = choose_excerpts(TALK, chosen, HALF)
    assert turns(found) == [1, 3]
    assert found[0].chosen_by == ("b", "c")
    assert found[0].score == pytest.approx(1.3 / 3)
    assert (found[1].text, found[1].speaker, found[1].role) == (TALK.turn(3).content, TALK.turn(3).speaker, Role.USER)


def test_a_method_that_would_keep_it_at_a_greater_size_alone_has_not_chosen_it() -> None:
    found = choose_excerpts(TALK, {"a": [whole(1, 0.9), whole(2, 0.4)], "b": [whole(2, 0.4)]}, HALF)
    assert turns(found) == [1]


def test_words_are_bounded_and_a_short_talk_keeps_some() -> None:
    chosen = {"a": [whole(turn, 1 - turn / 10) for turn in range(1, 5)]}
    small = ExcerptPolicy(share=0.25, least_words=0)
    assert sum(len(one.text.split()) for one in choose_excerpts(TALK, chosen, small)) <= 6
    assert turns(choose_excerpts(TALK, chosen, ExcerptPolicy(share=0.01, least_words=24))) == [1, 2, 3, 4]


def test_what_is_said_twice_stands_where_it_was_said_last() -> None:
    talk = a_snapshot(
        "The fee is now thirty euros.", "Well, the fee is now thirty euros.", "A boiler burns wood all day."
    )
    chosen = {"a": [whole(1, 1.0, talk)], "b": [whole(1, 0.9, talk)], "c": [whole(2, 0.6, talk), whole(3, 0.9, talk)]}
    assert turns(choose_excerpts(talk, chosen, ExcerptPolicy(share=0.5, least_words=7))) == [2]


def test_a_value_that_changed_is_no_repetition_and_the_newest_stands_last() -> None:
    talk = a_snapshot("The fee is thirty.", "The fee is forty.")
    chosen = {"a": [whole(1, 1.0, talk), whole(2, 0.9, talk)]}
    assert turns(choose_excerpts(talk, chosen, ExcerptPolicy(share=0.5, least_words=9))) == [1, 2]


def test_quoted_material_and_tools_are_marked() -> None:
    pasted = QuotedSpan(start=6, end=24, kind=QuotedKind.DOCUMENT)
    first, second = a_turn(1, "Look. The fee is thirty.", quoted=(pasted,)), a_turn(2, "rows: 47", Role.TOOL)
    talk = Snapshot(conversation="c", turns=(first, second))
    chosen = {
        "a": [
            Chosen(turn=1, start=0, end=5, score=1),
            Chosen(turn=1, start=6, end=24, score=1),
            Chosen(turn=2, start=0, end=8, score=1),
        ]
    }
    found = choose_excerpts(talk, chosen, ExcerptPolicy(share=0.5, least_words=9))
    assert [(one.text, one.quoted) for one in found] == [
        ("Look.", False),
        ("The fee is thirty.", True),
        ("rows: 47", True),
    ]


def test_sentences_that_follow_each_other_are_one_excerpt() -> None:
    talk = a_snapshot("It is out. The date stays. So be it.")
    spans = [Chosen(turn=1, start=0, end=10, score=1.0), Chosen(turn=1, start=11, end=26, score=0.9)]
    found = choose_excerpts(talk, {"a": spans[:1], "b": spans[1:]}, ExcerptPolicy(share=0.5, least_words=9))
    assert [(one.text, one.chosen_by) for one in found] == [("It is out. The date stays.", ("a", "b"))]


def test_what_was_held_before_is_ranked_among_the_new_and_what_somebody_has_read_is_left() -> None:
    first = choose_excerpts(TALK, {"a": [whole(1, 1.0)], "b": [whole(1, 1.0)]}, HALF)
    chosen = {"a": [whole(3, 1.0), whole(4, 0.9)], "b": [whole(3, 0.9)]}
    assert turns(choose_excerpts(TALK, chosen, HALF, held=first)) == [1, 3]
    assert turns(choose_excerpts(TALK, chosen, HALF, held=first, after=2)) == [3]


@given(st.permutations(["a", "b", "c"]), st.lists(st.integers(1, 4), min_size=1, max_size=12))
def test_the_result_is_the_same_for_any_order_of_methods(names: list[str], picked: list[int]) -> None:
    spans = dict(zip(itertools.cycle("abc"), picked, strict=False))
    chosen = {name: [whole(turn, 0.9 - turn / 10)] for name, turn in spans.items()}
    shuffled = {name: chosen[name] for name in names if name in chosen}
    assert choose_excerpts(TALK, shuffled, HALF) == choose_excerpts(TALK, chosen, HALF)


def test_every_excerpt_stands_verbatim_whatever_was_chosen() -> None:
    chosen = {"a": [Chosen(turn=9, start=0, end=4, score=1), Chosen(turn=1, start=0, end=900, score=1), whole(2, 1)]}
    found = choose_excerpts(TALK, chosen, HALF)
    assert turns(found) == [2]
    assert all(one.stands_in(TALK) for one in found)


def test_claims_held_before_are_carried_untouched() -> None:
    talk = a_conversation("The pump is out.", "Noted.", "Good.")
    stated = a_claim("c1", "The pump is out.", talk).model_copy(update={"affirmed": 3})
    held = a_boundary(a_job("j1", talk), (stated,)).model_copy(update={"version": 2})
    found = unread(held, (), STAMP)
    assert found.unread
    assert found.statements == 0
    assert found.prior_version == 2
    (claim,) = found.claims
    assert (claim.state, claim.carried) == (ClaimState.CARRIED, 1)
    assert claim.model_copy(update={"state": ClaimState.CURRENT, "carried": 0}) == held.claims[0]
    assert [change.kind for change in found.changes] == [ChangeKind.CARRIED]
    assert read_until(held) == 3
    assert read_until(None) == 0
