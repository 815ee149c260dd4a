"""Where members may have been swayed by what they read, and what binds is not moved on their word.

Quoted material gives orders, and a member that audits reads them. Who obeys could empty DECIDED and IDENTITY. Of what
members alone find there, some is shown and not done: what no words can show, and what an order is about.
"""

from dissolution.claims import Claim
from dissolution.framing import Finding, FindingKind
from dissolution.premises import PremiseStatus
from frame_agent.brought_back import FIRM
from frame_agent.pasted import BINDING
from frame_agent.promotions import Promoted
from frame_agent.record import Record, parts_of

SHARED = 0.25
"""Share of the terms of a part of a claim, or of an order, that they have in common when the order is about it."""

PUT_SO = frozenset({PremiseStatus.HEDGED, PremiseStatus.PROPOSED, PremiseStatus.ONE_OFF})
"""What a sentence is by how it is put, whatever is said later."""

UNSHOWN = "not moved: members alone miss it, no words show that, and it binds"
NOT_ABOUT = "not moved: members alone say so, it binds, and the words they show share none with it"
PUT_FIRMLY = "not moved: members alone say so, it binds, and the words they show are put firmly"
TOUCHED = "not moved: members alone say so, it binds, and quoted material gives orders about the same"


def is_touched(record: Record, claim: Claim) -> bool:
    """Whether a claim binds and is about what the register lists as injected."""
    if claim.section not in BINDING:
        return False
    parts = [part.terms for part in parts_of(claim)]
    return any(_about(order, part) for order in record.orders for part in parts)


def _about(order: frozenset[str], part: frozenset[str]) -> bool:
    common = len(order & part)
    return common > 0 and common >= SHARED * min(len(order), len(part))


def unmoved(record: Record, claim: Claim, finding: Finding, cause: object) -> str | None:
    """Why a claim stays where it is though members, and they alone, find this; None when nothing holds it.

    Args:
        record: The conversation.
        claim: The claim as the candidate had it.
        finding: What the members find.
        cause: What a repair of it needs.
    """
    if claim.section not in BINDING:
        return None
    if finding.kind is FindingKind.FABRICATION:
        return UNSHOWN
    if isinstance(cause, Promoted) and cause.before in PUT_SO:
        if cause.said.status in FIRM:
            return PUT_FIRMLY
        if cause.part.terms.isdisjoint(cause.said.found.terms):
            return NOT_ABOUT
    return TOUCHED if finding.before is PremiseStatus.INJECTED or is_touched(record, claim) else None
