"""`dissolve up`: Redis, database, workers and relay on one machine, as one program."""

import os
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from cli.service.care import PASSWORD_FILE, the_password
from cli.shared.exits import Exit
from cli.shared.output import hint, say, shown_db
from cli.shared.stopping import told_to_stop
from dissolution.errors import InputError, StoreError
from dissolution.file_lock import lock_at_once
from dissolution.job import JobStatus
from dissolution.ports.store import UnitOfWorkFactory
from dissolution.settings import ENVIRONMENT_PREFIX, Settings, home, load_settings
from dissolution_fleet.start import command
from workers.bootstrap import open_store
from workers.concurrency.forking import refuse_without_fork
from workers.concurrency.supervisor import Program, Supervisor
from workers.redis.server import RedisServer, find_redis_server, refuse_taken_port, unwritable
from workers.runtime.up_state import announced, state_of

DISSOLVE = "cli.main"
"""The module of the command line, which each of the programs is."""

NEWS_S = 5.0
"""Pause between two looks at how the jobs stand (s)."""

END_MARGIN_S = 15.0
"""What programs may take to end beyond the grace that workers give their steps (s)."""


@dataclass(frozen=True, kw_only=True)
class UpOptions:
    """What was given on the command line of `dissolve up`."""

    folder: Path | None
    port: int | None
    io: int | None
    cpu: int | None
    db: str | None
    flower: bool
    flower_port: int | None
    api: bool = True
    api_port: int | None = None
    metrics: bool = True
    metrics_port: int | None = None


def run_up(options: UpOptions) -> Exit:
    """Run until Ctrl-C or SIGTERM. Raises InputError for a taken port or a second `up`, ProgramFailed."""
    refuse_without_fork("dissolve up")
    settings = load_settings(
        db=options.db,
        up_port=options.port,
        io_processes=options.io,
        cpu_processes=options.cpu,
        flower_port=options.flower_port,
        api_port=options.api_port,
        metrics_port=options.metrics_port,
    )
    folder = (options.folder or home() / "up").expanduser().resolve()
    with alone(folder):
        refuse_taken_ports(settings, options)
        store = open_store(settings)
        redis = RedisServer(folder, settings.up_port)
        supervisor = Supervisor(
            [
                *programs(settings, folder),
                *([flower(folder)] if options.flower else []),
                *([http_api(folder)] if options.api else []),
                *([metrics(folder)] if options.metrics else []),
            ],
            environment=environment(settings, redis),
            grace_s=settings.stop_grace_s + END_MARGIN_S,
            say=say,
        )
        state = state_of(settings, folder, flower=options.flower, api=options.api, metrics=options.metrics)
        with told_to_stop(again=supervisor.hurry) as stop, redis, announced(state):
            say(f"Redis on port {settings.up_port} ({find_redis_server()}), database {shown_db(settings.db)}")
            tell_addresses(settings, options, folder)
            say(f"up; {hint('enqueue', 'FILE', db=options.db)} gives it work, Ctrl-C stops it")
            supervisor.run(stop, News(store))
    return stop.ended()


def tell_addresses(settings: Settings, options: UpOptions, folder: Path) -> None:
    """Say where a browser, a client and Prometheus look; makes the password of Flower if need be."""
    if options.flower:
        say(f"Flower on http://{settings.flower_address}:{settings.flower_port}")
        the_password(settings, folder / PASSWORD_FILE)  # made and said here, and read by Flower
    if options.api:
        say(f"API on http://{settings.api_address}:{settings.api_port}; `dissolve keys create NAME` makes a key")
    if options.metrics:
        say(f"metrics on http://{settings.metrics_address}:{settings.metrics_port}/metrics")


def refuse_taken_ports(settings: Settings, options: UpOptions) -> None:
    """Raise InputError for a port that somebody listens on, before anything is started."""
    refuse_taken_port(settings.up_port)
    if options.flower:
        refuse_taken_port(settings.flower_port, "--flower-port (DISSOLVE_FLOWER_PORT), or do without: --no-flower")
    if options.api:
        refuse_taken_port(settings.api_port, "--api-port (DISSOLVE_API_PORT), or do without: --no-api")
    if options.metrics:
        remedy = "--metrics-port (DISSOLVE_METRICS_PORT), or do without: --no-metrics"
        refuse_taken_port(settings.metrics_port, remedy)


