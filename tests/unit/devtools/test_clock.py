from datetime import UTC, datetime, timedelta, timezone

import pytest

from devtools.clock import FixedClock


def test_fixed_clock_moves_only_when_told() -> None:
    clock = FixedClock(datetime(2026, 1, 1, 14, tzinfo=timezone(timedelta(hours=2))))
    assert clock.now() == clock.now() == datetime(2026, 1, 1, 12, tzinfo=UTC)
    assert clock.now().tzinfo is UTC
    clock.advance(0.5)
    clock.advance(0)
    assert clock.now() == datetime(2026, 1, 1, 12, 0, 0, 500_000, tzinfo=UTC)


def test_naive_instants_and_going_back_are_refused() -> None:
    with pytest.raises(ValueError, match=r"instant datetime.* is naive; give it a time zone"):
        FixedClock(datetime(2026, 1, 1))  # noqa: DTZ001 - the refusal is tested
    with pytest.raises(ValueError, match=r"a clock cannot go back: -1 s"):
        FixedClock(datetime(2026, 1, 1, tzinfo=UTC)).advance(-1)
