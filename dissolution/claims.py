"""Sections, evidence, what members state, and claims."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field, model_validator

from dissolution.conversation import Snapshot, TurnNumber
from dissolution.intervals import InstantInterval, TurnInterval
from dissolution.values import Frozen, Span

ClaimId = Annotated[str, Field(min_length=1, max_length=64)]
MemberName = Annotated[str, Field(min_length=1, max_length=100)]
FamilyName = Annotated[str, Field(min_length=1, max_length=100)]


class Section(StrEnum):
    """The four parts of a boundary state, in their order."""

    KNOWN = "KNOWN"  # what is known to be true
    DECIDED = "DECIDED"  # what is committed to or ruled out
    EDGES = "EDGES"  # what is still open
    IDENTITY = "IDENTITY"  # role, constraints, standing instructions


BINDING_SECTIONS = frozenset({Section.DECIDED, Section.IDENTITY})
"""Sections whose claims bind from the turn that said them until a turn closes them."""

FIRM_SECTIONS = BINDING_SECTIONS | {Section.KNOWN}
"""Sections whose claims assert something and so need evidence (rule 3)."""


class Evidence(Span):
    """A span of one turn whose text stands verbatim there."""

    turn: TurnNumber
    text: Annotated[str, Field(min_length=1)]

    def stands_in(self, snapshot: Snapshot) -> bool:
        """Whether the text is what the snapshot really has at that place."""
        if self.turn > snapshot.through or len(self.text) != self.end - self.start:
            return False
        return snapshot.turn(self.turn).content[self.start : self.end] == self.text


class HeldAct(StrEnum):
    """What a member says that a statement does to a claim held before."""

    AFFIRM = "affirm"  # the claim still holds
    REVISE = "revise"  # the statement takes its place
    CLOSE = "close"  # the statement says what ended it
    ANSWER = "answer"  # the statement settles it; the claim is an open question


class HeldMark(Frozen):
    """What a member of a cycle says that a statement of it does to a claim it was shown."""

    act: HeldAct
    about: ClaimId


class StatedClaim(Frozen):
    """One statement as read out of one reply, before anybody else is heard.

    `act` and `about` are what a member of a cycle says about a claim it was shown: one vote of its family, which words
    of turns must bear out; both or neither are given. `further` is what it says of more of them.
    """

    section: Section
    text: Annotated[str, Field(min_length=1)]
    turns: tuple[TurnNumber, ...] = ()  # the turns the member says it rests on
    quotes: tuple[str, ...] = ()  # words the member quotes from them
    place: Span | None = None  # where it stands in the raw reply, when it stands there verbatim
    act: HeldAct | None = None
    about: ClaimId | None = None  # a claim of the boundary that the member was shown
    further: tuple[HeldMark, ...] = ()

    @model_validator(mode="after")
    def _acts_on_something(self) -> "StatedClaim":
        if (self.act is None) != (self.about is None):
            message = f"act {self.act!r} about claim {self.about!r}: give both or neither"
            raise ValueError(message)
        if self.further and self.act is None:
            message = f"{len(self.further)} further marks and no first: give the first as act and about"
            raise ValueError(message)
        return self

    @property
    def marks(self) -> tuple[HeldMark, ...]:
        """All it says of claims that were shown, the first one first."""
        if self.act is None or self.about is None:
            return ()
        return (HeldMark(act=self.act, about=self.about), *self.further)


class Statement(Frozen):
    """A stated claim with its author: the unit that consensus groups."""

    member: MemberName
    family: FamilyName
    ordinal: Annotated[int, Field(ge=0)]  # its place among the member's statements
    claim: StatedClaim

    @property
    def key(self) -> str:
        """Unique within one job."""
        return f"{self.member}#{self.ordinal}"


class Support(Frozen):
    """Who said it. Votes count families, not members."""

    members: Annotated[tuple[MemberName, ...], Field(min_length=1)]
    families: Annotated[tuple[FamilyName, ...], Field(min_length=1)]

    @classmethod
    def of(cls, statements: tuple[Statement, ...]) -> "Support":
        """The members and families of these statements, each once, in alphabetical order."""
        return cls(
            members=tuple(sorted({statement.member for statement in statements})),
            families=tuple(sorted({statement.family for statement in statements})),
        )


class TemporalClass(StrEnum):
    """When what a sentence says holds, seen from where it is said (docs/temporal.md)."""

    FORWARD_OPEN = "forward_open"  # binds from now on, until a turn closes it: decisions, rules, roles, promises
    DEFERRED = "deferred"  # happens or begins to hold at a later time that is named: schedules
    CURRENT_STATE = "current_state"  # holds now, or says nothing about time
    CLOSED_HISTORICAL = "closed_historical"  # a state that is over: "used to", "before the refactor"
    BACKWARD_MUTATION = "backward_mutation"  # what was said before was wrong when it was said


class ClaimState(StrEnum):
    """Where a claim stands in the ledger."""

    CURRENT = "current"  # open, and said by the newest cycle's answers
    CARRIED = "carried"  # open; the newest cycles' answers did not say it (`Claim.carried` counts them)
    SUPERSEDED = "superseded"  # a later claim about the same subject and slot took its place
    CORRECTED = "corrected"  # it was wrong when it was said; its valid interval ends where the error began
    EXPIRED = "expired"  # ended without a successor: its time ran out, or a turn or a person closed it


OPEN_STATES = frozenset({ClaimState.CURRENT, ClaimState.CARRIED})
"""States of claims that hold; the boundary state is made of these."""


class Mark(StrEnum):
    """What a reader must know about a claim besides its words."""

    SINGLE_SOURCE = "single_source"  # one family only; admitted on its evidence
    CONTESTED = "contested"  # one side of what no turn settles; in EDGES: states both sides
    PINNED = "pinned"  # a person asked that it be kept and always shown
    CONFIRMED = "confirmed"  # a person said that it is right


PERSONAL_MARKS = frozenset({Mark.PINNED, Mark.CONFIRMED})
"""Marks that a person gave: only a person takes them back."""


class Closing(Frozen):
    """How a claim ended: what it became, by what, and where the conversation says so."""

    state: ClaimState  # superseded, corrected or expired
    by: ClaimId | None = None  # the claim that took its place
    evidence: tuple[Evidence, ...] = ()  # the words that close it; none for a person's act or a time that ran out
    reason: Annotated[str, Field(min_length=1)]

    @model_validator(mode="after")
    def _is_an_end(self) -> "Closing":
        if self.state in OPEN_STATES:
            message = f"state {self.state.value!r} is not an end; give superseded, corrected or expired"
            raise ValueError(message)
        return self


class Claim(Frozen):
    """One present-tense statement in one section, with who said it, in which words, on which evidence."""

    id: ClaimId
    section: Section
    text: Annotated[str, Field(min_length=1)]
    evidence: tuple[Evidence, ...]
    support: Support
    valid: TurnInterval
    statements: Annotated[tuple[Statement, ...], Field(min_length=1)]
    reason: Annotated[str, Field(min_length=1)]  # why it stands in its section
    marks: tuple[Mark, ...] = ()
    temporal_class: TemporalClass = TemporalClass.CURRENT_STATE
    valid_instants: InstantInterval | None = None  # where known: schedules, and what a caller gave
    state: ClaimState = ClaimState.CURRENT
    carried: Annotated[int, Field(ge=0)] = 0  # cycles in a row whose answers did not say it
    affirmed: TurnNumber | None = None  # last turn of the newest snapshot whose answers said it; None in a candidate
    closing: Closing | None = None

    @model_validator(mode="after")
    def _state_fits(self) -> "Claim":
        if (self.closing is None) != (self.state in OPEN_STATES):
            message = f"claim {self.id!r} in state {self.state.value!r}: exactly closed claims have a closing"
            raise ValueError(message)
        if self.closing is not None and self.closing.state is not self.state:
            message = f"claim {self.id!r} is {self.state.value!r}, its closing says {self.closing.state.value!r}"
            raise ValueError(message)
        if (self.state is ClaimState.CARRIED) != (self.carried > 0):
            message = f"claim {self.id!r} in state {self.state.value!r} was carried {self.carried} cycles"
            raise ValueError(message)
        return self

    @model_validator(mode="after")
    def _no_quote_no_claim(self) -> "Claim":
        if self.section in FIRM_SECTIONS and not self.evidence:
            message = f"claim {self.id!r} in {self.section} has no evidence; without evidence it is dissent (rule 3)"
            raise ValueError(message)
        return self


class DissentReason(StrEnum):
    """Why a group of statements did not become a claim."""

    UNSUPPORTED = "unsupported"  # no verbatim evidence
    INJECTED = "injected"  # its words stand in quoted material alone, which instructs, decides and approves nothing
    FEW_FAMILIES = "few_families"  # below the support rule
    CONTESTED = "contested"  # one side of a contested topic
    SUPERSEDED = "superseded"  # rests on turns a later turn corrects
    CONTAINED = "contained"  # claims that stand say nearly all of it
    SIZE = "size"  # adds least of what there was no room for
    REVIEWED = "reviewed"  # reviewers say, with words of a turn, that it does not stand as it is
    DISMISSED = "dismissed"  # a person decided against it


class Dissent(Frozen):
    """A group of statements below the admission rule: kept, never thrown away."""

    id: ClaimId
    section: Section
    text: Annotated[str, Field(min_length=1)]
    evidence: tuple[Evidence, ...]
    support: Support
    statements: Annotated[tuple[Statement, ...], Field(min_length=1)]
    reason: DissentReason
    detail: str
    against: tuple[ClaimId, ...] = ()  # claims it contradicts
    cycles: Annotated[int, Field(ge=1)] = 1  # cycles whose answers said it; its support is that of all of them

    @classmethod
    def of_claim(
        cls, claim: Claim, reason: DissentReason, detail: str, *, against: tuple[ClaimId, ...] = ()
    ) -> "Dissent":
        """A claim set aside, with all that bore it out; its id stays."""
        return cls(
            id=claim.id,
            section=claim.section,
            text=claim.text,
            evidence=claim.evidence,
            support=claim.support,
            statements=claim.statements,
            reason=reason,
            detail=detail,
            against=against,
        )
