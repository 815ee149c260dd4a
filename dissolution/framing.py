"""The frame audit: what it finds when a candidate is compared with the register, what it does, and who is asked."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field, field_validator

from dissolution.claim_audit import Auditor
from dissolution.claims import ClaimId, Evidence, MemberName, Section
from dissolution.conversation import TurnNumber
from dissolution.findings import Consensus
from dissolution.premises import PremiseId, PremiseStatus
from dissolution.values import Frozen, Measured, NotMeasured


class FindingKind(StrEnum):
    """What the audit finds when it compares a candidate with the register."""

    PROMOTION = "promotion"  # the candidate holds it more firmly than the conversation did
    VANISHING = "vanishing"  # things rest on it, and it is nowhere in the candidate
    DEMOTION = "demotion"  # confirmed, and given as a guess
    ATTRIBUTION = "attribution"  # given to somebody who did not say it
    FABRICATION = "fabrication"  # a request, decision or approval that nobody of that role made


class Severity(StrEnum):
    """How much harm a finding would do if it were committed."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class Action(StrEnum):
    """What is done about a finding."""

    ANNOTATE = "annotate"  # shown, nothing changed
    REPAIR = "repair"  # the candidate is amended by rule
    BLOCK = "block"  # the candidate is not committed


RULES = "rules"
"""Who tells a finding that no member told."""


class Finding(Frozen):
    """One result of the audit."""

    kind: FindingKind
    severity: Severity
    premise: PremiseId | None  # None where no premise exists: what was made up
    claim: ClaimId | None  # None for what vanished
    section: Section | None = None  # where the claim stood
    before: PremiseStatus | None = None
    words: Annotated[str, Field(min_length=1)]  # the finding in one plain sentence
    evidence: tuple[Evidence, ...] = ()  # words of turns that the claim goes beyond
    action: Action = Action.ANNOTATE  # what was done
    outcome: str | None = None  # what a repair came to, or why it was not made
    told_by: tuple[MemberName, ...] = (RULES,)  # the rules, and members that audit the candidate
    disputed_by: tuple[MemberName, ...] = ()  # members that read the claim otherwise
    disputed: bool = False  # those who read it otherwise outweigh those who tell it: it is shown, and nothing is done


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


class FramePolicy(Frozen):
    """What the frame audit does, and whom it asks."""

    audit: bool = True
    """Whether the candidate is compared with the register at all. Off is for comparisons: nothing is promoted silently
    otherwise."""

    promotion: Action = Action.REPAIR
    """A guess held as fact, a one-off request as a rule, a proposal as a decision. The words of the conversation stand
    against it, so it is put right by rule."""

    injection: Action = Action.REPAIR
    """What quoted material orders, held as known, decided or standing. Taken out of the firm sections; `block` for
    those who would rather keep the history than commit after an attack."""

    vanishing: Action = Action.REPAIR
    """A premise that open things rest on and that the candidate does not hold: put back into EDGES in its own words."""

    demotion: Action = Action.REPAIR
    """A confirmed premise given as a guess. Its own words are put back."""

    attribution: Action = Action.REPAIR
    """A statement given to the wrong speaker. The name is put right where the turn says who spoke."""

    fabrication: Action = Action.REPAIR
    """A request, decision or approval that nobody of that role made: moved to EDGES as not found."""

    extractor: tuple[Annotated[str, Field(min_length=1, max_length=100)], ...] = ()
    """Members of the job's fleet that are asked to read premises besides the rules. None: rules alone."""

    extractor_calls: Annotated[int, Field(ge=1, le=100)] = 4
    """Calls for reading premises at most, over all members."""

    auditor: tuple[Annotated[str, Field(min_length=1, max_length=100)], ...] = ()
    """Members of the job's fleet that hold every claim of the candidate against the conversation besides the rules.
    Families vote, so name members of several. None: rules alone."""

    auditor_calls: Annotated[int, Field(ge=1, le=100)] = 8
    """Calls for auditing claims at most, over all members; one call reads 75 claims."""

    challenger: Annotated[str, Field(min_length=1, max_length=100)] | None = None
    """The member of the job's fleet that is asked for framings the conversation never considered. None asks nobody."""

    challenger_calls: Annotated[int, Field(ge=1, le=20)] = 2
    """Calls of the challenger at most."""

    challenges_shown: Annotated[int, Field(ge=0, le=20)] = 3
    """Challenges shown at most, those of most leverage first. A long list is read by nobody."""

    challenges_to_edges: bool = False
    """Whether challenges that are shown enter EDGES. Only on request: a critic's question is not the conversation's."""

    @field_validator("auditor")
    @classmethod
    def _each_by_its_own_name(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        """Refuse a member named twice, which would have two voices, and one named like the rules."""
        for name in names:
            if names.count(name) > 1 or name == RULES:
                why = "is what findings of the rules are told by" if name == RULES else "is named twice"
                message = f"auditor {name!r} {why}: name each member once, by its own name"
                raise ValueError(message)
        return names

    def action(self, kind: FindingKind, before: PremiseStatus | None = None) -> Action:
        """What is done about a finding of this kind about a premise that had status `before`."""
        if kind is FindingKind.PROMOTION:
            return self.injection if before is PremiseStatus.INJECTED else self.promotion
        return {
            FindingKind.VANISHING: self.vanishing,
            FindingKind.DEMOTION: self.demotion,
            FindingKind.ATTRIBUTION: self.attribution,
            FindingKind.FABRICATION: self.fabrication,
        }[kind]


NO_CHALLENGER = NotMeasured(not_measured="the policy names no challenger")


class FrameReport(Frozen):
    """What the frame audit of one candidate came to."""

    findings: tuple[Finding, ...] = ()  # the gravest first
    register_digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    register_size: Annotated[int, Field(ge=0)]  # premises
    lock_in: LockIn | NotMeasured
    auditors: tuple[Auditor, ...] = ()  # members that audited the candidate too, in the order of policy
    challenges: tuple[Challenge, ...] | NotMeasured = NO_CHALLENGER  # most leverage first
    amended: Consensus | None = None  # None when nothing was repaired
    blocked: tuple[str, ...] = ()  # why the candidate must not be committed
