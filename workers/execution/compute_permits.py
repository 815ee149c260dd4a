"""Permits to compute in a process of many threads: what computes waits in line, what waits for models does not.

Threads share one interpreter. If two hundred steps computed at once, the event loop would wait for each of them before
it could send a question or store an answer. A step takes a permit before it is claimed, so that nobody holds it for
nothing, gives it up while it waits for models, and takes one again when it goes on.
"""

import threading
from collections import deque
from collections.abc import Coroutine, Generator
from contextlib import contextmanager
from typing import Any, TypeVar

from dissolution.checking import check
from workers.concurrency.idle_wait import rests_by
from workers.services import AsyncRunner

T = TypeVar("T")

LOOK_S = 0.1
"""Pause between two looks whether a step in line is still wanted (s)."""

PERMITS = 6
"""How many steps of one process compute at a time: they wait for the database too, which takes half of it."""


class Permits:
    """So many threads compute at a time; one that goes on after waiting for models comes before all that begin.

    Args:
        most: How many.
    """

    def __init__(self, most: int = PERMITS) -> None:
        self._lock = threading.Lock()
        self._free = most
        self._going_on: deque[threading.Event] = deque()
        self._beginning: deque[threading.Event] = deque()
        self._taken: set[int] = set()  # by thread

    @property
    def waiting(self) -> int:
        """How many stand in line."""
        return len(self._going_on) + len(self._beginning)

    @contextmanager
    def taking(self) -> Generator[None]:
        """Wait for a permit, and hold it in the block."""
        self._take(self._beginning)
        try:
            with rests_by(self.without):
                yield
        finally:
            self.end(threading.get_ident())

    @contextmanager
    def without(self) -> Generator[None]:
        """Give this thread's permit up in the block, if it has one, and wait for another at its end."""
        thread = threading.get_ident()
        if thread not in self._taken:
            yield
            return
        self.end(thread)
        try:
            yield
        finally:
            self._take(self._going_on)

    def end(self, thread: int) -> None:
        """A thread's permit is over, if it has one: also of one that does not return."""
        with self._lock:
            if thread in self._taken:
                self._taken.discard(thread)
                self._hand_on()

    def around(self, run: AsyncRunner) -> AsyncRunner:
        """Run coroutines without the permit of whoever waits for them."""

        def waiting(main: Coroutine[Any, Any, T], /) -> T:
            with self.without():
                return run(main)

        return waiting

    def _hand_on(self) -> None:
        """Under the lock: a permit is free; the first in line has it."""
        line = self._going_on or self._beginning
        if line:
            line.popleft().set()
        else:
            self._free += 1

    def _take(self, line: deque[threading.Event]) -> None:
        mine = threading.Event()
        with self._lock:
            if self._free:
                self._free -= 1
                mine.set()
            else:
                line.append(mine)
        try:
            while not mine.wait(LOOK_S):
                check()  # who stands in line is ended like anybody else
        except BaseException:  # an interruption: the permit that may have come just now is another's
            with self._lock:
                if mine.is_set():
                    self._hand_on()
                else:
                    line.remove(mine)
            raise
        with self._lock:
            self._taken.add(threading.get_ident())
