"""A worker of one class: Celery's worker with our services in each of its processes."""

import gc
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, cast

from dissolution.errors import DissolutionError
from dissolution.job import Lane
from dissolution.settings import Settings
from dissolution.values import build_types
from workers.bootstrap import load_gateway
from workers.celery.app import App, Worker, make_app
from workers.celery.process import Advance, WorkerProcess
from workers.celery.queue import CeleryQueue
from workers.pipeline import QueueClass, queue_name, queues_of
from workers.stage_functions import load_stages

if TYPE_CHECKING:
    from workers.celery.step_threads import StepThreads

log = logging.getLogger(__name__)

THREADS = "workers.celery.step_threads:StepThreads"
"""The pool of an `io` worker, as Celery wants it named."""

SWITCH_S = 0.001
"""How long one thread of an `io` worker computes while others wait for the interpreter (s), a fifth of Python's own:
the event loop is one of those that wait, with a question to send or an answer to store."""

DRAIN_S = 120.0
"""How long the other steps of an `io` worker that has to be replaced may go on (s); then they are given back."""


class CelerySignal(Protocol):
    """One of Celery's signals."""

    def connect(self, receiver: Callable[..., None], *, weak: bool) -> object:
        """Call `receiver` when it is sent."""
        ...


def worker_app(settings: Settings, queue: QueueClass, process: WorkerProcess | None = None) -> App:
    """The application of a worker: its processes build their services when they start and close them when they end.

    Raises InvalidSettings.
    """
    from celery import signals

    process = process or WorkerProcess(settings, CeleryQueue(make_app(settings)), queue)
    running = make_app(settings, process.run)

    def start(**_: Any) -> None:  # noqa: ANN401 - Celery's signals pass what they like
        try:
            process.start()
        except DissolutionError as error:
            log.warning("%s; the first step tries again", error)

    def stop(**_: Any) -> None:  # noqa: ANN401 - as above
        process.stop()

    cast("CelerySignal", signals.worker_process_init).connect(start, weak=False)
    cast("CelerySignal", signals.worker_process_shutdown).connect(stop, weak=False)
    return running


def steps_of(settings: Settings, queue: QueueClass) -> int:
    """How many steps a worker of this class has at a time, when nobody says otherwise.

    Each in a process of its own, of an `io` worker all in one.
    """
    by_class = {
        QueueClass.IO: settings.io_steps,
        QueueClass.CPU: settings.cpu_processes,
        QueueClass.GIANT: settings.giant_processes,
    }
    return by_class[queue]


def run_worker(
    settings: Settings,
    queue: QueueClass,
    *,
    processes: int | None = None,
    lane: Lane | None = None,
    name: str = "",
    advance: Advance | None = None,
    told: Callable[[int], None] = lambda _number: None,
) -> int:
    """Work until told to stop: SIGTERM and SIGINT let running steps end within the grace. Returns an exit code.

    Args:
        settings: Where everything is.
        queue: Which class of steps.
        processes: How many steps at a time; the settings' number if None.
        lane: Serve one lane only; all, the most urgent first, if None.
        name: Tells workers of one machine apart.
        advance: Goes on with a stability run; without it this worker leaves runs to others.
        told: Called with the number of the signal that tells it to stop.

    Raises:
        InvalidSettings: the URL names no broker that can be used.
    """
    os.environ["REMAP_SIGTERM"] = "SIGQUIT"  # SIGTERM stops softly; read when Celery's worker is imported
    from celery import signals

    queues = queues_of(queue) if lane is None else (queue_name(queue, lane),)
    # The application that sends makes its connections anew in every process.
    process = WorkerProcess(settings, CeleryQueue(make_app(settings)), queue, advance)
    app = worker_app(settings, queue, process)
    load_stages()
    build_types()
    if queue is QueueClass.IO:
        load_gateway()
    worker = app.Worker(
        hostname=f"{name or queue.value}-{os.getpid()}@{socket.gethostname()}",
        queues=list(queues),
        concurrency=processes or steps_of(settings, queue),
        pool=THREADS if queue is QueueClass.IO else "prefork",
        optimization="fair",
        loglevel="INFO",
        without_gossip=True,  # workers need not know each other: SQL says who holds what
        without_mingle=True,
        quiet=True,
    )

    def stopping(sig: str = "", **_: Any) -> None:  # noqa: ANN401 - as above
        told(signal.Signals[sig])

    cast("CelerySignal", signals.worker_shutting_down).connect(stopping, weak=False)
    if queue is QueueClass.IO:
        return in_threads(worker, process, settings)
    worker.start()
    return worker.exitcode or 0


def in_threads(worker: Worker, process: WorkerProcess, settings: Settings) -> int:
    """Work as one process with a thread a step; the exit code.

    The process that has to be replaced takes no more, lets its steps go on for DRAIN_S at most, and ends: whoever
    started it starts it again.
    """
    from celery.worker import state

    pool = cast("StepThreads", worker.pool)
    retired: list[str] = []

    def retire(why: str) -> None:
        if not retired:
            retired.append(why)
            log.error("this worker takes no more steps and ends within %g s, to be replaced: %s", DRAIN_S, why)
            pool.grace_s = DRAIN_S
            cast("Any", state).should_stop = 0

    def stops() -> bool:
        return bool(retired) or pool.is_stopping

    process.in_threads(retire=retire, lose=pool.lose, stops=stops, threads=pool.most)
    pool.end_all, pool.grace_s = process.end_all, settings.stop_grace_s
    try:
        process.start()
    except DissolutionError as error:
        log.warning("%s; the first step tries again", error)
    sys.setswitchinterval(SWITCH_S)
    gc.collect()
    gc.freeze()  # the libraries stay as long as the process, and nobody need look through them again and again
    worker.start()
    code = worker.exitcode or 0
    if pool.has_lost or retired:
        logging.shutdown()
        os._exit(code)  # a thread that never returns, or a loop that is blocked, would be waited for
    process.stop()
    return code
