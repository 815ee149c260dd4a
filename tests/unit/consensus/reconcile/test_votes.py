"""Votes of members on held claims."""

from collections.abc import Sequence

import pytest

from consensus.reconcile.votes import Doubt, Ending, decided, votes_on
from dissolution.claims import Claim, Dissent, DissentReason, HeldAct, HeldMark, Mark, Section, Support
from dissolution.conversation import QuotedKind, QuotedSpan, Snapshot
from tests.factories import a_snapshot
from tests.unit.consensus.reconcile.made import WRITERS, a_claim, acting, closes, revises

OLD, NEW = "The cache holds 512 MB.", "The cache holds 1024 MB."
SNAPSHOT = a_snapshot(OLD, "Fine.", NEW, "It has grown.")
HELD = a_claim(OLD, SNAPSHOT, 1, name="c1")
ALONE = a_claim(OLD, SNAPSHOT, 1, name="c1", writers=("ann",))


def saying(
    *marks: HeldMark, text: str = NEW, turn: int = 3, writers: Sequence[str] = WRITERS, name: str = "n1"
) -> Claim:
    """A claim of this cycle whose members say these things of held claims."""
    statements = acting(text, *marks, writers=writers, turn=turn)
    claim = a_claim(text, SNAPSHOT, turn, name=name)
    return claim.model_copy(update={"statements": statements, "support": Support.of(statements)})


def verdict(
    held: Claim, *items: Claim | Dissent, still: frozenset[str] = frozenset(), snapshot: Snapshot = SNAPSHOT
) -> Ending | Doubt | None:
    return decided(held, votes_on(held, items, snapshot, since=2), still)


def test_two_families_end_what_two_families_state() -> None:
    found = verdict(HELD, saying(revises(HELD)))
    assert isinstance(found, Ending)
    assert found.reason == "2 families say that turn 3 revises it"
    assert [piece.turn for piece in found.vote.words] == [3]


def test_families_count_and_not_members() -> None:
    found = verdict(HELD, saying(revises(HELD), writers=("ann", "abe")))
    assert isinstance(found, Doubt)
    assert found.reason == "1 family says that it ends; it takes 2"


def test_votes_of_several_items_add_up_whatever_they_call_it() -> None:
    one = saying(revises(HELD), writers=("ann",))
    two = saying(closes(HELD), text="It has grown.", turn=4, writers=("bea",), name="n2")
    found = verdict(HELD, one, two)
    assert isinstance(found, Ending)
    assert found == verdict(HELD, two, one)


def test_one_family_ends_what_one_family_alone_states() -> None:
    assert isinstance(verdict(ALONE, saying(revises(ALONE), writers=("bea",))), Ending)


@pytest.mark.parametrize("mark", [Mark.PINNED, Mark.CONFIRMED])
def test_what_a_person_pinned_or_confirmed_is_only_doubted(mark: Mark) -> None:
    held = HELD.model_copy(update={"marks": (mark,)})
    found = verdict(held, saying(revises(held), writers=("ann", "bea", "cid", "dan")))
    assert isinstance(found, Doubt)
    assert "a person" in found.reason


def test_words_of_turns_that_the_boundary_saw_end_nothing() -> None:
    found = verdict(HELD, saying(revises(HELD), turn=2))
    assert isinstance(found, Doubt)
    assert (found.words, found.reason) == ((), "2 families say that it ends; no words of a new turn bear that out")


def test_as_many_families_that_say_it_again_keep_it() -> None:
    kept = verdict(HELD, saying(revises(HELD)), still=frozenset({"gamma", "delta"}))
    assert isinstance(kept, Doubt)
    assert kept.reason.endswith("2 families say it again")
    both = verdict(HELD, saying(revises(HELD)), still=frozenset({"alpha", "delta"}))
    assert isinstance(both, Ending), "a family that says both is no witness against itself"


def dissent(item: Claim, reason: DissentReason = DissentReason.FEW_FAMILIES) -> Dissent:
    fields = {name: getattr(item, name) for name in ("id", "section", "text", "evidence", "support", "statements")}
    return Dissent(**fields, reason=reason, detail="made")


def test_dissent_may_close_and_never_takes_a_place() -> None:
    assert isinstance(verdict(HELD, dissent(saying(closes(HELD)))), Ending)
    found = verdict(HELD, dissent(saying(revises(HELD))))
    assert isinstance(found, Doubt)
    assert "does not stand" in found.reason
    assert verdict(HELD, dissent(saying(closes(HELD)), DissentReason.INJECTED)) is None


def test_quoted_words_end_no_commitment() -> None:
    turns = list(SNAPSHOT.turns)
    span = QuotedSpan(start=0, end=len(NEW), kind=QuotedKind.DOCUMENT)
    turns[2] = turns[2].model_copy(update={"quoted": (span,)})
    quoted = Snapshot(conversation=SNAPSHOT.conversation, turns=tuple(turns))
    rule = a_claim(OLD, SNAPSHOT, 1, Section.DECIDED, name="c1")
    assert isinstance(verdict(rule, saying(revises(rule)), snapshot=quoted), Doubt)
    assert isinstance(verdict(HELD, saying(revises(HELD)), snapshot=quoted), Ending)


def test_without_votes_there_is_nothing_to_decide() -> None:
    affirming = HeldMark(act=HeldAct.AFFIRM, about=HELD.id)
    assert verdict(HELD, saying(affirming), saying(revises(ALONE.model_copy(update={"id": "c7"})))) is None
