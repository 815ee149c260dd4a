"""Whether work grows in proportion to what it is given: told from two sizes, never from a clock on the wall."""

import time
from collections.abc import Callable

TIMES = 8
MOST = 32.0
"""Eight times as much takes eight times as long when work grows in proportion, 64 times when it grows with the square.
Between them is room for what else the machine does."""
NOTHING_S = 0.05
"""Less work than this (s of this thread's processor time) says nothing about growth, and harms nobody."""
TRIES = 3


def in_proportion(work: Callable[[int], object], size: int) -> bool:
    """Whether `work(size)` takes in proportion to `work(size / 8)`, at least once in three tries."""
    return any(_taken(work, size) <= max(NOTHING_S, MOST * _taken(work, size // TIMES)) for _ in range(TRIES))


def _taken(work: Callable[[int], object], size: int) -> float:
    """Processor time of this thread (s): it does not run on while others have the processor."""
    begun = time.thread_time()
    work(size)
    return time.thread_time() - begun
