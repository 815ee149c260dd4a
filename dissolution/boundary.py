"""The boundary state: what replaces the history once it is committed."""

from typing import Annotated

from pydantic import AwareDatetime, Field

from dissolution.claims import Claim, Dissent, Section
from dissolution.conversation import ConversationId, TurnNumber
from dissolution.findings import GateDecision
from dissolution.values import Frozen


class BoundaryState(Frozen):
    """The claims that hold for a conversation at one turn.

    `version` counts a conversation's committed boundaries from 1; None while it is a candidate.
    """

    conversation: ConversationId
    job: str
    through: TurnNumber
    snapshot_digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    decision: GateDecision
    claims: tuple[Claim, ...]
    dissent: tuple[Dissent, ...]
    version: Annotated[int, Field(ge=1)] | None = None
    committed_at: AwareDatetime | None = None

    def section(self, section: Section) -> tuple[Claim, ...]:
        """The claims of one section, in their order."""
        return tuple(claim for claim in self.claims if claim.section is section)
