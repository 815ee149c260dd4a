"""Stability runs in which something can be done now: who sends messages, or does the work, asks here which."""

from datetime import datetime, timedelta

from dissolution.ports.models import Clock
from dissolution.ports.store import UnitOfWorkFactory
from workers.ready_steps import is_time

LOOK = timedelta(seconds=2)
"""Pause between two looks: a cycle takes far longer."""


class DueRuns:
    """Remembers for which runs it was asked already, so that a run is taken up again when it has come further.

    Args:
        unit_of_work: The store.
        clock: Time.
        again_s: After so long without progress a run is taken up once more: its message may have been lost (s).
    """

    def __init__(self, unit_of_work: UnitOfWorkFactory, clock: Clock, again_s: float) -> None:
        self._unit_of_work = unit_of_work
        self._clock = clock
        self._again = timedelta(seconds=again_s)
        self._look_at: datetime | None = None
        self._due: dict[str, int] = {}  # how far each was at the last look
        self._taken: dict[str, tuple[int, datetime]] = {}  # how far each was, and when it was taken up

    def now(self) -> tuple[str, ...]:
        """The runs to take up, oldest first; none between two looks. Say `taken` of each. Raises StoreError."""
        at = self._clock.now()
        if not is_time(self._look_at, at, LOOK):
            return ()
        self._look_at = at + LOOK
        with self._unit_of_work() as work:
            due = work.stability.due()
        self._due = {one.run: one.progress for one in due}
        self._taken = {run: taken for run, taken in self._taken.items() if run in self._due}
        return tuple(run for run, progress in self._due.items() if self._is_new(run, progress, at))

    def taken(self, run: str) -> None:
        """It was taken up as far as it had come at the last look."""
        self._taken[run] = (self._due[run], self._clock.now())

    def _is_new(self, run: str, progress: int, at: datetime) -> bool:
        before, when = self._taken.get(run, (None, at))
        return before != progress or is_time(when + self._again, at, self._again)
