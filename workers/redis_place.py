"""Where the Redis of the settings is, as it may be shown, and why it cannot be used, in words."""

from contextlib import closing

from dissolution.settings import Settings
from workers.doorbell import away, redis_client


def shown_redis(settings: Settings) -> str:
    """The URL of Redis without its password."""
    from store.places import masked

    return masked(settings.redis_url.get_secret_value())


def refusal(settings: Settings, error: BaseException) -> str:
    """What a client of Redis ran into, in one clause that names the place and repeats nothing it was given."""
    from redis.exceptions import AuthenticationError, InvalidResponse, ResponseError
    from redis.exceptions import TimeoutError as TooLate

    place, said = f"Redis at {shown_redis(settings)}", str(error)
    if isinstance(error, AuthenticationError) or (isinstance(error, ResponseError) and "NOAUTH" in said):
        return f"{place} wants another password"
    if isinstance(error, InvalidResponse):
        return f"{place} does not answer (what listens there is no Redis)"
    if isinstance(error, TooLate):
        return f"{place} does not answer (not in time)"
    if "closed by server" in said:
        return f"{place} does not answer (what listens there is no Redis, or has no place for us)"
    known = ("Connection refused", "Name or service not known", "No such file", "Permission denied")
    why = next((words.lower() for words in known if words in said), type(error).__name__)
    return f"{place} does not answer ({why})"


def redis_trouble(settings: Settings) -> str | None:
    """Why Redis cannot be used, in one clause that names its place; None when it answers. Raises InvalidSettings."""
    with closing(redis_client(settings)) as client:
        try:
            client.ping()  # pyright: ignore[reportUnknownMemberType] - untyped options
        except away() as error:
            return refusal(settings, error)
    return None
