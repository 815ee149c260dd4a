"""Ending a claim."""

from datetime import timedelta

import pytest

from consensus.reconcile.closing import ended, turn_after
from dissolution.claims import ClaimState
from dissolution.conversation import Snapshot
from dissolution.intervals import InstantInterval, TurnInterval
from tests.factories import INSTANT, a_snapshot
from tests.unit.consensus.reconcile.made import a_claim

PLAIN = a_snapshot("The cache holds 512 MB.", "Fine.", "Good.")
DATED = Snapshot(
    conversation=PLAIN.conversation,
    turns=tuple(turn.model_copy(update={"said_at": INSTANT + timedelta(days=turn.number)}) for turn in PLAIN.turns),
)


@pytest.mark.parametrize(
    ("state", "turn", "end"),
    [(ClaimState.SUPERSEDED, 3, 3), (ClaimState.EXPIRED, 1, 2), (ClaimState.CORRECTED, 3, 2)],
)
def test_a_claim_holds_up_to_the_turn_that_ends_it_and_never_ends_before_it_began(
    state: ClaimState, turn: int, end: int
) -> None:
    claim = a_claim("Fine.", PLAIN, 2).model_copy(update={"state": ClaimState.CARRIED, "carried": 2})
    over = ended(claim, state, turn, "said so", by="c9")
    assert (over.state, over.carried, over.valid) == (state, 0, TurnInterval(start=2, end=end))
    assert over.closing is not None
    assert (over.closing.by, over.closing.reason) == ("c9", "said so")


def test_the_turn_after_an_instant() -> None:
    claim = a_claim("Fine.", DATED, 1)
    until = claim.model_copy(
        update={"valid_instants": InstantInterval(start=INSTANT, end=INSTANT + timedelta(days=1, hours=1))}
    )
    assert turn_after(DATED, until) == 2
    assert turn_after(PLAIN, until) == 3
    assert turn_after(DATED, claim) == 3
