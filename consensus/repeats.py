"""What says the same as a claim that lost, and so loses with it, though the grouping did not put them together.

A shared error may be told in words so different, or by so few voices, that it makes a group of its own: one group falls
to a later turn, the other names the thing less exactly and would stand. It is one error all the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from consensus.draft import Draft
from consensus.guards import vetoes
from consensus.profile import Figure, Profile
from consensus.vectors import Matrix
from consensus.veto import shared_words, subject
from dissolution.claims import FIRM_SECTIONS, DissentReason

NEARLY_SAID = 0.5
"""Share of the distance between claims of one meaning up to which claims without a value are the same for sure."""


@dataclass(frozen=True, slots=True)
class Lost:
    """A draft that lost.

    Attributes:
        draft: The draft.
        reason: The reason its dissent gives.
        why: The same in words.
        turn: The turn that settled it; None where its own evidence was against it.
    """

    draft: Draft
    reason: DissentReason
    why: str
    turn: int | None = None


def falls_with(draft: Draft, lost: Sequence[Lost], distances: Matrix, same_claim: float) -> Lost | None:
    """The first lost draft that a firm draft with evidence repeats, or None.

    A draft that is stated where the lost one is not, at the turn that settled it or later, rests on more and stands.

    Args:
        draft: A draft that would stand.
        lost: What lost.
        distances: Joint distances between all statements.
        same_claim: Distance up to which claims say the same.
    """
    if draft.section not in FIRM_SECTIONS or not draft.grounding.evidence:
        return None
    return next(
        (one for one in lost if _rests_on_no_more(draft, one) and _same(draft, one, distances, same_claim)), None
    )


def _rests_on_no_more(draft: Draft, lost: Lost) -> bool:
    if lost.turn is None:
        return set(draft.grounding.turns) <= set(lost.draft.grounding.turns)
    return draft.grounding.last_turn < lost.turn


def _same(draft: Draft, lost: Lost, distances: Matrix, same_claim: float) -> bool:
    """Whether a draft says what a lost one says: the same values of the same thing, or nearly the same words."""
    one, two = draft.profile, lost.draft.profile
    distance = distances[draft.chosen, lost.draft.chosen]
    if distance >= same_claim or draft.rows == lost.draft.rows or vetoes(one, two):
        return False
    left, right = _values(one), _values(two)
    if any(not two.has(mark) for mark in left) or any(not one.has(mark) for mark in right):
        return False
    if any(mark.kind == "identifier" for mark in one.lacking(two)):
        return False  # it names something else; the lost one may name the same thing more exactly
    if left:
        return True
    words, others = subject(one), subject(two)
    return distance < NEARLY_SAID * same_claim and shared_words(words, others) == max(len(words), len(others))


def _values(profile: Profile) -> list[Figure]:
    return [mark for mark in profile.marks if mark.hard and mark.kind != "identifier"]
