"""The connection to a database: SQLite or PostgreSQL made ready, and the drivers' errors in our words."""

import selectors
import sqlite3
import time
from contextlib import closing
from functools import cache
from typing import Any, Protocol, cast

from sqlalchemy import URL, Connection, Engine, ExceptionContext, PoolProxiedConnection, create_engine, event
from sqlalchemy.exc import (
    DataError,
    DBAPIError,
    IntegrityError,
    InvalidatePoolError,
    NotSupportedError,
    ProgrammingError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.pool import QueuePool

from dissolution.errors import StoreError, StoreUnavailable
from store.sql.places import masked, parse_url, readable_file, sqlite_file
from store.sql.sqlite_reading import reading_connection

CONNECT_TIMEOUT_S = 10
"""How long a PostgreSQL server may take to accept a connection (s)."""

IDLE_S = 20.0
"""A connection that has been idle for longer (s) is asked whether it still works before it is used: what lies between
may have dropped it without a word. One that was used a moment ago would pay a round trip for nothing."""

SYNCHRONOUS = "FULL"
"""A committed boundary must survive a power loss: in WAL mode NORMAL syncs at checkpoints only and may lose it."""

_WHAT_TO_DO = (
    # SQLite, by its fixed message texts (sqlite3.c, sqlite3ErrStr)
    ("file is not a database", "is no SQLite database; name another file with --db"),
    ("malformed", "is damaged; restore it from a backup (docs/store.md)"),
    ("is full", "the disk is full and nothing of this step was stored; free some space and run it again"),
    ("is locked", "another process has held it for longer than DISSOLVE_BUSY_TIMEOUT_S; try again, or raise that"),
    ("readonly", "cannot be written; make the file and its folder writable, or choose another with --db"),
    ("unable to open", "cannot be opened; check that the file and its folder are readable and writable"),
    ("disk i/o error", "the disk does not read or write; nothing of this step was stored; check the disk"),
    # PostgreSQL, by its untranslated message texts
    ("lock timeout", "another process has held a row for longer than DISSOLVE_BUSY_TIMEOUT_S; try again"),
    ("deadlock", "two processes waited for each other and this one gave way; run it again"),
)
_REFUSED = (IntegrityError, ProgrammingError, DataError, NotSupportedError)


class _Cursor(Protocol):
    def execute(self, statement: str, /) -> object: ...

    def close(self) -> None: ...


class _Driver(Protocol):
    """What SQLite's and PostgreSQL's connections have in common."""

    def cursor(self) -> _Cursor: ...

    def commit(self) -> None: ...

    def rollback(self) -> None: ...

    def fileno(self) -> int: ...


CONNECTIONS = 12
"""Most connections of one process, when nobody says otherwise."""

ON_SQLITE = 6
"""Most of them to a SQLite file: its writers go one after the other, and those that wait in the pool come in turn."""

IN_MEMORY = "sqlite in memory"
"""What messages call a database that has no URL."""


def open_engine(url: str, busy_timeout_s: float, connections: int = CONNECTIONS) -> Engine:
    """An engine for `url`; nothing is read or written yet, but a SQLite file and its folder are created.

    A transaction on SQLite begins as a writer's (BEGIN IMMEDIATE): one that reads first and writes later would fail at
    once, whatever the timeout, when another has written in between. Those that only read say so (`only_reading`):
    writers wait for each other by sleeping, and sixteen readers in that queue sleep most of the time.

    Args:
        url: `sqlite:///FILE` or `postgresql://…`.
        busy_timeout_s: How long a transaction waits for another, or for a connection (s).
        connections: Most connections at a time; who finds none free waits.

    Raises:
        StoreUnavailable: the URL is not understood, the place cannot be written, or the driver is missing.
    """
    shown = masked(url)
    parsed = parse_url(url)
    make = _sqlite if parsed.get_backend_name() == "sqlite" else _postgresql
    return _in_our_words(make(parsed, shown, busy_timeout_s, connections), shown)


def connected(engine: Engine) -> Connection:
    """A connection of the pool. Raises StoreUnavailable when none has come free within the busy timeout."""
    try:
        return engine.connect()
    except PoolTimeout as error:
        shown = masked(engine.url.render_as_string(hide_password=True))
        detail = "all connections of this process are in use; raise DISSOLVE_DB_CONNECTIONS, or see who holds them"
        raise StoreUnavailable(shown, detail) from error


def _pool(busy_timeout_s: float, connections: int) -> dict[str, Any]:
    """The pool's options; the one that was used last is taken first, so that those which are not needed rest."""
    return {"pool_size": connections, "max_overflow": 0, "pool_timeout": busy_timeout_s, "pool_use_lifo": True}


def open_reading_engine(url: str, busy_timeout_s: float) -> Engine:
    """An engine for `url` that never writes, so that file and folder need not be writable; nothing is created.

    Args and errors as for `open_engine`.
    """
    shown = masked(url)
    parsed = parse_url(url)
    if parsed.get_backend_name() != "sqlite":
        return _in_our_words(_postgresql(parsed, shown, busy_timeout_s, CONNECTIONS), shown)
    path = readable_file(parsed, shown)
    engine = create_engine(
        parsed, creator=lambda: reading_connection(path, busy_timeout_s), poolclass=QueuePool, hide_parameters=True
    )
    event.listen(engine, "begin", _begin)
    return _in_our_words(engine, shown)


def _in_our_words(engine: Engine, shown: str) -> Engine:
    def translate(context: ExceptionContext) -> None:
        _translate(context, shown)

    event.listen(engine, "handle_error", translate)
    return engine


def _sqlite(url: URL, shown: str, busy_timeout_s: float, connections: int) -> Engine:
    path = sqlite_file(url, shown)
    arguments = {"timeout": busy_timeout_s}
    pool = _pool(busy_timeout_s, min(connections, ON_SQLITE))
    engine = create_engine(
        url.set(database=str(path)), connect_args=arguments, hide_parameters=True, poolclass=QueuePool, **pool
    )

    def prepare(connection: object, _record: object) -> None:
        _prepare_sqlite(cast("sqlite3.Connection", connection), busy_timeout_s)

    event.listen(engine, "connect", prepare)
    event.listen(engine, "begin", _begin)
    return engine


def open_memory_engine(busy_timeout_s: float, content: bytes | None = None) -> Engine:
    """An engine for a SQLite database of its own in memory, which ends with the engine; threads may share it.

    The database is one connection, which the pool lends to one transaction at a time. Transactions therefore exclude
    each other, reading ones too. A cache that several connections share would let them read side by side, but its
    table locks heed no timeout.

    Args:
        busy_timeout_s: How long a transaction waits for the one before it (s).
        content: What the database starts with, as SQLite serialises it; empty when None.
    """

    def make() -> sqlite3.Connection:
        driver = sqlite3.connect(":memory:", check_same_thread=False)
        if content is not None:
            driver.deserialize(content)
        _prepare_transactions(driver)
        return driver

    first = _first_in_memory()
    pool = QueuePool(cast("Any", make), pool_size=1, max_overflow=0, timeout=busy_timeout_s)
    engine = Engine(pool, first.dialect, first.url, hide_parameters=True)
    engine.update_execution_options(compiled_cache=_COMPILED)
    event.listen(engine, "begin", _begin)
    return engine


_COMPILED: dict[Any, Any] = {}
"""Statements that databases in memory have compiled, for all of them: else each test would compile all of its own."""


@cache
def _first_in_memory() -> Engine:
    """What gives databases in memory their dialect, by which statements are kept; connecting once makes it ready."""
    engine = _in_our_words(create_engine("sqlite://"), IN_MEMORY)
    engine.connect().close()
    engine.dispose()
    return engine


def _prepare_sqlite(driver: sqlite3.Connection, busy_timeout_s: float) -> None:
    with closing(driver.cursor()) as cursor:
        if cursor.execute("PRAGMA journal_mode").fetchone() != ("wal",):
            _switch_to_wal(cursor, time.monotonic() + busy_timeout_s)
    _prepare_transactions(driver)


def _prepare_transactions(driver: sqlite3.Connection) -> None:
    driver.isolation_level = None  # else the driver begins transactions itself, deferred ones
    with closing(driver.cursor()) as cursor:
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.execute(f"PRAGMA synchronous = {SYNCHRONOUS}")
        cursor.execute("PRAGMA secure_delete = ON")  # what is erased must not stay in free pages


def _switch_to_wal(cursor: sqlite3.Cursor, deadline: float) -> None:
    """Turn the write-ahead log on.

    SQLite does not wait for others here, whatever the busy timeout is: so we do, by beginning a transaction, which
    waits, and trying again.
    """
    while True:
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            cursor.execute("BEGIN IMMEDIATE")
            cursor.execute("ROLLBACK")
        else:
            return


def empty_log(connection: Connection) -> None:
    """Fold SQLite's write-ahead log into the database and cut it to nothing, so that it keeps nothing erased.

    Waits for readers up to the busy timeout; while one stays longer, the log keeps its content until it is folded in
    at the latest when the last connection closes. PostgreSQL has no such file for one database.
    """
    if connection.dialect.name == "sqlite":
        driver = cast("sqlite3.Connection", connection.connection.driver_connection)
        driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").close()


_READING = "dissolve_reading"


def only_reading(connection: Connection) -> Connection:
    """The connection, its next transaction without the right to write; the pool gives the right back."""
    return connection.execution_options(**{_READING: True}, postgresql_readonly=True)


def _begin(connection: Connection) -> None:
    reading = connection.get_execution_options().get(_READING, False)
    if connection.info.get(_READING, False) != reading:  # outlives the transaction, so only changes cost a statement
        connection.exec_driver_sql(f"PRAGMA query_only = {'ON' if reading else 'OFF'}")
        connection.info[_READING] = reading
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")


def _postgresql(url: URL, shown: str, busy_timeout_s: float, connections: int) -> Engine:
    arguments: dict[str, Any] = {} if "connect_timeout" in url.query else {"connect_timeout": CONNECT_TIMEOUT_S}
    try:
        engine = create_engine(url, connect_args=arguments, hide_parameters=True, **_pool(busy_timeout_s, connections))
    except ImportError as error:
        detail = "PostgreSQL needs its driver; install it with: pip install 'psycopg[binary]>=3.2,<4'"
        raise StoreUnavailable(shown, detail) from error

    def prepare(connection: object, _record: object) -> None:
        driver = cast("_Driver", connection)
        with closing(driver.cursor()) as cursor:
            cursor.execute(f"SET lock_timeout = {int(busy_timeout_s * 1000)}")  # ms
            cursor.execute("SET TIME ZONE 'UTC'")
        driver.commit()

    event.listen(engine, "connect", prepare)
    event.listen(engine, "checkin", _note_use)
    event.listen(engine, "checkout", _refuse_dead)
    return engine


_SELECTOR = getattr(selectors, "PollSelector", selectors.SelectSelector)  # the one that takes any descriptor, if any
_USED_AT = "dissolve.used_at"


def _note_use(_connection: object, record: PoolProxiedConnection) -> None:
    record.info[_USED_AT] = time.monotonic()


def _refuse_dead(connection: object, record: PoolProxiedConnection, _proxy: object) -> None:
    """Raise InvalidatePoolError for a connection that its server has ended, so that the pool makes new ones.

    A server says nothing to an idle connection but its goodbye: a socket that can be read has it, and that costs no
    round trip to find out. After a long rest the connection is tried.
    """
    driver = cast("_Driver", connection)
    used_at = record.info.get(_USED_AT)
    if used_at is None:
        return  # it has just been made
    try:
        with _SELECTOR() as looking:
            looking.register(driver.fileno(), selectors.EVENT_READ)
            said = bool(looking.select(0))
        if said or time.monotonic() - used_at > IDLE_S:
            _ask(driver)
    except Exception as error:  # the driver's own classes are not known here, and whatever it says, it is of no use
        raise InvalidatePoolError from error


def _ask(driver: _Driver) -> None:
    with closing(driver.cursor()) as cursor:
        cursor.execute("SELECT 1")
    driver.rollback()


def _translate(context: ExceptionContext, shown: str) -> None:
    """Raise our error in place of the driver's. Rows' values are in neither: parameters are hidden."""
    error = context.sqlalchemy_exception
    if not isinstance(error, DBAPIError):
        return
    said = str(context.original_exception).strip().splitlines() or [type(context.original_exception).__name__]
    if isinstance(error, _REFUSED):
        raise StoreError(shown, f"refused a statement ({masked(said[0])}); please report this as a fault")
    remedy = next((todo for part, todo in _WHAT_TO_DO if part in said[0].lower()), None)
    if remedy is None:
        remedy = "cannot be used; check that it runs and that the URL, user and password are right"
    raise StoreUnavailable(shown, f"{remedy} ({masked(said[0])})")
