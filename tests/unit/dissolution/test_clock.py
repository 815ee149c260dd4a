from datetime import UTC, datetime, timedelta, timezone

import pytest

from dissolution.clock import FixedClock, SystemClock


def test_system_clock_is_aware_utc() -> None:
    before = datetime.now(UTC)
    now = SystemClock().now()
    assert now.tzinfo is UTC
    assert before <= now <= datetime.now(UTC)


def test_fixed_clock_moves_only_when_told() -> None:
    clock = FixedClock(datetime(2026, 1, 1, 14, tzinfo=timezone(timedelta(hours=2))))
    assert clock.now() == clock.now() == datetime(2026, 1, 1, 12, tzinfo=UTC)
    assert clock.now().tzinfo is UTC
    clock.advance(0.5)
    clock.advance(0)
    assert clock.now() == datetime(2026, 1, 1, 12, 0, 0, 500_000, tzinfo=UTC)


def test_naive_instants_and_going_back_are_refused() -> None:
    with pytest.raises(ValueError, match="naive"):
        FixedClock(datetime(2026, 1, 1))  # noqa: DTZ001 - the refusal is tested
    with pytest.raises(ValueError, match=r"-1 s"):
        FixedClock(datetime(2026, 1, 1, tzinfo=UTC)).advance(-1)
