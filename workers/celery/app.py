"""The Celery application: every setting in one place with its reason, and one task a stage.

A message is a doorbell: it carries a job's id and nothing else, and it may be lost or repeated at any time.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, cast

from dissolution.ids import JobId
from dissolution.job import Lane
from dissolution.settings import Settings
from workers.pipeline import STAGES, QueueClass, queues_of
from workers.redis.broker_url import CONNECT_TIMEOUT_S, broker_url

EVALUATE = "evaluate"
"""What a message asks for that carries a conversation's id: that its triggers read the turns they have not read."""

ADVANCE = "advance"
"""What a message asks for that carries a stability run's id: that what can be done in it now is done."""

HARD_LIMIT_AFTER_S = 60
"""How long a step may take to end after its soft limit, before its process is killed (s)."""

START_LIMIT_S = 120.0
"""How long a process may take to start: it loads the embedding model (s)."""

SOCKET_TIMEOUT_S = 30
"""After so long without a reply a connection counts as dead (s): far above the one second a consumer waits at once."""


class Conf(Protocol):
    """Celery's settings, as far as we use them."""

    def update(self, settings: Mapping[str, Any], /) -> None:
        """Set several."""
        ...


class Worker(Protocol):
    """Celery's worker, as far as we use it."""

    exitcode: int | None
    pool: object

    def start(self) -> None:
        """Work until told to stop."""
        ...


class App(Protocol):
    """A Celery application, as far as we use it; Celery itself ships no types."""

    conf: Conf

    def task(self, *, name: str, bind: bool) -> Callable[[Callable[[Any, str], None]], object]:
        """Register a task; a bound one is given itself first, with its message under `request`."""
        ...

    def send_task(self, name: str, *, args: Sequence[str], queue: str, retry: bool) -> object:
        """Send a message. Raises kombu's OperationalError when the broker is away."""
        ...

    def Worker(self, **options: object) -> Worker:  # noqa: N802 - Celery's name
        """A worker of this application."""
        ...


def task_name(stage: str) -> str:
    """The name under which a stage's message travels."""
    return f"dissolve.{stage}"


def visibility_timeout_s(settings: Settings) -> int:
    """How long a message may be unacknowledged (s): twice the longest a step can take, since nothing renews it."""
    return 2 * (int(settings.step_limit_s) + HARD_LIMIT_AFTER_S)


def celery_settings(settings: Settings) -> Mapping[str, Any]:
    """All of Celery's settings that differ from its defaults, or whose defaults matter."""
    return {**message_settings(), **process_settings(settings), **broker_settings(settings)}


def message_settings() -> Mapping[str, Any]:
    """What messages are, and when they are done with."""
    return {
        # Messages are ids as JSON. Pickle would run whatever somebody puts into Redis.
        "task_serializer": "json",
        "accept_content": ["json"],
        "event_serializer": "json",
        "result_accept_content": ["json"],
        # Results stand in SQL. A result backend would be a second truth, and chords over it fire early or never.
        "task_ignore_result": True,
        "task_store_errors_even_if_ignored": False,
        # A message is acknowledged when its step is over, so that a worker that dies leaves it in Redis.
        "task_acks_late": True,
        # But a message whose process died is not put back: a step that kills its process would do so for ever. The
        # relay rings again and the attempts are counted in SQL.
        "task_reject_on_worker_lost": False,
        "task_acks_on_failure_or_timeout": True,
    }


