"""A Redis server for the tests that need a real one."""

import socket
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from workers.redis_server import RedisServer


def a_free_port() -> int:
    """A port that nobody listens on at the moment."""
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return int(trial.getsockname()[1])


@contextmanager
def a_redis(folder: Path) -> Generator[RedisServer]:
    """A running server with its files in `folder`."""
    with RedisServer(folder, a_free_port()) as server:
        yield server
