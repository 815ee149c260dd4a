from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from dissolution.claims import Claim
from dissolution.intervals import TurnInterval
from store.ledger import OpenRow, change, commit_instant
from tests.factories import INSTANT
from tests.unit.store.ledgers import TALK, a_claim

SAME = a_claim("c1", "The shop opens at 9.", TALK)
OTHER = a_claim("c2", "The shop closes at 6.", TALK)


def test_only_a_claim_that_is_said_again_unchanged_goes_on() -> None:
    reworded = OTHER.model_copy(update={"text": "At six the shop closes."})
    closed = SAME.model_copy(update={"valid": TurnInterval(start=1, end=3)})

    assert change([OpenRow(7, SAME), OpenRow(8, OTHER)], [reworded, SAME]) == ((None, 7), (8,))
    assert change([OpenRow(7, SAME)], [closed]) == ((None,), (7,))
    assert change([], [SAME]) == ((None,), ())
    assert change([OpenRow(7, SAME)], []) == ((), (7,))


_CLAIMS = st.lists(st.sampled_from([SAME, OTHER, SAME.model_copy(update={"reason": "another"})]), max_size=6)


@given(_CLAIMS, _CLAIMS)
def test_each_row_goes_on_once_or_closes(held: list[Claim], claims: list[Claim]) -> None:
    rows = [OpenRow(number, claim) for number, claim in enumerate(held, start=1)]

    goes_on, closes = change(rows, claims)

    kept = [row for row in goes_on if row is not None]
    assert sorted(kept + list(closes)) == [row.row for row in rows]
    for claim, row in zip(claims, goes_on, strict=True):
        if row is not None:
            assert held[row - 1] == claim
    for one in (SAME, OTHER):  # as many go on as both have
        assert sum(held[row - 1] == one for row in kept) == min(held.count(one), claims.count(one))


def test_a_commit_is_never_recorded_before_the_one_it_follows() -> None:
    earlier = INSTANT - timedelta(seconds=1)
    assert commit_instant(earlier, None) == earlier
    assert commit_instant(earlier, INSTANT) == INSTANT
    assert commit_instant(INSTANT, earlier) == INSTANT