def process_settings(settings: Settings) -> Mapping[str, Any]:
    """How a worker's processes run steps, and how they end."""
    return {
        # One message a process, none in advance: one that waits in a busy worker's memory waits for nothing.
        "worker_prefetch_multiplier": 1,
        # Celery's time limits work with processes only, so that is the pool of what computes. An `io` worker, which
        # waits, has threads and limits of its own (`workers.celery.step_threads`, `workers.execution.lease_keeper`).
        "worker_pool": "prefork",
        "task_soft_time_limit": settings.step_limit_s,
        "task_time_limit": settings.step_limit_s + HARD_LIMIT_AFTER_S,
        "worker_max_memory_per_child": settings.max_memory_mb * 1_000_000 // 1024,  # KiB
        "worker_proc_alive_timeout": START_LIMIT_S,
        # Told to stop, a worker takes no more and waits for its steps; then they are given back.
        "worker_soft_shutdown_timeout": settings.stop_grace_s,
        # Each step's coming and going is told to whoever listens (Flower): ids and names, no content. Those who only
        # send tell nothing, or each of their processes would become a series of its own in the metrics.
        "worker_send_task_events": True,
        "worker_consumer": "workers.celery.gathered_events:Consumer",
        "task_send_sent_event": False,
        "worker_redirect_stdouts": False,
        "worker_hijack_root_logger": False,  # logging is set up by the command
    }


def broker_settings(settings: Settings) -> Mapping[str, Any]:
    """How Redis is used."""
    visibility_s = visibility_timeout_s(settings)
    return {
        # The broker may be away for as long as it likes, at the start too.
        "broker_connection_retry_on_startup": True,
        "broker_connection_max_retries": None,
        "broker_connection_timeout": CONNECT_TIMEOUT_S,
        "worker_cancel_long_running_tasks_on_connection_loss": False,  # the step goes on: SQL knows who holds it
        # Queues are made by their names alone; nothing about them is kept in Redis that a wipe could take away.
        "task_create_missing_queues": True,
        "task_default_queue": queues_of(QueueClass.IO)[list(Lane).index(Lane.BATCH)],
        "broker_transport_options": {
            "visibility_timeout": visibility_s,
            # Queues of one worker are served in the order of their names: the lanes, the most urgent first.
            "queue_order_strategy": "sorted",
            # Without a timeout a publish on a dead connection waits for ever.
            "socket_timeout": SOCKET_TIMEOUT_S,
            "socket_connect_timeout": CONNECT_TIMEOUT_S,
            "socket_keepalive": True,
            "health_check_interval": 10,
            # A message is tried once, also where it finds no connection: `retry=False` says nothing of that, and
            # whoever submits a job would wait for `broker_connection_timeout`. The relay sends what was not sent.
            "max_retries": 0,
        },
        # There is no result backend; set all the same, as the shortest of all that are set wins (redis.rst, Caveats).
        "result_backend_transport_options": {"visibility_timeout": visibility_s},
        "visibility_timeout": visibility_s,
    }


def make_app(settings: Settings, run: Callable[[str, str, str], None] | None = None) -> App:
    """The application over the Redis of the settings, with one task a stage.

    Args:
        settings: Where Redis is, and the limits.
        run: What a task does with a job's id, its stage and the queue that the message came by; None for a process
            that only sends.

    Raises:
        InvalidSettings: the URL names no broker that can be used.
    """
    from celery import Celery

    app = cast("App", Celery("dissolve", broker=broker_url(settings), set_as_current=False))
    app.conf.update(celery_settings(settings))
    if run is not None:
        for stage in (*(one.name for one in STAGES), EVALUATE, ADVANCE):
            app.task(name=task_name(stage), bind=True)(task_of(stage, run))
    return app


def task_of(stage: str, run: Callable[[str, str, str], None]) -> Callable[[Any, str], None]:
    """The task of one stage: an id goes in, nothing comes out."""

    def task(bound: Any, job: JobId) -> None:  # noqa: ANN401 - Celery ships no types
        came_by: Mapping[str, object] = bound.request.delivery_info or {}
        run(job, stage, str(came_by.get("routing_key") or ""))

    return task


def too_long() -> Exception:
    """The error of a step over its time limit, the same in every pool."""
    from celery.exceptions import SoftTimeLimitExceeded

    return cast("Exception", SoftTimeLimitExceeded())
