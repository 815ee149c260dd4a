"""Turns at computing in a process of many threads: what computes waits in line, what waits for models does not.

Threads share one interpreter. If two hundred steps computed at once, the event loop would wait for each of them before
it could send a question or store an answer. A step takes a turn before it is claimed, so that nobody holds it for
nothing, gives it up while it waits for models, and takes one again when it goes on.
"""

import threading
from collections.abc import Coroutine, Generator
from contextlib import contextmanager
from typing import Any, TypeVar

from workers.services import AsyncRunner

T = TypeVar("T")

TURNS = 6
"""How many steps of one process compute at a time: they wait for the database too, which takes half of it."""


class Turns:
    """So many threads compute at a time.

    Args:
        most: How many.
    """

    def __init__(self, most: int = TURNS) -> None:
        self._free = threading.Semaphore(most)
        self._lock = threading.Lock()
        self._taken: set[int] = set()  # by thread

    @contextmanager
    def taking(self) -> Generator[None]:
        """Wait for a turn, and hold it in the block."""
        self._take()
        try:
            yield
        finally:
            self.end(threading.get_ident())

    def end(self, thread: int) -> None:
        """A thread's turn is over, if it has one: also of one that does not return."""
        with self._lock:
            had = thread in self._taken
            self._taken.discard(thread)
        if had:
            self._free.release()

    def around(self, run: AsyncRunner) -> AsyncRunner:
        """Run coroutines without the turn of whoever waits for them."""

        def waiting(main: Coroutine[Any, Any, T], /) -> T:
            thread = threading.get_ident()
            if thread not in self._taken:
                return run(main)
            self.end(thread)
            try:
                return run(main)
            finally:
                self._take()

        return waiting

    def _take(self) -> None:
        self._free.acquire()
        with self._lock:
            self._taken.add(threading.get_ident())
