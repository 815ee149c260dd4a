"""A Redis server for the tests that need a real one."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from tests.polling import LONGEST_S
from tests.ports import free_port as a_free_port
from workers.redis import server as redis_server
from workers.redis.server import RedisServer

__all__ = ["a_free_port", "a_redis"]


@contextmanager
def a_redis(folder: Path) -> Generator[RedisServer]:
    """A running server with its files in `folder`."""
    with patch.object(redis_server, "START_LIMIT_S", LONGEST_S), RedisServer(folder, a_free_port()) as server:
        yield server
