"""Celery's pool of an `io` worker: threads of its own process, each with one step, which mostly wait for models.

Celery's own pool of threads has no time limits, cannot be told to end what runs, and keeps its process alive for a
thread that never returns. Here limits are `workers.execution.lease_keeper`'s, an end is bounded, and no thread is
waited for longer.
"""

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, cast

from celery.concurrency import base

log = logging.getLogger(__name__)

apply_target = cast("Callable[..., None]", cast("Any", base).apply_target)  # Celery ships no types

LOOK_S = 0.05
"""Pause between two looks at how many threads are still at work (s)."""

END_S = 10.0
"""What steps may take to end once they are told to (s): as long as their calls may take to clean up, and a little."""

Job = Callable[[], None]


class Given:
    """What Celery keeps of a message that was given to the pool."""

    def __init__(self, pool: "StepThreads") -> None:
        self._pool = pool

    def terminate(self, _signal: int) -> None:
        """End it, and all others: Celery does so when the worker is to end."""
        self._pool.hurry()


class StepThreads(base.BasePool):
    """A pool of daemon threads, each started when it is first needed.

    `end_all` and `grace_s` are set by the worker before it starts: what tells all steps to end, and how long they may
    go on when the worker stops (s).
    """

    body_can_be_buffer = True
    signal_safe = False

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - what Celery passes to any pool
        cast("Any", super()).__init__(*args, **options)
        self._most = int(cast("Any", self).limit or 1)
        self.end_all: Callable[[], None] = lambda: None
        self.grace_s = 0.0
        self._queue: SimpleQueue[Job | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._lock = threading.RLock()  # a signal's handler stops the pool, whatever its thread does at that moment
        self._busy = 0
        self._lost: set[int] = set()
        self._hurried = False
        self._closed = False

    def on_apply(  # pyright: ignore[reportIncompatibleMethodOverride] - Celery's pools all return something
        self,
        target: Callable[..., Any],
        args: Sequence[Any] | None = None,
        kwargs: Mapping[str, Any] | None = None,
        callback: Callable[..., Any] | None = None,
        accept_callback: Callable[..., Any] | None = None,
        **_: Any,  # noqa: ANN401 - as above
    ) -> Given:
        """Run a message's task in a thread; nothing when the worker is about to end: the relay rings again."""

        def work() -> None:
            apply_target(target, args or (), kwargs, callback, accept_callback)

        with self._lock:
            if not self._closed:
                self._busy += 1
                self._queue.put(work)
                if self._busy > len(self._threads) and len(self._threads) - len(self._lost) < self._most:
                    self._start()
        return Given(self)

    def _start(self) -> None:
        name = f"step-{len(self._threads) + 1}"
        thread = threading.Thread(target=self._serve, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _serve(self) -> None:
        while (work := self._queue.get()) is not None:
            try:
                work()
            except Exception as error:  # noqa: BLE001 - one message's fault must not cost a thread
                log.error("a message's task: %s", type(error).__name__)  # noqa: TRY400 - a traceback may hold content
            finally:
                with self._lock:
                    self._busy -= 1
                    self._lost.discard(threading.get_ident())

    @property
    def most(self) -> int:
        """How many steps it runs at a time."""
        return self._most

    def lose(self, thread: int) -> None:
        """A thread may never return: it is not waited for, and another may take its place."""
        with self._lock:
            self._lost.add(thread)

    @property
    def is_stopping(self) -> bool:
        """Whether no more messages are taken."""
        return self._closed

    @property
    def has_lost(self) -> bool:
        """Whether there are threads that are not waited for."""
        return bool(self._lost)

    def hurry(self) -> None:
        """Wait for no step when the worker stops."""
        self._hurried = True

    def terminate_job(self, pid: int, signal: int | None = None) -> None:  # noqa: ARG002 - the pool's signature
        """End a message's task, and all others; see `Given.terminate`."""
        self.hurry()

    def on_stop(self) -> None:
        """Take no more, let steps go on for the grace, then end them; returns within `grace_s` and END_S."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            with suppress(Empty):
                while True:  # a thread may take what is waiting at this very moment
                    self._queue.get_nowait()
                    self._busy -= 1
        if not self._idle(0.0 if self._hurried else self.grace_s):
            self.end_all()
            if not self._idle(END_S, hurried=False):
                log.error("%d threads do not return; the process ends without them", self._busy)
                self._lost.update(thread.ident or 0 for thread in self._threads)
        for _ in self._threads:
            self._queue.put(None)

    def on_terminate(self) -> None:
        """As `on_stop`, at once."""
        self.hurry()
        self.on_stop()

    def _idle(self, within_s: float, *, hurried: bool = True) -> bool:
        """Whether no thread is at work any more, after at most so long."""
        until = time.monotonic() + within_s
        while self._busy > len(self._lost):
            if time.monotonic() >= until or (hurried and self._hurried):
                return False
            time.sleep(LOOK_S)
        return True

    def _get_info(self) -> dict[str, Any]:
        return {**super()._get_info(), "max-concurrency": self._most, "threads": len(self._threads), "busy": self._busy}
