"""Programs that are nothing without Redis say so at their start, instead of waiting for one that nobody started."""

from cli.shared.exits import Exit
from cli.shared.output import say
from dissolution.settings import Settings
from workers.checks.remedies import mending
from workers.redis.place import redis_trouble


def without_redis(settings: Settings) -> Exit | None:
    """Say in one line that Redis cannot be used, and what to do; UNAVAILABLE then, and None when it answers.

    A deployment's programs start in any order and wait for their Redis, so there nothing is asked here.
    Raises InvalidSettings for a URL that names no Redis.
    """
    if settings.environment == "deployment":
        return None
    trouble = redis_trouble(settings)
    if trouble is None:
        return None
    say(f"{trouble}: {mending('redis')}")
    return Exit.UNAVAILABLE
