"""Ending a claim: its state, its interval, its closing."""

from dissolution.claims import Claim, ClaimId, ClaimState, Closing, Evidence
from dissolution.conversation import Snapshot
from dissolution.intervals import TurnInterval


def ended(
    claim: Claim,
    state: ClaimState,
    turn: int,
    reason: str,
    *,
    by: ClaimId | None = None,
    evidence: tuple[Evidence, ...] = (),
) -> Claim:
    """A claim as it stands once it has ended.

    What was corrected never held: its interval is empty. What was superseded or ran out held up to the turn that ends
    it.

    Args:
        claim: The open claim.
        state: Superseded, corrected or expired.
        turn: The turn that ends it; before the claim's first turn it counts as that.
        reason: Why, in words.
        by: The claim that takes its place.
        evidence: The words that end it.
    """
    end = claim.valid.start if state is ClaimState.CORRECTED else max(turn, claim.valid.start)
    return claim.model_copy(
        update={
            "state": state,
            "carried": 0,
            "valid": TurnInterval(start=claim.valid.start, end=end),
            "closing": Closing(state=state, by=by, evidence=evidence, reason=reason),
        }
    )


def turn_after(snapshot: Snapshot, claim: Claim) -> int:
    """The first turn said after a claim's instants are over; the snapshot's last where no turn tells."""
    end = None if claim.valid_instants is None else claim.valid_instants.end
    after = (turn.number for turn in snapshot.turns if end and turn.said_at and turn.said_at >= end)
    return next(after, snapshot.through)
