from datetime import UTC, datetime

from dissolution.clock import SystemClock


def test_system_clock_is_aware_utc() -> None:
    before = datetime.now(UTC)
    now = SystemClock().now()
    assert now.tzinfo is UTC
    assert before <= now <= datetime.now(UTC)
