"""The databases of the chaos run, and how each of them is taken away for a while."""

import resource
import sqlite3
import tempfile
import threading
import warnings
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol, cast

KINDS = ("postgresql", "sqlite")


class Database(Protocol):
    """A database that can be disturbed."""

    url: str

    def disturb(self, pause: threading.Event) -> None:
        """Take it away for a moment; `pause` is never set and only waited on."""
        ...

    def refuse_writes(self, pause: threading.Event, writers: Sequence[int]) -> None:
        """Let it be read and not written for a moment.

        Args:
            pause: Never set and only waited on.
            writers: The processes that write to it.
        """
        ...


class Sqlite:
    """A file; it is disturbed by a writer that holds it for longer than others are willing to wait.

    It refuses writes as on a full disk: no process may make any file longer.
    """

    def __init__(self, folder: Path) -> None:
        self._file = folder / "ledger.sqlite3"
        self.url = f"sqlite:///{self._file}"

    def disturb(self, pause: threading.Event) -> None:
        """Hold the writer's lock for four seconds: more than the busy timeout of the workers."""
        with closing(sqlite3.connect(self._file, timeout=60, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            pause.wait(4.0)
            connection.execute("ROLLBACK")

    def refuse_writes(self, pause: threading.Event, writers: Sequence[int]) -> None:
        """Fill the disk of the writers for four seconds."""
        for most in (1, resource.RLIM_INFINITY):
            for process in writers:
                with suppress(ProcessLookupError):
                    resource.prlimit(process, resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
            if most == 1:
                pause.wait(4.0)


class Postgresql:
    """A server of its own; it is disturbed by being stopped as in a crash, and started again.

    It refuses writes as a standby does: every transaction is for reading alone.
    """

    def __init__(self, server: Any) -> None:  # noqa: ANN401 - pgserver's own type is imported on use only
        self._server = server
        self.url = cast("str", server.get_uri())

    @property
    def process(self) -> int:
        """The number of the server's first process."""
        return int((Path(self._server.pgdata) / "postmaster.pid").read_text(encoding="ascii").splitlines()[0])

    def disturb(self, pause: threading.Event) -> None:
        """Stop it without a word to anybody, wait a second, start it again."""
        from pgserver import _commands

        control = cast("Any", _commands).pg_ctl  # made at run time; the wheel has no public way to stop it at once
        control(["-m", "immediate", "-w", "stop"], pgdata=self._server.pgdata, user=self._server.system_user)
        pause.wait(1.0)
        self._server.ensure_postgres_running()

    def refuse_writes(self, pause: threading.Event, writers: Sequence[int]) -> None:  # noqa: ARG002 - it does itself
        """Make it a database for reading for four seconds."""
        import psycopg

        with psycopg.connect(self.url, autocommit=True, options="-c default_transaction_read_only=off") as connection:
            for command in ("SET default_transaction_read_only = on", "RESET default_transaction_read_only"):
                connection.execute(f"ALTER SYSTEM {command}")
                connection.execute("SELECT pg_reload_conf()")
                if command.startswith("SET"):
                    pause.wait(4.0)


@contextmanager
def database(kind: str, folder: Path) -> Generator[Database]:
    """A new, empty database."""
    if kind == "sqlite":
        yield Sqlite(folder)
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the wheel asks for a runtime folder that containers do not have
        from pgserver import postgres_server
    control = cast("Any", postgres_server).pg_ctl

    def patient(words: list[str], **more: Any) -> str:  # noqa: ANN401 - what subprocess takes
        """The wheel gives a server ten seconds to start, which a busy machine may need twice over."""
        return control([*words, "-t", "300"], **{**more, "timeout": None})

    cast("Any", postgres_server).pg_ctl = patient
    place = Path(tempfile.mkdtemp(prefix="chaos-pg-"))  # a short path: sockets have short names
    server = cast("Any", postgres_server).get_server(place, cleanup_mode="delete")
    try:
        yield Postgresql(server)
    finally:
        server.cleanup()
