"""The server: the application on an address, with what runs beside it in the process."""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from fastapi import FastAPI

from api.app import ROUTERS, make_app
from api.guard import MOST_HEADER_BYTES
from api.routes import health
from api.security import is_loopback
from dissolution.clock import SystemClock
from dissolution.errors import InvalidSettings
from dissolution.ports.models import JobQueue
from dissolution.settings import Settings, load_settings
from stability.driving import advance_run
from workers.bootstrap import open_services
from workers.redis.server import refuse_taken_port
from workers.runtime.embedded import EmbeddedBell, EmbeddedRunner
from workers.runtime.embedded_triggers import EmbeddedTriggers
from workers.services import Services
from workers.telemetry.logs import set_up_logs
from workers.telemetry.tracing import TracedBell, Tracing, open_tracing
from workers.tenants.webhooks import WebhookSender

if TYPE_CHECKING:
    import uvicorn

MOST_AT_ONCE = 500
"""Connections; for those beyond, idle ones are closed, and where none is idle they are told 503 at once."""

IDLE_S = 10
"""How long an idle connection is kept (s)."""

GRACE_S = 5
"""How long requests may run on when the service is told to stop (s); streams are cut and resume elsewhere."""


def serve(settings: Settings | None = None, *, mcp_only: bool = False) -> int:
    """Serve until told to stop; 0 when that went well.

    Args:
        settings: Where everything is; those of the machine if None.
        mcp_only: Serve the tools for agents and `/health` alone, on their own port.

    Raises:
        InvalidSettings, StoreError, and InputError for a port that is taken.
    """
    import uvicorn

    settings = settings or load_settings()
    refuse_open(settings)
    port = settings.mcp_port if mcp_only else settings.api_port
    refuse_taken_port(port, f"--port (DISSOLVE_{'MCP' if mcp_only else 'API'}_PORT)", settings.api_address)
    set_up_logs(settings)
    with traced(settings) as tracing, serving(settings, tracing) as services:
        app = make_app(services, (health,) if mcp_only else ROUTERS, tracing=tracing)
        server = uvicorn.Server(config_of(app, settings, port))
        server.run()
    return 0 if server.started else 1


def config_of(app: FastAPI, settings: Settings, port: int, most: int = MOST_AT_ONCE) -> "uvicorn.Config":
    """How the application is served: on a port (0: any), with at most so many connections."""
    import uvicorn

    from api.connections import Places, protocol_of

    places = Places(
        most=most,
        most_of_one=settings.api_connections_per_address,
        headers_s=settings.api_headers_s,
        stalled_s=settings.api_body_s,
    )
    return uvicorn.Config(
        app,
        host=settings.api_address,
        port=port,
        http=protocol_of(places),
        ws="none",
        lifespan="on",
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=IDLE_S,
        timeout_graceful_shutdown=GRACE_S,
        h11_max_incomplete_event_size=MOST_HEADER_BYTES,
    )


def refuse_open(settings: Settings) -> None:
    """Raise InvalidSettings for embedded mode on an address that others can reach: it would be open to them."""
    if settings.api_mode == "embedded" and not is_loopback(settings.api_address):
        raise InvalidSettings(
            f"setting 'api_address', value {settings.api_address!r}",
            'embedded mode asks no key of this machine and serves it alone; set api_mode = "service" (docs/api.md)',
        )


@contextmanager
def traced(settings: Settings) -> Generator[Tracing | None]:
    """Traces of what this process takes, where they are wanted; what is left of them is sent at the end."""
    tracing = open_tracing(settings, None)
    try:
        yield tracing
    finally:
        if tracing is not None:
            tracing.close()


@contextmanager
def serving(settings: Settings, tracing: Tracing | None) -> Generator[Services]:
    """Services with what runs beside them: in embedded mode the jobs, the triggers and the webhooks, else nothing.

    Args:
        settings: Where everything is.
        tracing: Tells of messages to workers; None where nothing is traced.
    """
    if settings.api_mode == "service":
        bell = _bell(settings) if tracing is None else TracedBell(_bell(settings), tracing)
        with open_services(settings, bell=bell) as services:
            yield services
        return
    bell, stop = EmbeddedBell(), threading.Event()
    with open_services(settings, bell=bell) as services:
        runner = EmbeddedRunner(settings, bell, advance_run)
        triggers = EmbeddedTriggers(services)
        sender = WebhookSender(settings, unit_of_work=services.unit_of_work, clock=SystemClock())
        threads = [
            threading.Thread(target=runner.run, args=(stop,), name="jobs", daemon=True),
            threading.Thread(target=triggers.run, args=(stop,), name="triggers", daemon=True),
            threading.Thread(target=sender.run, args=(stop,), name="webhooks", daemon=True),
        ]
        for thread in threads:
            thread.start()
        try:
            yield services
        finally:
            stop.set()
            for thread in threads:
                thread.join(GRACE_S)


def _bell(settings: Settings) -> JobQueue:
    """The doorbell of workers."""
    from workers.celery.app import make_app as make_celery
    from workers.celery.queue import CeleryQueue

    return CeleryQueue(make_celery(settings))
