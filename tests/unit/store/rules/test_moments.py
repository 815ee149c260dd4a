import pytest

from dissolution.claims import Claim
from dissolution.intervals import InstantInterval, Moment
from store.rules.moments import holds
from tests.unit.store.cycles import OPENS, ended
from tests.unit.store.ledgers import later

TIMED = OPENS.model_copy(update={"valid_instants": InstantInterval(start=later(10))})
OVER = ended(TIMED, 3)  # superseded at turn 3; nobody said at which instant
CLOSED = OVER.model_copy(update={"valid_instants": InstantInterval(start=later(10), end=later(20))})


@pytest.mark.parametrize(
    ("claim", "turn", "second", "held"),
    [
        (OPENS, None, None, True),
        (OVER, None, None, False),
        (OVER, 2, None, True),
        (OVER, 3, None, False),
        (OPENS, None, 0, True),  # no instants known: what is open
        (TIMED, None, 9, False),
        (TIMED, None, 10, True),
        (OVER, None, 15, False),  # it ended, nobody knows when
        (OVER, 2, 15, True),
        (CLOSED, None, 15, True),
        (CLOSED, None, 20, False),
        (CLOSED, 2, 15, True),
        (CLOSED, 2, 20, False),
        (CLOSED, 3, 15, False),
    ],
)
def test_a_turn_decides_and_an_instant_where_it_is_known(
    claim: Claim, turn: int | None, second: int | None, *, held: bool
) -> None:
    instant = None if second is None else later(second)
    assert holds(claim, Moment(turn=turn, instant=instant)) is held
