"""`dissolve worker` and `dissolve relay`: programs that run until they are told to stop."""

import os
import threading
from typing import NoReturn

from cli.shared.beside_up import settings_beside
from cli.shared.exits import Exit
from cli.shared.redis_needed import without_redis
from cli.shared.stopping import Stop, told_to_stop
from dissolution.clock import SystemClock
from dissolution.job import Lane
from dissolution.settings import ENVIRONMENT_PREFIX, Settings, load_settings
from dissolution.unknown_settings import TOLD
from dissolution_fleet.start import become
from stability.driving import advance_run
from workers.bootstrap import open_store, prepare_store
from workers.celery.app import make_app
from workers.celery.queue import CeleryQueue
from workers.celery.relay import Relay
from workers.celery.worker import run_worker
from workers.checks.health import BeatingDoorbell
from workers.concurrency.forking import refuse_without_fork
from workers.pipeline import QueueClass
from workers.redis.queue_state import RedisDoorbell
from workers.telemetry.logs import set_up_logs
from workers.telemetry.tracing import TracedSender, open_tracing
from workers.tenants.webhooks import WebhookSender


def serve_queue(queue: str, *, processes: int | None, lane: str | None, db: str | None) -> Exit:
    """Run a worker until it is told to stop. Raises StoreError, and InvalidSettings and InputError where it cannot."""
    refuse_without_fork("dissolve worker")
    settings, _ = settings_beside(db=db)
    if (trouble := without_redis(settings)) is not None:
        return trouble
    make_ready(settings)
    set_up_logs(settings)
    stop = Stop()
    code = run_worker(
        settings,
        QueueClass(queue),
        processes=processes,
        lane=None if lane is None else Lane(lane),
        advance=advance_run,
        told=lambda number: setattr(stop, "by", number),
    )
    if stop.by is not None:
        return stop.ended()
    return Exit.OK if code == 0 else Exit.FAULT


def serve_relay(*, db: str | None) -> Exit:
    """Run a relay until it is told to stop. Raises StoreError, InvalidSettings."""
    settings, _ = settings_beside(db=db)
    if (trouble := without_redis(settings)) is not None:
        return trouble
    set_up_logs(settings)
    doorbell = BeatingDoorbell(settings)
    doorbell.refuse_cluster()
    sender, tracing = CeleryQueue(make_app(settings)), open_tracing(settings, None)
    relay = Relay(
        settings,
        unit_of_work=open_store(settings),
        clock=SystemClock(),
        doorbell=doorbell,
        sender=sender if tracing is None else TracedSender(sender, tracing),
        evaluator=sender.evaluation_sent,
        advancer=sender.advance_sent,
    )
    webhooks = WebhookSender(settings, unit_of_work=open_store(settings), clock=SystemClock())
    with told_to_stop() as stop:
        caller = threading.Thread(target=webhooks.run, args=(stop,), name="webhooks", daemon=True)
        caller.start()
        relay.run(stop)
    doorbell.close()
    if tracing is not None:
        tracing.close()
    return stop.ended()


def become_api(*, port: int | None, address: str | None, mode: str | None, db: str | None) -> NoReturn:
    """Become the HTTP service: the room `api` is this one's neighbour, so it is started as a program of its own."""
    load_settings(db=db, api_port=port, api_address=address, api_mode=mode)  # refused here, with this program's words
    given = {"DB": db, "API_PORT": port, "API_ADDRESS": address, "API_MODE": mode}
    for name, value in given.items():
        if value is not None:
            os.environ[f"{ENVIRONMENT_PREFIX}{name}"] = str(value)
    os.environ[TOLD] = "yes"
    become("api")


def make_ready(settings: Settings) -> None:
    """Migrate the database before processes share it, and refuse a Redis that cannot carry messages.

    Raises StoreError, InvalidSettings.
    """
    prepare_store(settings)
    doorbell = RedisDoorbell(settings)
    doorbell.refuse_cluster()
    doorbell.close()
