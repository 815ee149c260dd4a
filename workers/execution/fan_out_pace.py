"""When fan-outs begin in a process of many threads: the most urgent first, and no faster than it gets done with them.

All steps of a process share one interpreter. If all jobs that wait asked their fleets at once, their answers would come
at once too, and each would wait for all others in the middle of its job. So a job waits before it asks anybody: nothing
is claimed, no lease held, no clock runs, and who has asked hears his answers when they come.
"""

import threading
import time
from bisect import insort
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from dissolution.ids import JobId

BURST = 8
"""Fan-outs that may begin at one moment in a process that has rested: their answers come one after the other anyway."""

LEAST = 3
"""Fan-outs that may be at work at a time however late the loop is: a machine that is busy with others must not stop."""

PROMPT_S = 0.05
"""How late the event loop may be for a fan-out to begin (s)."""

IDLE_S = 0.01
"""How late it may be for more of them to be at work at a time (s)."""

LESS = 1.0
"""By how much fewer may be at work at a time for each that was over while the loop was late."""

FIRST_COST_S = 0.2
"""What a job takes of the process (s) as long as that has not been seen."""

SEEN = 20
"""The latest jobs by which that is seen."""

LOOK_S = 0.02
STOP_LOOK_S = 1.0
"""Pauses between two looks of the first in line, and of the others whether the process ends (s)."""


@dataclass(eq=False)
class _Waiting:
    """One in line."""

    queue: str
    first: threading.Event = field(default_factory=threading.Event)


class Pace:
    """The line of those that wait to begin.

    Args:
        delay_s: How late the event loop is (s).
        now: Seconds that never run back.
        used: Processor time that the process has used (s).
        most_waiting: How many may stand in line before others are sent away: each has a thread that later steps of
            jobs that have begun need too.
    """

    def __init__(
        self,
        delay_s: Callable[[], float],
        *,
        now: Callable[[], float] = time.monotonic,
        used: Callable[[], float] = time.process_time,
        most_waiting: int = 1_000,
    ) -> None:
        self._delay_s = delay_s
        self._now, self._used = now, used
        self._lock = threading.Lock()
        self._line: list[_Waiting] = []  # by lane, then by arrival; the first one's is set
        self._most_waiting = most_waiting
        self._jobs: set[str] = set()  # of those in line
        self._done: deque[float] = deque(maxlen=SEEN + 1)  # processor time when fan-outs were over
        self._room = float(BURST)
        self._filled_at = now()
        self._at_work, self._most = 0, float(BURST)

    def wait(self, job: JobId, stops: Callable[[], bool], queue: str = "") -> bool:
        """Wait until the fan-out of a job may begin; who is more urgent goes before all that still wait.

        False at once for a second message of a job that waits already, and where the line is full of what is as urgent:
        the relay sends again what nobody takes up. False also when `stops` says that the process ends.

        Args:
            job: Whose fan-out it is.
            stops: Whether the process ends.
            queue: The one that the message came by: those of one class sort by their lanes, the most urgent first.
        """
        with self._lock:
            before = sum(one.queue <= queue for one in self._line)
            if job in self._jobs or before >= self._most_waiting:
                return False
            mine = _Waiting(queue)
            self._jobs.add(job)
            insort(self._line, mine, key=lambda one: one.queue)  # behind all of its own lane
            self._call_first()
        try:
            while not self._wait_to_begin(mine):
                if stops():
                    return False
            return True
        finally:
            with self._lock:
                self._jobs.discard(job)
                self._line.remove(mine)
                self._call_first()

    def _call_first(self) -> None:
        """Under the lock: the first in line looks whether it may begin, and nobody else."""
        for place, one in enumerate(self._line):
            if place:
                one.first.clear()
            else:
                one.first.set()

    def _wait_to_begin(self, mine: "_Waiting") -> bool:
        """Begin if it is first in line and may, else pause; whether it began."""
        if not mine.first.wait(STOP_LOOK_S):
            return False
        if self.begin():
            return True
        time.sleep(LOOK_S)
        return False

    @property
    def waiting(self) -> int:
        """How many stand in line."""
        return len(self._line)

    def begin(self) -> bool:
        """Begin one if it may now: it then counts as at work until `over`; whether it did."""
        delay_s = self._delay_s()
        with self._lock:
            now = self._now()
            self._room = min(BURST, self._room + (now - self._filled_at) / self._cost_s())
            self._filled_at = now
            paced = delay_s <= PROMPT_S and self._room >= 1
            if paced and self._at_work >= self._most and delay_s <= IDLE_S:
                self._most = self._at_work + 1  # they wait for their models, however long these take
            if self._at_work >= LEAST and not (paced and self._at_work < self._most):
                return False
            self._room = max(0.0, self._room - 1)
            self._at_work += 1
            return True

    def over(self) -> None:
        """A fan-out is over: what the process has used since the one before is what a job takes."""
        late = self._delay_s() > PROMPT_S
        with self._lock:
            self._at_work -= 1
            self._done.append(self._used())
            if late:
                self._most = max(float(LEAST), min(self._most, self._at_work + 1) - LESS)

    def _cost_s(self) -> float:
        """What a job takes of the processor."""
        if len(self._done) <= SEEN // 4:
            return FIRST_COST_S
        return max(self._done[-1] - self._done[0], 0.001) / (len(self._done) - 1)
