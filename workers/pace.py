"""When fan-outs begin in a process of many threads: in order of arrival, and no faster than it gets done with them.

All steps of a process share one interpreter. If all jobs that wait asked their fleets at once, their answers would come
at once too, and each would wait for all others in the middle of its job. So a job waits before it asks anybody: nothing
is claimed, no lease held, no clock runs, and who has asked hears his answers when they come.
"""

import threading
import time
from collections import deque
from collections.abc import Callable

BURST = 12
"""Fan-outs that may begin at one moment in a process that has rested: their answers come one after the other anyway."""

PROMPT_S = 0.05
"""How late the event loop may be for a fan-out to begin (s)."""

FIRST_COST_S = 0.2
"""What a job takes of the process (s) as long as that has not been seen."""

SEEN = 20
"""The latest jobs by which that is seen."""

LOOK_S = 0.02
STOP_LOOK_S = 1.0
"""Pauses between two looks of the first in line, and of the others whether the process ends (s)."""


class Pace:
    """The line of those that wait to begin.

    Args:
        delay_s: How late the event loop is (s).
        now: Seconds that never run back.
        used: Processor time that the process has used (s).
    """

    def __init__(
        self,
        delay_s: Callable[[], float],
        *,
        now: Callable[[], float] = time.monotonic,
        used: Callable[[], float] = time.process_time,
    ) -> None:
        self._delay_s = delay_s
        self._now, self._used = now, used
        self._lock = threading.Lock()
        self._line: deque[threading.Event] = deque()  # the first one's is set
        self._done: deque[tuple[float, float]] = deque(maxlen=SEEN + 1)  # when fan-outs were over: time, processor time
        self._room = float(BURST)
        self._filled_at = now()

    def wait(self, stops: Callable[[], bool]) -> None:
        """Wait until a fan-out may begin, or `stops` says that the process ends."""
        mine = threading.Event()
        with self._lock:
            self._line.append(mine)
            self._line[0].set()
        try:
            while not mine.wait(STOP_LOOK_S):
                if stops():
                    return
            while not self.may_begin() and not stops():
                time.sleep(LOOK_S)
        finally:
            with self._lock:
                self._line.remove(mine)
                if self._line:
                    self._line[0].set()

    @property
    def waiting(self) -> int:
        """How many stand in line."""
        return len(self._line)

    def may_begin(self) -> bool:
        """Whether one may begin now; it then counts as begun."""
        prompt = self._delay_s() <= PROMPT_S
        with self._lock:
            now = self._now()
            self._room = min(BURST, self._room + (now - self._filled_at) / self._cost_s(prompt=prompt))
            self._filled_at = now
            if not prompt or self._room < 1:
                return False
            self._room -= 1
            return True

    def over(self) -> None:
        """A fan-out is over: what the process has used since the one before is what a job takes."""
        with self._lock:
            self._done.append((self._now(), self._used()))

    def _cost_s(self, *, prompt: bool) -> float:
        """What a job takes: of the processor, or, where the process gets less of that than it could use, of time."""
        if len(self._done) <= SEEN // 4:
            return FIRST_COST_S
        (began, used_before), (ended, used) = self._done[0], self._done[-1]
        took_s = used - used_before if prompt else max(ended - began, used - used_before)
        return max(took_s, 0.001) / (len(self._done) - 1)
