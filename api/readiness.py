"""Whether requests can be served: the database takes a write, not only a question.

A database that is read-only, or whose disk is full, answers every question and refuses every write. SQLite finds a full
disk only at a commit; so one row of no meaning is committed, always the same one.
"""

import threading
import time
from collections.abc import Callable
from datetime import timedelta

from dissolution.errors import DissolutionError
from dissolution.ports.models import Clock
from dissolution.ports.store import UnitOfWorkFactory
from dissolution.service import Replay
from dissolution.tenancy import DEFAULT_TENANT

AGE_S = 1.0
"""How long a finding stands (s): nobody needs a key to ask, and asking must not load the database."""

ROW = "readiness"
"""Client and key of the row, which no client of a key or of loopback has."""


class Readiness:
    """Tries a write, one at a time and once in `AGE_S` at most.

    Args:
        units: Opens units of work on the database.
        clock: Dates the row.
        now: Seconds that never run back.
    """

    def __init__(self, units: UnitOfWorkFactory, clock: Clock, now: Callable[[], float] = time.monotonic) -> None:
        self._units = units
        self._clock = clock
        self._now = now
        self._lock = threading.Lock()
        self._found: tuple[float, str | None] | None = None

    def problem(self) -> str | None:
        """Why no write is taken, in the words of an error's code; None when one was taken."""
        with self._lock:
            if self._found is None or self._now() - self._found[0] >= AGE_S:
                said = self._tried()
                self._found = (self._now(), said)
            return self._found[1]

    def _tried(self) -> str | None:
        try:
            with self._units() as work:
                at = self._clock.now()
                row = Replay(
                    client=ROW,
                    key=ROW,
                    tenant=DEFAULT_TENANT,
                    fingerprint="0" * 64,
                    created_at=at,
                    expires_at=at + timedelta(seconds=1),
                )
                work.service.replays.claim(row)
                work.service.replays.fill(ROW, ROW, None, {"at": at.isoformat()})
                work.commit()
        except DissolutionError as error:
            return error.code.replace("_", " ")
        return None
