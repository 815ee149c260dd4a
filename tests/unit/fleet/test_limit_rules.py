import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet.limit_rules import MINUTE_S, Bucket, bucket_of, charged, earliest, free

limits = st.integers(min_value=1, max_value=5000)
arrivals = st.lists(
    st.tuples(st.floats(min_value=0, max_value=30), st.integers(min_value=1, max_value=400)), min_size=1, max_size=60
)


def schedule(bucket: Bucket, asked: list[tuple[float, int]]) -> list[tuple[float, int, float]]:
    """When each request starts, its units, and how long it waits; each comes so many seconds after the one before."""
    now, full_at, starts = 0.0, 0.0, list[tuple[float, int, float]]()
    for pause, units in asked:
        now += pause
        at = earliest(bucket, full_at, units, now)
        full_at = charged(bucket, full_at, units, at)
        starts.append((at, units, at - now))
    return starts


@given(limits, arrivals)
def test_no_window_has_more_than_the_burst_and_the_rate_allow(limit: int, asked: list[tuple[float, int]]) -> None:
    bucket = bucket_of(limit)
    starts = schedule(bucket, asked)
    largest = max(units for _, units, _ in starts)
    most_at_once = max(bucket.capacity, largest)
    for first, (begin, _, _) in enumerate(starts):
        passed = 0
        for at, units, _ in starts[first:]:
            passed += units
            assert passed <= most_at_once + bucket.per_s * (at - begin) + 1e-6 * limit


@given(limits, st.lists(st.floats(min_value=0, max_value=5), min_size=1, max_size=80))
def test_no_minute_has_more_requests_than_the_limit(limit: int, pauses: list[float]) -> None:
    starts = schedule(bucket_of(limit), [(pause, 1) for pause in pauses])
    for begin, _, _ in starts:
        assert sum(begin <= at < begin + MINUTE_S - 1e-6 for at, _, _ in starts) <= limit


@given(limits, arrivals)
def test_turns_come_in_the_order_of_asking_and_everybodys_comes(limit: int, asked: list[tuple[float, int]]) -> None:
    bucket = bucket_of(limit)
    starts = schedule(bucket, asked)
    assert [at for at, _, _ in starts] == sorted(at for at, _, _ in starts)
    before = 0
    for _, units, waited in starts:
        before += units
        assert waited <= before / bucket.per_s + 1e-6  # never longer than all before it, and itself, take


@given(limits)
def test_at_least_five_sixths_of_the_limit_are_of_use(limit: int) -> None:
    assert bucket_of(limit).per_s * MINUTE_S >= limit * 5 / 6


@pytest.mark.parametrize(
    ("limit", "share", "capacity", "a_minute"),
    [(60, 1.0, 10, 51), (6, 1.0, 1, 6), (1, 1.0, 1, 1), (60, 0.25, 2, 14), (3, 0.01, 1, 1)],
)
def test_buckets_by_hand(limit: int, share: float, capacity: int, a_minute: int) -> None:
    bucket = bucket_of(limit, share)  # 60: a sixth is 10, and 60 - 10 + 1 = 51 a minute
    assert bucket.capacity == capacity
    assert bucket.per_s * MINUTE_S == pytest.approx(a_minute)


def test_what_is_free_by_hand() -> None:
    bucket = Bucket(10.0, 0.5)
    full_at = charged(bucket, 0.0, 4, 100.0)  # four units take eight seconds to come back
    assert full_at == 108
    assert [free(bucket, full_at, now) for now in (100, 104, 108, 200)] == [6, 8, 10, 10]
    assert free(bucket, charged(bucket, full_at, 16, 100.0), 100.0) == -10
