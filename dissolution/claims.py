"""Sections, evidence, what members state, and claims."""

from enum import StrEnum
from typing import Annotated

from pydantic import AwareDatetime, Field, model_validator

from dissolution.conversation import Snapshot, TurnNumber
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


FIRM_SECTIONS = frozenset({Section.KNOWN, Section.DECIDED, Section.IDENTITY})
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


class StatedClaim(Frozen):
    """One statement as read out of one reply, before anybody else is heard."""

    section: Section
    text: Annotated[str, Field(min_length=1)]
    turns: tuple[TurnNumber, ...] = ()  # the turns the member says it rests on
    quotes: tuple[str, ...] = ()  # words the member quotes from them
    place: Span | None = None  # where it stands in the raw reply, when it stands there verbatim


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


class TurnInterval(Frozen):
    """Half-open [start, end) in turns; open when `end` is None."""

    start: TurnNumber
    end: TurnNumber | None = None

    @model_validator(mode="after")
    def _runs_forward(self) -> "TurnInterval":
        if self.end is not None and self.end < self.start:
            message = f"interval [{self.start}, {self.end}) ends before it starts"
            raise ValueError(message)
        return self

    def holds_at(self, turn: int) -> bool:
        """Whether `turn` lies inside."""
        return self.start <= turn and (self.end is None or turn < self.end)


class InstantInterval(Frozen):
    """Half-open [start, end) in aware UTC instants; open when `end` is None."""

    start: AwareDatetime
    end: AwareDatetime | None = None

    @model_validator(mode="after")
    def _runs_forward(self) -> "InstantInterval":
        if self.end is not None and self.end < self.start:
            message = f"interval [{self.start}, {self.end}) ends before it starts"
            raise ValueError(message)
        return self


class Mark(StrEnum):
    """What a reader must know about a claim besides its words."""

    SINGLE_SOURCE = "single_source"  # one family only; admitted on its evidence
    CONTESTED = "contested"  # states both sides of something no turn settles


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

    @model_validator(mode="after")
    def _no_quote_no_claim(self) -> "Claim":
        if self.section in FIRM_SECTIONS and not self.evidence:
            message = f"claim {self.id!r} in {self.section} has no evidence; without evidence it is dissent (rule 3)"
            raise ValueError(message)
        return self


class DissentReason(StrEnum):
    """Why a group of statements did not become a claim."""

    UNSUPPORTED = "unsupported"  # no verbatim evidence
    FEW_FAMILIES = "few_families"  # below the support rule
    CONTESTED = "contested"  # one side of a contested topic
    SUPERSEDED = "superseded"  # rests on turns a later turn corrects
    CONTAINED = "contained"  # claims that stand say nearly all of it
    SIZE = "size"  # adds least of what there was no room for


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
