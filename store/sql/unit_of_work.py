"""Units of work over SQL: one block, one transaction."""

import os
import secrets
import sqlite3
from contextlib import closing
from functools import cache
from types import TracebackType
from typing import Self, cast

from pydantic import SecretStr
from sqlalchemy import Connection, Engine, select

from store.rules.checks import ONLY_READS
from store.rules.keys import KEY_BYTES, derived_key
from store.sql.boundaries import SqlBoundaries
from store.sql.conversations import SqlConversations
from store.sql.engine import (
    CONNECTIONS,
    IN_MEMORY,
    connected,
    empty_log,
    only_reading,
    open_engine,
    open_memory_engine,
    open_reading_engine,
)
from store.sql.erasing import ERASED
from store.sql.frames import SqlFrames
from store.sql.jobs import SqlJobs
from store.sql.ledger import SqlLedger
from store.sql.migrate import REVISION, prepare, read_revision
from store.sql.money import SqlMoney
from store.sql.outbox import SqlOutbox
from store.sql.places import masked
from store.sql.read_once import KeptReads, Seen
from store.sql.recall import SqlRecall
from store.sql.rows import insert_if_absent
from store.sql.service import SqlService
from store.sql.stability import SqlStability
from store.sql.triggers import SqlTriggers
from store.tables import jobs as tables


class SqlUnitOfWork:
    """One transaction: leaving the block without `commit` rolls everything back. For one thread at a time."""

    def __init__(
        self, engine: Engine, key: bytes | None, *, reading: bool = False, kept: KeptReads | None = None
    ) -> None:
        self._engine = engine
        self._kept = kept or KeptReads()
        self._seen = Seen()
        self._key = key
        self._reading = reading
        self._open: Connection | None = None

    @property
    def conversations(self) -> SqlConversations:
        """Conversations in this transaction."""
        return SqlConversations(self._connection, self._kept, self._seen)

    @property
    def jobs(self) -> SqlJobs:
        """Jobs in this transaction."""
        return SqlJobs(self._connection, self._seen)

    @property
    def boundaries(self) -> SqlBoundaries:
        """Boundaries in this transaction."""
        return SqlBoundaries(self._connection, self._seen)

    @property
    def ledger(self) -> SqlLedger:
        """Ledgers in this transaction."""
        self.jobs.write_events()
        self._seen.clear()  # it may erase jobs, and add versions
        return SqlLedger(self._connection)

    @property
    def recall(self) -> SqlRecall:
        """What recall reads, and the vectors of texts, in this transaction."""
        return SqlRecall(self._connection)

    @property
    def outbox(self) -> SqlOutbox:
        """Rings in this transaction."""
        return SqlOutbox(self._connection)

    @property
    def money(self) -> SqlMoney:
        """Money in this transaction."""
        return SqlMoney(self._connection, self._seen)

    @property
    def frames(self) -> SqlFrames:
        """Assumption registers in this transaction."""
        return SqlFrames(self._connection)

    @property
    def service(self) -> SqlService:
        """Keys, answered requests, webhooks, rules of intake and pages, in this transaction."""
        return SqlService(self._connection)

    @property
    def triggers(self) -> SqlTriggers:
        """Triggers in this transaction."""
        return SqlTriggers(self._connection)

    @property
    def stability(self) -> SqlStability:
        """Stability runs in this transaction."""
        return SqlStability(self._connection)

    def installation_key(self) -> bytes:
        """32 secret random bytes of this database, made when it was first opened, or from the configured key."""
        if self._key is not None:
            return self._key
        if self._kept.key is None:
            self._kept.key = cast("bytes", self._connection.execute(select(tables.installation.c.key)).scalar_one())
        return self._kept.key

    def __enter__(self) -> Self:
        if self._open is not None:
            message = "this unit of work is in use; ask the factory for another"
            raise RuntimeError(message)
        connection = connected(self._engine)
        self._open = only_reading(connection) if self._reading else connection
        self._seen.clear()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        connection, self._open = self._connection, None
        connection.close()  # rolls back what was not committed

    def commit(self) -> None:
        """Make everything in the block durable. Raises StoreUnavailable, and then nothing of it is.

        Raises RuntimeError in one that only reads.
        """
        if self._reading:
            raise RuntimeError(ONLY_READS)
        self.jobs.write_events()
        self._connection.commit()
        self._seen.clear()
        if self._connection.info.pop(ERASED, False):
            self._kept.clear()
            empty_log(self._connection)

    @property
    def _connection(self) -> Connection:
        if self._open is None:
            message = "a unit of work is used inside its `with` block"
            raise RuntimeError(message)
        return self._open


