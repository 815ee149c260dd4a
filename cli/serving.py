"""`dissolve worker` and `dissolve relay`: programs that run until they are told to stop."""

import logging
import signal
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType

from cli.exits import Exit
from dissolution.clock import SystemClock
from dissolution.job import Lane
from dissolution.settings import Settings, load_settings
from workers.bootstrap import open_store, prepare_store
from workers.celery_app import make_app
from workers.celery_queue import CeleryQueue
from workers.celery_worker import run_worker
from workers.doorbell import RedisDoorbell
from workers.health import BeatingDoorbell
from workers.pipeline import QueueClass
from workers.relay import Relay
from workers.webhooks import WebhookSender

LOG_FORMAT = "%(asctime)s %(processName)s %(levelname)s %(name)s: %(message)s"


def log_to_stderr() -> None:
    """One line a fact; what every message's coming and going adds of Celery's own is left out."""
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format=LOG_FORMAT)
    for noisy in ("celery.worker.strategy", "celery.app.trace", "alembic", "LiteLLM", "httpx"):
        logging.getLogger(noisy).setLevel(logging.WARNING)


@contextmanager
def told_to_stop(again: Callable[[], None] = lambda: None) -> Generator[threading.Event]:
    """An event that SIGTERM and SIGINT set within the block; `again` is called when they come once more."""
    stop = threading.Event()

    def tell(_number: int, _frame: FrameType | None) -> None:
        if stop.is_set():
            again()
        stop.set()

    before = {number: signal.signal(number, tell) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def serve_queue(queue: str, *, processes: int | None, lane: str | None, db: str | None) -> Exit:
    """Run a worker until it is told to stop."""
    settings = load_settings(db=db)
    make_ready(settings)
    log_to_stderr()
    code = run_worker(settings, QueueClass(queue), processes=processes, lane=None if lane is None else Lane(lane))
    return Exit.OK if code == 0 else Exit.FAULT


def serve_relay(*, db: str | None) -> Exit:
    """Run a relay until it is told to stop."""
    settings = load_settings(db=db)
    log_to_stderr()
    doorbell = BeatingDoorbell(settings)
    doorbell.refuse_cluster()
    queue = CeleryQueue(make_app(settings))
    relay = Relay(
        settings,
        unit_of_work=open_store(settings),
        clock=SystemClock(),
        doorbell=doorbell,
        sender=queue,
        evaluator=queue.evaluation_sent,
    )
    webhooks = WebhookSender(settings, unit_of_work=open_store(settings), clock=SystemClock())
    with told_to_stop() as stop:
        sender = threading.Thread(target=webhooks.run, args=(stop,), name="webhooks", daemon=True)
        sender.start()
        relay.run(stop)
    doorbell.close()
    return Exit.OK


def make_ready(settings: Settings) -> None:
    """Migrate the database before processes share it, and refuse a Redis that cannot carry messages.

    Raises StoreError, InvalidSettings.
    """
    prepare_store(settings)
    doorbell = RedisDoorbell(settings)
    doorbell.refuse_cluster()
    doorbell.close()
