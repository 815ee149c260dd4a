"""A clock that stands still, for tests and replays."""

from datetime import UTC, datetime, timedelta


class FixedClock:
    """A clock that moves only when told."""

    def __init__(self, instant: datetime) -> None:
        if instant.tzinfo is None:
            message = f"instant {instant!r} is naive; give it a time zone"
            raise ValueError(message)
        self._instant = instant.astimezone(UTC)

    def now(self) -> datetime:
        """The instant it stands at, aware, UTC."""
        return self._instant

    def advance(self, seconds: float) -> None:
        """Move forward by `seconds` (s, not negative)."""
        if seconds < 0:
            message = f"a clock cannot go back: {seconds!r} s"
            raise ValueError(message)
        self._instant += timedelta(seconds=seconds)
