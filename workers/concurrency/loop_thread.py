"""One event loop in a thread of its own, as long as the process: the coroutines of all steps run on it.

A loop a step would leak the sockets of clients that outlive it. The thread of a step stays free to be interrupted: by a
time limit's signal, by a lease that was lost, or because what runs beside it broke.
"""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self, TypeVar

from dissolution.checking import check

T = TypeVar("T")

BEAT_S = 0.1
"""Pause between two of its own looks at how late the loop is (s)."""

BEATS = 8

END_GRACE_S = 5.0
"""How long a coroutine that was cancelled may take to clean up before its step goes on without it (s)."""


@dataclass
class _Waiting:
    """What a thread waits for, and why that was ended, if it was."""

    future: Future[Any]
    reason: BaseException | None = None


class LoopThread:
    """Runs coroutines to their end from the threads that call it. Use it in a `with` block, after any fork."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="loop", daemon=True)
        self._lock = threading.Lock()
        self._waiting: dict[int, _Waiting] = {}  # by the thread that waits

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                self._loop.run_forever()
            except (KeyboardInterrupt, SystemExit):  # raised by one coroutine: who waits for it gets it, others go on
                continue

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self._closing.set()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        with asyncio.Runner(loop_factory=lambda: self._loop) as rest:  # which ends and closes what is left of a loop
            rest.get_loop()

    def __call__(self, main: Coroutine[Any, Any, T], /) -> T:
        """The coroutine's result.

        Whatever interrupts the waiting thread cancels the coroutine first and is raised again when that has cleaned
        up; so is the error given to `abandon`, and what `dissolution.checking.check` raises.
        """
        over, thread = threading.Event(), threading.get_ident()
        waiting: _Waiting | None = None

        async def watched() -> T:
            try:
                return await main
            finally:
                over.set()

        started = watched()
        try:  # an interruption may come at any moment, as soon as the coroutine is handed over
            with self._lock:
                future = asyncio.run_coroutine_threadsafe(started, self._loop)
                waiting = self._waiting[thread] = _Waiting(future)
            check()  # who ended the step a moment ago found nothing here to cancel
            return future.result()
        except CancelledError:
            over.wait(END_GRACE_S)
            if waiting is None or waiting.reason is None:
                raise
            raise waiting.reason from None
        except BaseException:
            self._loop.call_soon_threadsafe(self._stop, started, main, over)
            over.wait(END_GRACE_S)
            raise
        finally:
            with self._lock:
                self._waiting.pop(thread, None)

    def _stop(self, started: Coroutine[Any, Any, Any], main: Coroutine[Any, Any, Any], over: threading.Event) -> None:
        """On the loop: cancel what runs of a coroutine, or see that it never starts; then set `over`."""

        def ended(_task: asyncio.Task[Any]) -> None:
            main.close()  # nothing where it has run
            over.set()

        for task in asyncio.all_tasks(self._loop):
            if task.get_coro() is started:
                task.cancel()
                task.add_done_callback(ended)
                return
        started.close()
        main.close()
        over.set()

    def abandon(self, error: BaseException, thread: int | None = None) -> None:
        """Cancel what a thread waits for, by its number; it gets `error`. Nothing where nothing is waited for.

        All threads that wait when `thread` is None.
        """
        with self._lock:
            for number, waiting in self._waiting.items():
                if thread in {None, number}:
                    waiting.reason = error
                    waiting.future.cancel()

    def listen(self) -> Callable[[], float]:
        """Have the loop say every BEAT_S how late it is; what gives its delay of late (s), without waiting for it.

        That is the mean of about the last BEATS looks, or what the next one is late by now, whichever is longer.
        """
        due, late = self._loop.time() + BEAT_S, 0.0

        def beat() -> None:
            nonlocal due, late
            now = self._loop.time()
            late += (max(now - due, 0.0) - late) / BEATS
            due = now + BEAT_S
            self._loop.call_at(due, beat)

        self._loop.call_soon_threadsafe(lambda: self._loop.call_at(due, beat))
        return lambda: max(late, self._loop.time() - due)

    def tell(self, alive: threading.Event) -> None:
        """Have the loop set an event: one that somebody's call blocks does not."""
        self._loop.call_soon_threadsafe(alive.set)
