"""What the relay asks Redis itself: how long a queue is, and whether everything in it was lost."""

import logging
import secrets
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol, cast

from dissolution.errors import InvalidSettings
from dissolution.settings import Settings
from workers.redis.broker_url import CONNECT_TIMEOUT_S, broker_url
from workers.redis.gathered_commands import GatheredCommands, Pipelining
from workers.redis.shared_limits import Client

if TYPE_CHECKING:
    from redis import Redis

log = logging.getLogger(__name__)

MARK = "dissolve.relay.mark"
"""A key that stands as long as Redis remembers anything; when it is gone, so are the messages."""

LIMITS_TIMEOUT_S = 1.0
"""How long a request to a model waits for its place in the limits of the fleet (s), before it does without them."""

LIMITS_CONNECTIONS = 16
"""Connections of one process that ask for places in the limits."""

LIMITS_LINE_S = 5.0
"""How long one waits for such a connection (s): in line behind others, not for Redis."""

REPLY_TIMEOUT_S = 5
"""How long the relay waits for Redis (s): it has nothing else to do, and a stalled Redis must not stall it."""


class Doorbell(Protocol):
    """Where messages wait for workers."""

    def depth(self, queue: str) -> int | None:
        """How many messages wait in a queue; None when the broker is away."""
        ...

    def lost_everything(self) -> bool:
        """Whether the broker has lost its messages since this was last asked by anybody."""
        ...


class RedisDoorbell:
    """The messages of Celery's queues, which are lists of Redis."""

    def __init__(self, settings: Settings) -> None:
        self._client = redis_client(settings)

    def depth(self, queue: str) -> int | None:
        """How many messages wait in a queue, those in workers' hands left out; None when Redis is away."""
        from redis.exceptions import RedisError

        try:
            return self._client.llen(queue)
        except (RedisError, OSError) as error:
            log.warning("Redis is away: %s", type(error).__name__)
            return None

    def lost_everything(self) -> bool:
        """Whether Redis was wiped, or restarted empty, since any relay last asked; the first to ask is told."""
        from redis.exceptions import RedisError

        with suppress(RedisError, OSError):
            return bool(self._client.set(MARK, secrets.token_hex(8), nx=True))
        return False

    def refuse_cluster(self) -> None:
        """Raise InvalidSettings when the server is part of a Redis Cluster; one that is away is asked no further."""
        from redis.exceptions import RedisError

        with suppress(RedisError, OSError):
            told = self._client.info("cluster")  # pyright: ignore[reportUnknownMemberType] - untyped options
            if told.get("cluster_enabled"):
                raise InvalidSettings(
                    "setting 'redis_url'",
                    "the server is part of a Redis Cluster, which cannot carry the messages; use a single Redis",
                )

    def close(self) -> None:
        """Close the connections."""
        self._client.close()


def redis_client(settings: Settings) -> "Redis":
    """A client of the Redis that carries the messages; nothing is connected yet. Raises InvalidSettings."""
    from redis import Redis

    url = client_url(settings)
    timeouts = {"socket_timeout": REPLY_TIMEOUT_S, "socket_connect_timeout": CONNECT_TIMEOUT_S}
    return Redis.from_url(url, **timeouts)  # pyright: ignore[reportUnknownMemberType] - untyped options


def async_redis_client(settings: Settings) -> Client:
    """As `redis_client`, for one event loop and for answers that nobody waits long for. Raises InvalidSettings."""
    from redis.asyncio import BlockingConnectionPool
    from redis.asyncio import Redis as AsyncRedis

    # Thousands of requests may begin at one moment: they wait in line for a few connections, which answer at once.
    pool = BlockingConnectionPool.from_url(  # pyright: ignore[reportUnknownMemberType] - untyped options
        client_url(settings),
        max_connections=LIMITS_CONNECTIONS,
        timeout=LIMITS_LINE_S,
        socket_timeout=LIMITS_TIMEOUT_S,
        socket_connect_timeout=LIMITS_TIMEOUT_S,
    )
    made = AsyncRedis.from_pool(pool)
    return GatheredCommands(cast("Pipelining", made))  # its methods say Awaitable where they are coroutines


def client_url(settings: Settings) -> str:
    """The URL of Redis in its client's form. Raises InvalidSettings."""
    return broker_url(settings).replace("redis+socket://", "unix://", 1)


def away() -> tuple[type[Exception], ...]:
    """What Redis's clients raise when it is away, busy loading, full, or has lost its scripts."""
    from redis.exceptions import RedisError

    return (RedisError, OSError)


def complaint(error: BaseException) -> str:
    """What one of those means, as the end of a sentence that begins with where Redis is."""
    from redis.exceptions import AuthenticationError, InvalidResponse, ResponseError
    from redis.exceptions import TimeoutError as TooLate

    said = str(error)
    if isinstance(error, AuthenticationError) or (isinstance(error, ResponseError) and "NOAUTH" in said):
        return "wants another password"
    if isinstance(error, InvalidResponse):
        return "does not answer (what listens there is no Redis)"
    if isinstance(error, TooLate):
        return "does not answer (not in time)"
    if "closed by server" in said:
        return "does not answer (what listens there is no Redis, or has no place for us)"
    known = ("Connection refused", "Name or service not known", "No such file", "Permission denied")
    why = next((words.lower() for words in known if words in said), type(error).__name__)
    return f"does not answer ({why})"
