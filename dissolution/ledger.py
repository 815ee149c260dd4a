"""The ledger: what each version changed and why, what people did to it, and what may be asked of it.

Every commit, roll-back and act of a person makes one new version of a conversation's ledger; versions count from 1.
Nothing is rewritten: a change ends the recorded interval of old rows and adds new ones.
"""

from enum import StrEnum
from typing import Annotated

from pydantic import AwareDatetime, Field, model_validator

from dissolution.claims import Claim, ClaimId, ClaimState, Evidence, Section
from dissolution.conversation import ConversationId, TurnNumber
from dissolution.intervals import Moment
from dissolution.values import Frozen

Actor = Annotated[str, Field(min_length=1, max_length=100)]
Version = Annotated[int, Field(ge=1)]


class ChangeKind(StrEnum):
    """What a cycle did to one claim."""

    ADDED = "added"  # said for the first time
    AFFIRMED = "affirmed"  # held before, said again
    REVISED = "revised"  # takes the place of the claim in `other`, which is superseded or corrected
    CLOSED = "closed"  # ended: superseded, corrected or expired (the claim's closing says which)
    CARRIED = "carried"  # held before, not said this time, nothing closes it
    PROMOTED = "promoted"  # was dissent before
    CONTESTED = "contested"  # stands against the claim in `other`; no turn settles it, so neither was closed
    REPAIRED = "repaired"  # the fleet would have lost or demoted it: a temporal error, put right


class Change(Frozen):
    """What one cycle did to one claim, and why."""

    kind: ChangeKind
    claim: ClaimId
    other: ClaimId | None = None  # the claim revised, closing, contested or, for promoted, the dissent it was
    reason: Annotated[str, Field(min_length=1)]
    evidence: tuple[Evidence, ...] = ()  # the words of turns that the reason rests on


class LedgerEventKind(StrEnum):
    """What made a version."""

    COMMITTED = "committed"  # a job's boundary
    ROLLED_BACK = "rolled_back"  # an earlier version's state was made current again
    PINNED = "pinned"
    UNPINNED = "unpinned"
    CONFIRMED = "confirmed"
    RETRACTED = "retracted"  # a person closed a claim
    DISMISSED = "dismissed"  # a person closed a dissent
    ADOPTED = "adopted"  # a person took up an open question, such as a challenge of the frame


class LedgerEvent(Frozen):
    """One version of a conversation's ledger: when, by whom, what."""

    conversation: ConversationId
    version: Version
    at: AwareDatetime  # when it was recorded; never before the version it follows
    kind: LedgerEventKind
    through: TurnNumber  # last turn of the snapshot that the version's boundary is about
    job: str | None = None  # of a commit
    claim: ClaimId | None = None  # of a person's act
    restored: Version | None = None  # of a roll-back: the version whose state stands again
    actor: Actor
    reason: Annotated[str, Field(min_length=1, max_length=2000)]


PERSON_ACTS = frozenset(
    {
        LedgerEventKind.PINNED,
        LedgerEventKind.UNPINNED,
        LedgerEventKind.CONFIRMED,
        LedgerEventKind.RETRACTED,
        LedgerEventKind.DISMISSED,
        LedgerEventKind.ADOPTED,
    }
)


class Act(Frozen):
    """What a person does to one claim or dissent: pin, unpin, confirm, retract, dismiss; or adopt one as an EDGE."""

    kind: LedgerEventKind  # one of PERSON_ACTS
    claim: ClaimId
    actor: Actor
    reason: Annotated[str, Field(min_length=1, max_length=2000)]
    never_held: bool = False  # of a retraction: it was wrong from the start (corrected), not over (expired)
    adopted: Claim | None = None  # of an adoption: the open question as it will stand, under the id in `claim`

    @model_validator(mode="after")
    def _adopts_an_open_question(self) -> "Act":
        if (self.kind is LedgerEventKind.ADOPTED) != (self.adopted is not None):
            message = f"act {self.kind.value!r} with claim {self.claim!r}: exactly an adoption brings its claim"
            raise ValueError(message)
        if self.adopted is not None and (
            self.adopted.id != self.claim
            or self.adopted.section is not Section.EDGES
            or self.adopted.state is not ClaimState.CURRENT
        ):
            message = f"claim {self.adopted.id!r} adopted as {self.claim!r}: give an open question under its own id"
            raise ValueError(message)
        return self


class Query(Frozen):
    """Which claims of a ledger are meant: all that is given must fit; `recalling.RecallQuery` has words besides."""

    section: Section | None = None
    at: Moment = Moment()
    open_only: bool = True
    limit: Annotated[int, Field(ge=1, le=1000)] = 20


class Erasure(Frozen):
    """What is left of a conversation that was erased on request: that it was, when, by whom, and how much."""

    conversation: ConversationId
    at: AwareDatetime
    actor: Actor
    reason: Annotated[str, Field(min_length=1, max_length=2000)]
    turns: Annotated[int, Field(ge=0)]
    jobs: Annotated[int, Field(ge=0)]
    claims: Annotated[int, Field(ge=0)]
