"""Asking, between bounded pieces of work, whether the work is still wanted.

A step that computes calls `check` in every loop over turns, claims, premises or texts. Whoever runs the step says what
the question is (`checked_by`): whether its job was cancelled, its lease lost, its memory or time used up. Outside of a
step nobody asks, and the same functions run as they are.
"""

import threading
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, wait
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")

LOOK_S = 0.1
"""Pause between two questions of who waits for a thread (s)."""


def _nobody_asks() -> None:
    """The work is wanted."""


_asked: ContextVar[Callable[[], None]] = ContextVar("asked", default=_nobody_asks)


def check() -> None:
    """Go on when the work is still wanted; costs well under a microsecond. Raises what ends the work."""
    _asked.get()()


def each(items: Iterable[T]) -> Generator[T]:
    """The items, with a `check` before each. Raises what ends the work."""
    for item in items:
        check()
        yield item


@contextmanager
def checked_by(ask: Callable[[], None]) -> Generator[None]:
    """Within the block, in this thread, `check` asks whoever it asked before and `ask`: each raises to end the work."""
    before = _asked.get()

    def both() -> None:
        before()
        ask()

    token = _asked.set(ask if before is _nobody_asks else both)
    try:
        yield
    finally:
        _asked.reset(token)


@contextmanager
def unchecked() -> Generator[None]:
    """Within the block `check` asks nobody: for what has to be given back also when the work is not wanted any more."""
    token = _asked.set(_nobody_asks)
    try:
        yield
    finally:
        _asked.reset(token)


def in_thread(work: Callable[[], T]) -> Future[T]:
    """Begin what is one long call, such as loading a model, in a thread of its own; `waited_for` has its result."""
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # noqa: BLE001 - raised again by whoever waits
            future.set_exception(error)

    threading.Thread(target=run, name="beside").start()
    return future


def waited_for(future: Future[T]) -> T:
    """What the thread comes to. Who waits asks `check` meanwhile and may be ended; the thread goes on by itself.

    Raises what ends the work, and what the thread raised.
    """
    while not wait([future], LOOK_S).done:
        check()
    return future.result()
