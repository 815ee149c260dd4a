"""Rules about time that every commit is held to, whatever the callers did (rule 5): pure, shared by all adapters."""

from collections.abc import Iterable

from dissolution.boundary import BoundaryState
from dissolution.claims import BINDING_SECTIONS, OPEN_STATES, Claim, ClaimState
from dissolution.errors import TemporalError
from store.rules.versioning import RecordedClaim


def check_kept(held: Iterable[RecordedClaim], boundary: BoundaryState) -> None:
    """Whether the candidate keeps what the ledger holds open.

    Raises:
        TemporalError: an open claim is neither stated nor closed; a claim of DECIDED or IDENTITY comes back in another
            section; or one of them is closed and no turn is cited, though its time did not run out by itself.
    """
    stated = {claim.id: claim for claim in boundary.claims}
    closed = {claim.id: claim for claim in boundary.closed}
    for claim in (one.claim for one in held if one.claim.state in OPEN_STATES):
        if claim.id in closed:
            _check_cited(claim, closed[claim.id])
        elif claim.id not in stated:
            raise TemporalError(claim.id, f"of {claim.section.value} is held, and would be lost")
        elif claim.section in BINDING_SECTIONS and stated[claim.id].section not in BINDING_SECTIONS:
            present = stated[claim.id].section.value
            raise TemporalError(claim.id, f"of {claim.section.value} would be demoted to {present}")


def _check_cited(held: Claim, closed: Claim) -> None:
    cited = closed.closing is not None and bool(closed.closing.evidence)
    timed = held.valid_instants is not None and held.valid_instants.end is not None
    if held.section in BINDING_SECTIONS and not cited and not (closed.state is ClaimState.EXPIRED and timed):
        raise TemporalError(held.id, f"of {held.section.value} would be closed, and no turn is cited that closes it")
