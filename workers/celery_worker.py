"""A worker of one class: Celery's worker with our services in each of its processes."""

import logging
import os
import socket
from collections.abc import Callable
from typing import Any, Protocol, cast

from dissolution.errors import DissolutionError
from dissolution.job import Lane
from dissolution.settings import Settings
from workers.bootstrap import load_gateway
from workers.celery_app import App, make_app
from workers.celery_process import Advance, WorkerProcess
from workers.celery_queue import CeleryQueue
from workers.pipeline import QueueClass, queue_name, queues_of

log = logging.getLogger(__name__)


class Signal(Protocol):
    """One of Celery's signals."""

    def connect(self, receiver: Callable[..., None], *, weak: bool) -> object:
        """Call `receiver` when it is sent."""
        ...


def worker_app(settings: Settings, queue: QueueClass, advance: Advance | None = None) -> App:
    """The application of a worker: its processes build their services when they start and close them when they end.

    Raises InvalidSettings.
    """
    from celery import signals

    app = make_app(settings)  # for sending; its connections are made anew in every process
    process = WorkerProcess(settings, CeleryQueue(app), queue, advance)
    running = make_app(settings, process.run)

    def start(**_: Any) -> None:  # noqa: ANN401 - Celery's signals pass what they like
        try:
            process.start()
        except DissolutionError as error:
            log.warning("%s; the first step tries again", error)

    def stop(**_: Any) -> None:  # noqa: ANN401 - as above
        process.stop()

    cast("Signal", signals.worker_process_init).connect(start, weak=False)
    cast("Signal", signals.worker_process_shutdown).connect(stop, weak=False)
    return running


def processes_of(settings: Settings, queue: QueueClass) -> int:
    """How many processes a worker of this class has, when nobody says otherwise."""
    by_class = {
        QueueClass.IO: settings.io_processes,
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
) -> int:
    """Work until told to stop: SIGTERM and SIGINT let running steps end within the grace. Returns an exit code.

    Args:
        settings: Where everything is.
        queue: Which class of steps.
        processes: How many at a time; the settings' number if None.
        lane: Serve one lane only; all, the most urgent first, if None.
        name: Tells workers of one machine apart.
        advance: Goes on with a stability run; without it this worker leaves runs to others.

    Raises:
        InvalidSettings: the URL names no broker that can be used.
    """
    os.environ["REMAP_SIGTERM"] = "SIGQUIT"  # SIGTERM stops softly; read when Celery's worker is imported
    queues = queues_of(queue) if lane is None else (queue_name(queue, lane),)
    app = worker_app(settings, queue, advance)
    if queue is QueueClass.IO:
        load_gateway()
    worker = app.Worker(
        hostname=f"{name or queue.value}-{os.getpid()}@{socket.gethostname()}",
        queues=list(queues),
        concurrency=processes or processes_of(settings, queue),
        pool="prefork",
        optimization="fair",
        loglevel="INFO",
        without_gossip=True,  # workers need not know each other: SQL says who holds what
        without_mingle=True,
        quiet=True,
    )
    worker.start()
    return worker.exitcode or 0
