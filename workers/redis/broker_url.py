"""The URL of the broker, and how long a connection to it may take."""

from urllib.parse import urlsplit

from dissolution.errors import InvalidSettings
from dissolution.settings import Settings

CONNECT_TIMEOUT_S = 5
"""How long Redis may take to accept a connection (s); the relay rings again."""


SCHEMES = frozenset({"redis", "rediss", "redis+socket", "unix"})
"""Of broker URLs. A Redis Cluster is none: Celery's keys of one queue lie in different slots (celery#2852)."""


def broker_url(settings: Settings) -> str:
    """The URL of Redis in Celery's form. Raises InvalidSettings for what Celery cannot use."""
    url = settings.redis_url.get_secret_value()
    try:
        parts = urlsplit(url)
        scheme, _ = parts.scheme, parts.port  # the port is read when it is asked for
    except ValueError as error:
        raise InvalidSettings(
            "setting 'redis_url'", f"cannot be read ({error}); write redis://:PASSWORD@HOST:PORT/0"
        ) from error
    if scheme not in SCHEMES:
        known = ", ".join(sorted(SCHEMES))
        raise InvalidSettings(
            f"setting 'redis_url', a URL with scheme {scheme!r}",
            f"use one of {known}; a Redis Cluster cannot carry the messages, a single Redis can",
        )
    return url.replace("unix://", "redis+socket://", 1) if scheme == "unix" else url
