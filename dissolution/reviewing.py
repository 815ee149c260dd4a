"""What members say of a candidate when they hold it against the conversation, and what rules only suspect.

A reviewer names what is not as it should be, with words of a turn; families vote (docs/deciding.md). A hint decides
nothing: it is shown to reviewers and stands in the receipt.
"""

from enum import StrEnum
from typing import Annotated

from pydantic import Field, model_validator

from dissolution.answers import FailureClass
from dissolution.claims import ClaimId, Evidence, FamilyName, MemberName, Section
from dissolution.values import Frozen, Measured


class Fault(StrEnum):
    """What is not as it should be with one claim, with several, or with the candidate as a whole."""

    FALSE = "false"  # the conversation says otherwise, or says it nowhere
    GUESS = "guess"  # states firmly what is only guessed, assumed or heard
    PROPOSAL = "proposal"  # states as settled what is only proposed or asked
    ONE_ANSWER_ONLY = "one_answer_only"  # makes a rule of what was asked for one answer or one task
    REFUSED = "refused"  # states as holding what was turned down or ruled out
    NOT_AGREED = "not_agreed"  # takes over what quoted material orders and nobody agreed to
    STALE = "stale"  # held once; a later turn ended it
    ANSWERED = "answered"  # an open question that a later turn answers
    WRONG_SPEAKER = "wrong_speaker"  # gives words to somebody who did not say them
    WRONG_SECTION = "wrong_section"  # right in its words, and stands in the wrong section
    INCOMPLETE = "incomplete"  # lost a condition, an exception or its context
    SAME_AS = "same_as"  # several claims say the same
    CONTRADICTS = "contradicts"  # two claims cannot both hold
    MISSING = "missing"  # a decision, rule, correction or open question that no claim holds


WITHOUT_CLAIM = frozenset({Fault.MISSING})
ABOUT_SEVERAL = frozenset({Fault.SAME_AS, Fault.CONTRADICTS})
WITHOUT_WORDS = frozenset({Fault.SAME_AS})
"""Remarks that no turn can prove: two claims say the same whatever was said."""


class ReviewedClaim(Frozen):
    """A claim as it stood when it was reviewed: a remark is about these words in this section."""

    claim: ClaimId
    section: Section
    text: Annotated[str, Field(min_length=1)]


class Remark(Frozen):
    """One thing that one reviewer finds not as it should be, proved by words of a turn.

    `best` names, of `same_as`, the claim that says it best; of `contradicts`, the one that stands because a turn
    settles it. With `also`, of `same_as`, it and these stay, and hold the other claims only together. `text` is the
    reviewer's own wording of what holds: always of `missing` and `incomplete`, where given of the rest.
    """

    fault: Fault
    about: tuple[ReviewedClaim, ...] = ()
    evidence: Evidence | None = None  # None exactly for same_as
    section: Section | None = None  # where it belongs: of wrong_section and missing
    best: ClaimId | None = None
    also: tuple[ClaimId, ...] = ()
    text: Annotated[str, Field(min_length=1)] | None = None

    @model_validator(mode="after")
    def _has_what_its_fault_needs(self) -> "Remark":
        count = len(self.about)
        several = self.fault in ABOUT_SEVERAL
        expected = 0 if self.fault in WITHOUT_CLAIM else 2 if several else 1
        if count < expected or (not several and count > expected):
            message = f"remark {self.fault.value!r} about {count} claims: it needs {expected}"
            raise ValueError(message)
        if (self.evidence is None) != (self.fault in WITHOUT_WORDS):
            message = f"remark {self.fault.value!r}: every remark but same_as needs words of a turn"
            raise ValueError(message)
        return self


class Reviewer(Frozen):
    """A member that was asked to review the candidate, and what came of it."""

    member: MemberName
    family: FamilyName
    remarks: tuple[Remark, ...] = ()
    unproved: Annotated[int, Field(ge=0)] = 0  # remarks whose words do not stand in the turn they name; not counted
    unread: Annotated[int, Field(ge=0)] = 0  # claims it was not asked about
    failure: FailureClass | None = None  # of the first call that failed
    detail: str = ""  # the failure in words


class Hint(Frozen):
    """What a fitted model of wording, or a comparison of typed values, suspects. It decides nothing."""

    suspects: Fault
    claims: tuple[ClaimId, ...] = ()  # one; two of what may contradict or say the same; none of what may be missing
    evidence: Evidence | None = None  # the words that make it suspicious
    probability: Measured  # of the fault, by the model, 0..1; not measured where only values were compared
    basis: Annotated[str, Field(min_length=1)]  # the model and its version, or what was compared
