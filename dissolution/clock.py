"""The system's clock, which fills the port `Clock`."""

from datetime import UTC, datetime


class SystemClock:
    """The machine's clock, in aware UTC."""

    def now(self) -> datetime:
        """This instant, aware, UTC."""
        return datetime.now(UTC)
