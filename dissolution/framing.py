"""The frame audit: what reviewers find wrong with a candidate, what is done about it, and who is asked."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field, field_validator, model_validator

from dissolution.claims import Evidence, FamilyName, MemberName
from dissolution.conversation import TurnNumber
from dissolution.findings import Consensus
from dissolution.framing_earlier import finding_as_now, without
from dissolution.premises import PremiseId
from dissolution.reviewing import Fault, Hint, ReviewedClaim, Reviewer
from dissolution.values import Frozen, Measured, NotMeasured


class Action(StrEnum):
    """What is done about a finding."""

    ANNOTATE = "annotate"  # shown, nothing changed
    REPAIR = "repair"  # the candidate is amended as the reviewers say
    BLOCK = "block"  # the candidate is not committed


MOST_NEEDED = 2
"""Families whose reviewers must agree at most: what two families state is moved by two."""


class Finding(Frozen):
    """One thing that reviewers say is not as it should be, with what came of it.

    `needed` counts families. It is None where only a person may change the claim.
    """

    fault: Fault  # what most of them say where they differ
    claims: tuple[ReviewedClaim, ...] = ()  # as they stood; none of what is missing
    evidence: tuple[Evidence, ...] = ()  # the words they show; none for same_as
    told_by: Annotated[tuple[MemberName, ...], Field(min_length=1)]
    families: tuple[FamilyName, ...] = ()  # theirs, by name
    needed: Annotated[int, Field(ge=1)] | None = MOST_NEEDED
    action: Action = Action.ANNOTATE  # what was done
    outcome: Annotated[str, Field(min_length=1)] = "nothing was changed"  # what was done, or why not, in words

    @model_validator(mode="before")
    @classmethod
    def _of_earlier_versions(cls, given: object) -> object:
        return finding_as_now(given)

    @property
    def words(self) -> str:
        """The finding in one plain sentence, with what was quoted."""
        about = " and ".join(f"'{one.text}'" for one in self.claims)
        quoted = "; ".join(f"turn {piece.turn}: “{piece.text}”" for piece in self.evidence)
        told = f"{self.fault.value.replace('_', ' ')}: {about}" if about else self.fault.value
        return f"{told} ({quoted})" if quoted else told


class LockIn(Frozen):
    """How far accepted premises constrain what can still be asked, at one turn. Formula: docs/frame.md."""

    turn: TurnNumber
    value: Measured  # 0 (nothing open rests on anything unconfirmed) to 1
    share: Measured  # of open dependants, those that rest on an unconfirmed premise, 0..1
    depth: Measured  # how deep things rest on each other, 0..1
    age: Measured  # how long the unconfirmed premises have gone without challenge, 0..1


class Challenge(Frozen):
    """An alternative framing that the conversation never considered."""

    premise: PremiseId
    proposition: Annotated[str, Field(min_length=1)]  # the premise it drops or reverses
    turn: TurnNumber  # where the premise was accepted, or stated when nobody accepted it
    alternative: Annotated[str, Field(min_length=1)]
    leads_to: Annotated[str, Field(min_length=1)]  # the decision or answer that would differ
    test: Annotated[str, Field(min_length=1)]  # what would tell the two apart
    leverage: Annotated[float, Field(ge=0)]  # dependants times doubt
    member: MemberName  # who proposes it


REMOVED = frozenset(
    {"promotion", "injection", "vanishing", "demotion", "attribution", "fabrication", "auditor", "auditor_calls"}
)
"""Fields of policies that were stored earlier: what rules did about what they found, and who was asked besides."""


class FramePolicy(Frozen):
    """What the frame audit does, and whom it asks."""

    audit: bool = True
    """Whether the candidate is reviewed. Switch off for comparisons only."""

    reviewers: tuple[Annotated[str, Field(min_length=1, max_length=100)], ...] = ()
    """Members that review the candidate. Families vote, so name at least two. None: one of each family."""

    review_families: Annotated[int, Field(ge=0, le=10)] = 3
    """Families asked when `reviewers` names nobody, by the first member of each in the roster. Two can move what two
    families state; a third decides where one is silent. 0: nobody."""

    review_version: Annotated[int, Field(ge=1)] = 3
    """Version of the review's prompt. 3 shows claims in short form, and lets one claim go into several others."""

    review_calls: Annotated[int, Field(ge=1, le=100)] = 12
    """Review calls at most, over all members."""

    act: Action = Action.REPAIR
    """What happens where enough reviewers agree: `repair` amends the candidate, `annotate` shows the finding alone,
    `block` keeps the candidate from being committed."""

    extractor: tuple[Annotated[str, Field(min_length=1, max_length=100)], ...] = ()
    """Members that read premises besides the rules. None: rules alone."""

    extractor_calls: Annotated[int, Field(ge=1, le=100)] = 4
    """Calls for reading premises at most, over all members."""

    challenger: Annotated[str, Field(min_length=1, max_length=100)] | None = None
    """Member asked for framings that the conversation never considered. Not set: nobody."""

    challenger_calls: Annotated[int, Field(ge=1, le=20)] = 2
    """Calls of the challenger at most."""

    challenges_shown: Annotated[int, Field(ge=0, le=20)] = 3
    """Challenges shown at most, those of most leverage first."""

    challenges_to_edges: bool = False
    """Whether shown challenges enter EDGES: a critic's question is not the conversation's."""

    @model_validator(mode="before")
    @classmethod
    def _of_earlier_versions(cls, given: object) -> object:
        return without(given, REMOVED)

    @field_validator("reviewers")
    @classmethod
    def _each_once(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        """Refuse a member named twice, which would have two voices."""
        for name in names:
            if names.count(name) > 1:
                message = f"reviewer {name!r} is named twice: name each member once"
                raise ValueError(message)
        return names


NO_CHALLENGER = NotMeasured(not_measured="the policy names no challenger")


class FrameReport(Frozen):
    """What the frame audit of one candidate came to."""

    findings: tuple[Finding, ...] = ()  # what was done first, then what was only said
    hints: tuple[Hint, ...] = ()  # what rules and fitted models suspect; nothing rests on it
    register_digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    register_size: Annotated[int, Field(ge=0)]  # premises
    lock_in: LockIn | NotMeasured
    reviewers: tuple[Reviewer, ...] = ()  # who was asked, in that order
    nobody: str | None = None  # why nobody could be asked; None when somebody was
    challenges: tuple[Challenge, ...] | NotMeasured = NO_CHALLENGER  # most leverage first
    amended: Consensus | None = None  # None when nothing was changed
    blocked: tuple[str, ...] = ()  # why the candidate must not be committed

    @model_validator(mode="before")
    @classmethod
    def _of_earlier_versions(cls, given: object) -> object:
        return without(given, frozenset({"auditors"}))
