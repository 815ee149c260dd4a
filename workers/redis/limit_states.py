"""A look at the limits of the fleet from outside of any worker."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

from pydantic import SecretStr

from dissolution.limits import Limiter, LimitsStanding
from dissolution.settings import Settings, home
from workers.redis.queue_state import async_redis_client, away
from workers.redis.server import url_of
from workers.redis.shared_limits import SharedLimiter

T = TypeVar("T")


def settings_with_redis(settings: Settings, folder: Path | None = None) -> Settings:
    """The settings with the Redis that is meant: of `dissolve up` in `folder`, else of the settings or the environment.

    Where those name none, it is that of the usual folder of `dissolve up`, if one was started there.
    """
    if folder is None and "redis_url" in settings.model_fields_set:
        return settings
    url: SecretStr | None = url_of(folder or home() / "up")
    return settings if url is None else settings.model_copy(update={"redis_url": url})


async def shared_standing(settings: Settings) -> LimitsStanding | None:
    """How the limits of the fleet stand; None while Redis is away."""
    return await _there(settings, lambda limiter: limiter.standing())


async def shared_reset(settings: Settings, model: str) -> int | None:
    """Forget all about a model and the blocks of its accounts: of how many endpoints; None while Redis is away."""
    return await _there(settings, lambda limiter: limiter.reset(model))


async def _there(settings: Settings, ask: Callable[[Limiter], Awaitable[T]]) -> T | None:
    limiter = SharedLimiter(async_redis_client(settings))
    try:
        return await ask(limiter)
    except away():
        return None
    finally:
        await limiter.aclose()
