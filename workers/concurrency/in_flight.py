"""What the steps of this process work at and have in flight: branches of one job count each other's calls as spent."""

import threading
from collections.abc import Mapping

from dissolution.answers import Usage
from dissolution.checking import check
from dissolution.ids import JobId
from dissolution.job import Lease
from workers.concurrency.idle_wait import resting


class InHand:
    """The steps that this process works at: the claims of each, by epoch. For all threads.

    A step that the process holds and does not work at could not be given back, because the database was away or its
    disk full at that moment. A thread that comes late to the end of a claim that was taken over leaves the newer one.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._epochs: dict[tuple[str, str], frozenset[int]] = {}

    def __contains__(self, place: tuple[str, str]) -> bool:
        """Whether a step, by job and stage, is worked at under whichever claim."""
        return place in self._epochs

    def add(self, lease: Lease) -> None:
        """The step is worked at under this claim."""
        with self._lock:
            place = (lease.job, lease.stage)
            self._epochs[place] = self._epochs.get(place, frozenset()) | {lease.epoch}

    def discard(self, lease: Lease) -> None:
        """The step is not worked at under this claim any more; nothing when it was not."""
        with self._lock:
            place = (lease.job, lease.stage)
            left = self._epochs.get(place, frozenset()) - {lease.epoch}
            if left:
                self._epochs[place] = left
            else:
                self._epochs.pop(place, None)


IN_HAND = InHand()
"""Of this process."""

Place = tuple[str, str, int]
"""A call of a job: stage, member and ordinal."""

FIRST = "fan_out"
"""Without its answers a job is nothing: what is left of the cap is for its calls before it is for another branch's."""

LOOK_S = 0.05


class InFlight:
    """The calls in flight by job, with what each is expected to use. For all threads."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._calls: dict[str, dict[Place, Usage]] = {}
        self._asked: set[str] = set()

    def put(self, job: JobId, place: Place, usage: Usage) -> None:
        """Count a call that is about to be made, or what it used, until its stage is cleared."""
        with self._changed:
            self._calls.setdefault(job, {})[place] = usage

    def of(self, job: JobId) -> Mapping[Place, Usage]:
        """What is in flight for a job."""
        with self._changed:
            return dict(self._calls.get(job, {}))

    def replace(self, job: JobId, stage: str, calls: Mapping[tuple[str, int], Usage]) -> None:
        """Count these calls of a stage, by member and ordinal, and no others of it."""
        with self._changed:
            others = {place: usage for place, usage in self._calls.get(job, {}).items() if place[0] != stage}
            self._calls[job] = others | {(stage, *place): usage for place, usage in calls.items()}

    def beside(self, job: JobId, stage: str) -> tuple[Usage, ...]:
        """What other stages of a job have in flight."""
        return tuple(usage for place, usage in self.of(job).items() if place[0] != stage)

    def clear(self, job: JobId, stage: str, ordinal: int | None = None) -> None:
        """Forget the calls of a stage, of one ordinal if given: what landed of them stands in the tables now."""
        with self._changed:
            calls = self._calls.get(job, {})
            for place in [one for one in calls if one[0] == stage and ordinal in {None, one[2]}]:
                del calls[place]
            if not calls:
                self._calls.pop(job, None)
            if stage == FIRST:
                self._asked.discard(job)

    def first_asked(self, job: JobId) -> None:
        """The fan-out's calls are counted now."""
        with self._changed:
            self._asked.add(job)
            self._changed.notify_all()

    def await_first(self, job: JobId) -> None:
        """Let the fan-out count its calls first, if it is at work here. Raises what ends the step that waits."""
        if not self._first_is_to_ask(job):
            return
        with resting(), self._changed:  # the fan-out may need the permit of whoever waits here
            while self._first_is_to_ask(job):
                check()
                self._changed.wait(LOOK_S)

    def _first_is_to_ask(self, job: JobId) -> bool:
        return (job, FIRST) in IN_HAND and job not in self._asked


IN_FLIGHT = InFlight()
"""Of this process."""