class SqlUnitOfWorkFactory:
    """Opens units of work on one database; may be shared by threads and survives a fork."""

    def __init__(self, engine: Engine, key: bytes | None, *, reads: bool = False) -> None:
        self.engine = engine
        self._key = key
        self._reads = reads
        self._kept = KeptReads()
        self._process = os.getpid()

    def __call__(self) -> SqlUnitOfWork:
        """A new one; use it in a `with` block. It only reads where the database was opened for that alone."""
        return self._new(reading=self._reads)

    def reading(self) -> SqlUnitOfWork:
        """A new one that only reads: it waits for no writer, no writer waits for it, and a write in it is refused."""
        return self._new(reading=True)

    def _new(self, *, reading: bool) -> SqlUnitOfWork:
        if os.getpid() != self._process:
            self.engine.dispose(close=False)  # the parent's connections are the parent's
            self._process = os.getpid()
        return SqlUnitOfWork(self.engine, self._key, reading=reading, kept=self._kept)

    def close(self) -> None:
        """Close the idle connections; on SQLite this also folds the -wal file into the database."""
        self.engine.dispose()


def sql_unit_of_work_factory(
    url: str,
    busy_timeout_s: float = 30.0,
    installation_key: SecretStr | None = None,
    connections: int = CONNECTIONS,
) -> SqlUnitOfWorkFactory:
    """Open the database at `url`; an empty or older one is migrated first.

    Args:
        url: `sqlite:///FILE` or `postgresql://…` (docs/store.md).
        busy_timeout_s: How long a transaction waits for another (s).
        installation_key: Takes the place of the key kept in the database.
        connections: Most connections at a time.

    Raises:
        StoreUnavailable: the database cannot be opened or written.
        SchemaMismatch: a newer version of the project made it, or another program did.
    """
    engine = open_engine(url, busy_timeout_s, connections)
    try:
        prepare(engine, masked(url), _make_key)
    except BaseException:
        engine.dispose()
        raise
    return SqlUnitOfWorkFactory(engine, None if installation_key is None else derived_key(installation_key))


def memory_unit_of_work_factory(
    busy_timeout_s: float = 30.0, installation_key: SecretStr | None = None
) -> SqlUnitOfWorkFactory:
    """A new SQLite database in memory: the fake of tests. It lasts as long as the factory and its process.

    Threads may share it; units of work wait for each other, also those that only read.

    Args:
        busy_timeout_s: How long a unit of work waits for another (s).
        installation_key: Takes the place of the key kept in the database.
    """
    engine = open_memory_engine(busy_timeout_s, migrated_content())
    with engine.begin() as connection:
        _make_key(connection)
    return SqlUnitOfWorkFactory(engine, None if installation_key is None else derived_key(installation_key))


@cache
def migrated_content() -> bytes:
    """A database with the newest schema and no row, as SQLite keeps it in a file; migrated once a process."""
    engine = open_memory_engine(busy_timeout_s=1.0)
    prepare(engine, IN_MEMORY)
    with closing(engine.raw_connection()) as connection:
        content = cast("sqlite3.Connection", connection.driver_connection).serialize()
    engine.dispose()
    return content


def sql_reading_factory(
    url: str, busy_timeout_s: float = 30.0, installation_key: SecretStr | None = None
) -> SqlUnitOfWorkFactory:
    """Open the database at `url` to read it and nothing else: neither file nor folder need be writable.

    One of an older schema is migrated, as `sql_unit_of_work_factory` does, which has to write.

    Args and errors as there.
    """
    engine = open_reading_engine(url, busy_timeout_s)
    try:
        with only_reading(engine.connect()) as connection:
            is_new = read_revision(connection) == REVISION
    except BaseException:
        engine.dispose()
        raise
    if not is_new:
        engine.dispose()
        return sql_unit_of_work_factory(url, busy_timeout_s, installation_key)
    return SqlUnitOfWorkFactory(engine, None if installation_key is None else derived_key(installation_key), reads=True)


def _make_key(connection: Connection) -> None:
    """The key must never depend on whether some unit of work commits, so opening the store makes it."""
    if connection.execute(select(tables.installation.c.id)).first() is None:
        insert_if_absent(connection, tables.installation, {"id": 1, "key": secrets.token_bytes(KEY_BYTES)})
