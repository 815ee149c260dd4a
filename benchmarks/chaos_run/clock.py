"""A clock that is set ahead and back while its readers run, and a command of the product that goes by it.

usage: python -m benchmarks.chaos_run.clock worker|relay …        (the file CHAOS_CLOCK holds the seconds it is ahead)
"""

import os
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cli.main import main
from dissolution.clock import SystemClock

VARIABLE = "CHAOS_CLOCK"
AHEAD = timedelta(hours=2)
"""Longer than any lease, wait or run, so that an instant tells by which setting it was read."""

TURNS: Sequence[timedelta] = (AHEAD, timedelta(0), -AHEAD, timedelta(0))
"""To what it is set, jump after jump: ahead, right, behind, right."""


class JumpingClock:
    """The clock of all workers and relays. Whoever starts them gives them `environment`."""

    def __init__(self, folder: Path) -> None:
        self._place = folder / "clock"
        self._jumps = 0
        self._set(timedelta(0))

    @property
    def environment(self) -> dict[str, str]:
        """Where a process reads how far it is ahead."""
        return {VARIABLE: str(self._place)}

    def jump(self) -> None:
        """Set it to the next of `TURNS`."""
        self._set(TURNS[self._jumps % len(TURNS)])
        self._jumps += 1

    def _set(self, ahead: timedelta) -> None:
        written = self._place.with_suffix(".new")
        written.write_text(str(int(ahead.total_seconds())), encoding="ascii")
        written.replace(self._place)  # nobody reads half of it


def really(told: datetime, now: datetime) -> datetime:
    """The instant at which such a clock said `told`, of a run that began less than an hour before `now`."""
    return min((told - ahead for ahead in set(TURNS)), key=lambda at: abs(now - at))


def by_the_file() -> None:
    """Let this process, and those it forks, read the time by the file."""
    place = Path(os.environ[VARIABLE])

    def now(self: SystemClock) -> datetime:  # noqa: ARG001 - in the place of a method
        return datetime.now(UTC) + timedelta(seconds=int(place.read_text(encoding="ascii")))

    SystemClock.now = now


if __name__ == "__main__":
    by_the_file()
    main()
