"""Adjudication: a member is asked, for pairs of claims that rules cannot tell, whether each follows from the other.

Two claims that follow from each other are the same claim (bidirectional entailment: Kuhn, Gal and Farquhar, "Semantic
uncertainty", 2023, use it to put answers of one meaning together); two of which one rules the other out are opposed.
Anything else changes nothing.
"""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from dissolution.answers import MemberFailure
from dissolution.claims import MemberName
from dissolution.values import Frozen

REASON_CHARS = 300
"""A member gives its reason in a few words; what is longer is cut."""


class Relation(StrEnum):
    """If the one claim is true, what of the other?"""

    ENTAILS = "entails"  # it must be true as well
    CONTRADICTS = "contradicts"  # it cannot be true
    NEITHER = "neither"  # it may be true or false


class PairVerdict(StrEnum):
    """What the relations of a pair, both ways, come to."""

    SAME = "same"  # each entails the other: one claim
    OPPOSED = "opposed"  # one contradicts the other: never one claim
    NEITHER = "neither"  # nothing follows: the grouping decides as it would anyway


class ClaimPair(Frozen):
    """Two claims by their words."""

    first: Annotated[str, Field(min_length=1)]
    second: Annotated[str, Field(min_length=1)]


class PairAnswer(Frozen):
    """What a member says of one pair."""

    forward: Relation  # if the first is true, what of the second
    backward: Relation  # if the second is true, what of the first
    why: Annotated[str, Field(max_length=REASON_CHARS)] = ""  # the member's words; it may give none

    @property
    def verdict(self) -> PairVerdict:
        """What the two relations come to."""
        both = (self.forward, self.backward)
        if Relation.CONTRADICTS in both:
            return PairVerdict.OPPOSED
        return PairVerdict.SAME if both == (Relation.ENTAILS, Relation.ENTAILS) else PairVerdict.NEITHER


class PairDecision(Frozen):
    """One decided pair, kept with who decided it and why."""

    pair: ClaimPair
    verdict: PairVerdict
    member: MemberName
    reason: Annotated[str, Field(min_length=1)]  # the relations both ways, and the member's words
    overruled: str | None = None  # the guard that outranks the verdict, in words; None when it took effect


class Adjudication(Frozen):
    """What came of asking. Without decisions the consensus went on by its rules alone."""

    member: MemberName
    doubtful: Annotated[int, Field(ge=0)]  # pairs that rules could not tell
    asked: Annotated[int, Field(ge=0)]  # those of them that were put to the member
    decisions: tuple[PairDecision, ...] = ()  # what it answered; a pair it left out is not decided
    failure: MemberFailure | None = None  # why there is no answer, when there is none
