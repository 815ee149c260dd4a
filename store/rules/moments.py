"""Whether a claim held at a moment on the valid axis: one rule, in Python; `store.sql.ledger_reading` has it as SQL."""

from dissolution.claims import OPEN_STATES, Claim
from dissolution.intervals import Moment
from dissolution.ledger import Query


def holds(claim: Claim, moment: Moment) -> bool:
    """Whether a claim, as the ledger records it, holds at `moment`'s turn and instant.

    With neither, the question is what holds now: what is open. A turn is looked up in the valid interval in turns. An
    instant is looked up in the valid interval in instants; where that is not known, the turn decides, or what is open.
    It is not known either for a claim that ended at a turn while nobody said at which instant.
    """
    is_open = claim.state in OPEN_STATES
    by_turn = is_open if moment.turn is None else claim.valid.holds_at(moment.turn)
    instants = claim.valid_instants
    if moment.instant is None or instants is None or not (is_open or instants.end is not None):
        return by_turn
    by_instant = instants.holds_at(moment.instant)
    return by_instant if moment.turn is None else by_turn and by_instant


def fits(claim: Claim, query: Query) -> bool:
    """Whether a claim, as the ledger records it, fits a query, its limit aside."""
    past = query.at.turn is not None or query.at.instant is not None
    return (
        (not query.open_only or claim.state in OPEN_STATES)
        and (query.section is None or claim.section is query.section)
        and (not past or holds(claim, query.at))
    )
