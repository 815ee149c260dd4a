"""The boundary state: what replaces the history once it is committed."""

from typing import Annotated

from pydantic import AwareDatetime, Field

from dissolution.claims import Claim, Dissent, Section
from dissolution.conversation import ConversationId, TurnNumber
from dissolution.excerpts import NOBODY_HAS_READ, Excerpt
from dissolution.findings import GateDecision
from dissolution.ledger import Change
from dissolution.values import Frozen


class BoundaryState(Frozen):
    """The claims that hold for a conversation at one turn: the open part of its ledger.

    `excerpts` are words of turns that extraction methods chose, in the order in which they were said: where several are
    about one matter, the newest stands last. They say what was said, not what holds.
    `version` counts the versions of the conversation's ledger from 1; None while it is a candidate. `closed` and
    `changes` say what this cycle did to claims held before; a reading of a later version that no cycle made (a
    roll-back, an act of a person) has neither.
    """

    conversation: ConversationId
    job: str
    through: TurnNumber
    snapshot_digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    decision: GateDecision
    claims: tuple[Claim, ...]
    dissent: tuple[Dissent, ...]
    closed: tuple[Claim, ...] = ()  # claims held before that end with this version, as they then stand
    changes: tuple[Change, ...] = ()
    excerpts: tuple[Excerpt, ...] = ()
    version: Annotated[int, Field(ge=1)] | None = None
    committed_at: AwareDatetime | None = None

    def section(self, section: Section) -> tuple[Claim, ...]:
        """The claims of one section, in their order."""
        return tuple(claim for claim in self.claims if claim.section is section)

    @property
    def unread(self) -> bool:
        """Whether extraction methods alone made it: nobody has read the turns since the claims were last stated."""
        return NOBODY_HAS_READ in self.decision.reasons or (bool(self.excerpts) and not self.claims)