@contextmanager
def alone(folder: Path) -> Generator[None]:
    """Hold the folder's lock, which is let go of with its process; the folder is made if need be.

    Raises InputError when another `up` holds it, or when the folder cannot be written.
    """
    file = folder / "up.lock"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        opened = file.open("a+", encoding="utf-8")
    except OSError as error:
        raise unwritable(folder, error) from error
    with opened as lock:
        try:
            lock_at_once(lock)
        except OSError as error:
            lock.seek(0)
            holder = lock.read().strip() or "unknown"
            raise InputError(
                f"another `dissolve up` (process {holder}) runs in {str(folder)!r}",
                "stop it, or give this one a folder and a port of its own with --dir and --port",
            ) from error
        try:
            lock.truncate(0)
            os.write(lock.fileno(), f"{os.getpid()}\n".encode())  # past the buffer, which a full disk would leave full
        except OSError as error:
            raise unwritable(folder, error) from error
        yield


def programs(settings: Settings, folder: Path) -> list[Program]:
    """The workers and the relay; they read their settings from the environment."""

    def program(name: str, *words: str) -> Program:
        return Program(name=name, command=command(DISSOLVE, *words), log=folder / f"{name}.log")

    return [
        program("relay", "relay"),
        *(program(name, "worker", "--queue", "io") for name in io_workers(settings)),
        program("worker-cpu", "worker", "--queue", "cpu", "--processes", str(settings.cpu_processes)),
        program("worker-giant", "worker", "--queue", "giant", "--processes", str(settings.giant_processes)),
    ]


def io_workers(settings: Settings) -> tuple[str, ...]:
    """The names of the `io` workers, each one process."""
    further = range(2, settings.io_processes + 1)
    return ("worker-io", *(f"worker-io-{number}" for number in further))


def flower(folder: Path) -> Program:
    """The web page on what workers do."""
    words = ["flower", "--password-file", str(folder / PASSWORD_FILE)]
    return Program(name="flower", command=command(DISSOLVE, *words), log=folder / "flower.log")


def http_api(folder: Path) -> Program:
    """The HTTP service; the workers run its jobs."""
    words = ["api", "--mode", "service"]
    return Program(name="api", command=command(DISSOLVE, *words), log=folder / "api.log")


def metrics(folder: Path) -> Program:
    """The metrics of the fleet, for Prometheus."""
    return Program(name="metrics", command=command(DISSOLVE, "metrics"), log=folder / "metrics.log")


def environment(settings: Settings, redis: RedisServer) -> dict[str, str]:
    """The environment of the programs: this one's, with the place of the database and of Redis. Nowhere stored."""
    return {
        **os.environ,
        f"{ENVIRONMENT_PREFIX}DB": settings.db,
        f"{ENVIRONMENT_PREFIX}REDIS_URL": redis.url.get_secret_value(),
        f"{ENVIRONMENT_PREFIX}FLOWER_PORT": str(settings.flower_port),
        f"{ENVIRONMENT_PREFIX}API_PORT": str(settings.api_port),
        f"{ENVIRONMENT_PREFIX}METRICS_PORT": str(settings.metrics_port),
        "PYTHONUNBUFFERED": "1",
    }


class News:
    """Says how the jobs stand whenever that has changed."""

    def __init__(self, store: UnitOfWorkFactory) -> None:
        self._store = store
        self._last = ""
        self._next = time.monotonic() + NEWS_S

    def __call__(self) -> None:
        """Look, if it is time to."""
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + NEWS_S
        try:
            with self._store() as work:
                counts = work.outbox.job_counts()
        except StoreError as error:
            now = str(error)
        else:
            now = "jobs: " + (", ".join(f"{counts[one]} {one.value}" for one in JobStatus if one in counts) or "none")
        if now != self._last:
            self._last = now
            say(now)
