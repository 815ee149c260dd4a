"""Whether a part of the fleet does its work, asked from outside, as container health checks do."""

import logging
import os
import socket
import urllib.request
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPException
from typing import TYPE_CHECKING, Any, cast

from dissolution.errors import DissolutionError, SchemaMismatch
from dissolution.settings import Settings
from workers.bootstrap import open_store
from workers.celery.app import make_app
from workers.celery.queue import broker_away
from workers.pipeline import QueueClass
from workers.redis.place import redis_trouble, refusal
from workers.redis.queue_state import RedisDoorbell, away, redis_client

if TYPE_CHECKING:
    from store.sql.unit_of_work import SqlUnitOfWorkFactory

log = logging.getLogger(__name__)

BEAT = "dissolve.relay.beat."
"""Keys by which relays say that they look; one a relay, followed by the name of its machine and its process."""

BEAT_LIVES_S = 30
"""A relay that has not looked for so long (s) does not work: sixty pauses between looks, as they are set."""

REPLY_S = 3.0
"""How long a part may take to answer (s)."""


@dataclass(frozen=True, kw_only=True)
class Health:
    """Whether a part works, and the fact that says so."""

    well: bool
    words: str
    remedy: str = ""  # where it is another than the part's usual one


class BeatingDoorbell(RedisDoorbell):
    """Tells Redis with each look of its relay that the relay looks."""

    def lost_everything(self) -> bool:
        """As it is; asked once in each look, so this is where the beat is."""
        lost = super().lost_everything()
        try:
            self._client.set(f"{BEAT}{socket.gethostname()}.{os.getpid()}", "1", ex=BEAT_LIVES_S)
        except away() as error:
            log.debug("no beat: %s", type(error).__name__)
        return lost


def database_health(settings: Settings) -> Health:
    """The database answers and has this version's tables."""
    try:
        # Closed at once: a connection that is left to the collector of garbage is one more that the database holds.
        with closing(cast("SqlUnitOfWorkFactory", open_store(settings, create=False))) as store, store() as work:
            count = sum(work.outbox.job_counts().values())
    except SchemaMismatch as error:
        return Health(well=False, words=str(error), remedy="install that version, or name another database with --db")
    except DissolutionError as error:
        return Health(well=False, words=str(error))
    return Health(well=True, words=f"the database answers, {count} jobs")


def redis_health(settings: Settings) -> Health:
    """Redis answers."""
    trouble = redis_trouble(settings)
    return Health(well=trouble is None, words=trouble or "Redis answers")


def living_relays(settings: Settings) -> int | None:
    """How many relays have looked a short while ago, on whichever machine; None while Redis is away."""
    with closing(redis_client(settings)) as client:
        try:
            return sum(1 for _ in cast("Any", client).scan_iter(match=f"{BEAT}*", count=1000))
        except away():
            return None


def relay_health(settings: Settings) -> Health:
    """A relay of this machine looks, and has a database to look into."""
    with closing(redis_client(settings)) as client:
        try:
            beats = cast("list[bytes]", cast("Any", client).keys(f"{BEAT}{socket.gethostname()}.*"))
        except away() as error:
            return Health(well=False, words=refusal(settings, error))
    if not beats:
        return Health(well=False, words=f"no relay of this machine has looked for {BEAT_LIVES_S} s")
    stored = database_health(settings)
    return Health(well=True, words=f"{len(beats)} relay looks") if stored.well else stored


def worker_health(settings: Settings, queue: QueueClass | None = None, *, everywhere: bool = False) -> Health:
    """A worker of this machine answers, or of any if `everywhere`; of one class, if one is named."""
    control = cast("Any", make_app(settings)).control
    try:
        replies = cast("list[Mapping[str, object]]", control.ping(timeout=REPLY_S))
    except broker_away() as error:
        why = redis_trouble(settings) or f"Redis does not answer: {type(error).__name__}"
        return Health(well=False, words=why)
    start, end = "" if queue is None else f"{queue.value}-", "" if everywhere else f"@{socket.gethostname()}"
    names = [name for reply in replies for name in reply if name.startswith(start) and name.endswith(end)]
    if names:
        return Health(well=True, words=f"{', '.join(sorted(names))} answers")
    kind = "" if queue is None else f" of class {queue.value}"
    place = "" if everywhere else " of this machine"
    return Health(well=False, words=f"no worker{kind}{place} answered within {REPLY_S:g} s")


def flower_health(settings: Settings) -> Health:
    """Flower answers; its health check asks for no password."""
    return page_health("Flower", settings.flower_address, settings.flower_port, "healthcheck")


def api_health(settings: Settings) -> Health:
    """The HTTP service answers, and its database with it."""
    return page_health("the API", settings.api_address, settings.api_port, "ready")


def metrics_health(settings: Settings) -> Health:
    """Metrics are served."""
    return page_health("metrics", settings.metrics_address, settings.metrics_port, "metrics")


def page_health(name: str, address: str, port: int, path: str) -> Health:
    """Whether a page of this machine is answered with 200."""
    host = "127.0.0.1" if address in {"0.0.0.0", "::"} else address  # noqa: S104 - compared with, not bound
    url = f"http://{host}:{port}/{path}"
    answers = ("answer", "do not answer") if name == "metrics" else ("answers", "does not answer")
    try:
        with urllib.request.urlopen(url, timeout=REPLY_S) as reply:
            well = reply.status == 200  # noqa: PLR2004 - HTTP's OK
    except (OSError, HTTPException) as error:
        return Health(well=False, words=f"{name} at {url} {answers[1]}: {type(error).__name__}")
    return Health(well=well, words=f"{name} at {url} {answers[0]}")


CHECKS: Mapping[str, Callable[[Settings], Health]] = {
    "database": database_health,
    "redis": redis_health,
    "relay": relay_health,
    "worker": worker_health,
    "worker-io": lambda settings: worker_health(settings, QueueClass.IO),
    "worker-cpu": lambda settings: worker_health(settings, QueueClass.CPU),
    "worker-giant": lambda settings: worker_health(settings, QueueClass.GIANT),
    "flower": flower_health,
    "api": api_health,
    "metrics": metrics_health,
}
"""Every part by the name that `dissolve health` takes."""
