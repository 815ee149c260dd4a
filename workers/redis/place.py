"""Where the Redis of the settings is, as it may be shown, and why it cannot be used, in words."""

from contextlib import closing

from dissolution.settings import Settings
from workers.redis.queue_state import away, complaint, redis_client


def shown_redis(settings: Settings) -> str:
    """The URL of Redis without its password."""
    from store.sql.places import masked

    return masked(settings.redis_url.get_secret_value())


def refusal(settings: Settings, error: BaseException) -> str:
    """What a client of Redis ran into, in one clause that names the place and repeats nothing it was given."""
    return f"Redis at {shown_redis(settings)} {complaint(error)}"


def redis_trouble(settings: Settings) -> str | None:
    """Why Redis cannot be used, in one clause that names its place; None when it answers. Raises InvalidSettings."""
    with closing(redis_client(settings)) as client:
        try:
            client.ping()  # pyright: ignore[reportUnknownMemberType] - untyped options
        except away() as error:
            return refusal(settings, error)
    return None
