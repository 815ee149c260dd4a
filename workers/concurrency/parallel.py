"""Steps of one process side by side, each in a thread of its own: one that waits for a model holds up no other.

What they wait for runs on the process's one event loop (`workers.concurrency.loop_thread`); each has
transactions of its own.
"""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextvars import copy_context
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Generic, NamedTuple, Self, TypeVar, cast

from dissolution.checking import check, checked_by
from workers.concurrency.idle_wait import resting

K = TypeVar("K")
T = TypeVar("T")
U = TypeVar("U")


class Interrupted(BaseException):
    """Ends a step that runs beside others: somebody asked to stop, or one of the others broke.

    No Exception: a step that is ended so has not failed, and no attempt is counted.
    """


class _Piece(NamedTuple):
    thread: threading.Thread
    came: Future[object]


class SideBySide(Generic[K]):
    """Pieces of work by name, all at once. Use it in a `with` block: none of them outlives it.

    Leaving the block early, by whatever exception, ends what still runs: what a piece waits for at once, what it
    computes at its next `check`.

    Args:
        abandon: Ends what a thread waits for, by its number; see `Services`.
    """

    def __init__(self, abandon: Callable[[BaseException, int], None]) -> None:
        self._abandon = abandon
        self._running: dict[K, _Piece] = {}
        self._ended: SimpleQueue[K] = SimpleQueue()
        self._stopped = threading.Event()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self.stop()
        for piece in tuple(self._running.values()):
            if piece.thread.ident is not None:  # None: an interruption came before it was started
                piece.thread.join()

    @property
    def running(self) -> frozenset[K]:
        """The names of what was begun and is not known to have ended."""
        return frozenset(self._running)

    def begin(self, name: K, work: Callable[[], object]) -> None:
        """Run a piece of work beside the others; nothing of this name may be running.

        It sees the context of the caller, and is ended with the block. Its thread is no reason for the process to
        stay: who asks a second time to stop is not kept waiting, and the step's lease ends with the process.
        """
        came: Future[object] = Future()

        def run() -> None:
            try:
                with checked_by(self._ask):
                    came.set_result(work())
            except BaseException as error:  # noqa: BLE001 - raised again by whoever looks what came of it
                came.set_exception(error)
            finally:
                self._ended.put(name)

        thread = threading.Thread(target=copy_context().run, args=(run,), name=str(name), daemon=True)
        self._running[name] = _Piece(thread, came)
        thread.start()

    def next(self, timeout_s: float) -> tuple[K, Future[object]] | None:
        """The next piece that has ended, with what came of it; None when none ends for so long (s)."""
        try:
            name = self._ended.get(timeout=timeout_s) if timeout_s > 0 else self._ended.get_nowait()
        except Empty:
            return None
        piece = self._running.pop(name)
        piece.thread.join()
        return name, piece.came

    def stop(self) -> None:
        """End what runs, as if it was interrupted."""
        self._stopped.set()
        for piece in tuple(self._running.values()):
            if piece.thread.ident is not None:
                self._abandon(Interrupted(), piece.thread.ident)

    def _ask(self) -> None:
        if self._stopped.is_set():
            raise Interrupted


LOOK_S = 0.1
"""Pause between two looks whether the step that waits is still wanted (s)."""


def at_once(abandon: Callable[[BaseException, int], None], works: Sequence[Callable[[], T]]) -> list[T]:
    """What pieces of work come to, in their order, all of them at the same time: calls that need nothing of each other.

    Raises what the first of them to break raises, and what ends the step; the others are ended then.
    """
    if len(works) < 2:  # noqa: PLR2004 - nothing to run beside
        return [work() for work in works]
    came: dict[int, T] = {}
    with SideBySide[int](abandon) as pieces:
        for place, work in enumerate(works):
            pieces.begin(place, work)
        with resting():
            while len(came) < len(works):
                check()
                if (ended := pieces.next(LOOK_S)) is not None:
                    came[ended[0]] = cast("T", ended[1].result())
    return [came[place] for place in range(len(works))]


def both(abandon: Callable[[BaseException, int], None], one: Callable[[], T], other: Callable[[], U]) -> tuple[T, U]:
    """As `at_once`, for two of different kinds."""
    works: list[Callable[[], object]] = [one, other]
    first, second = at_once(abandon, works)
    return cast("T", first), cast("U", second)
