"""Connections to a SQLite file that only read, also where neither the file nor its folder can be written.

A database with a write-ahead log has two files beside it, `-wal` and `-shm`, and SQLite makes them for readers, too.
Where it cannot, the file is read as one that nobody changes, which is right as long as it has no log: whoever writes
has one.
"""

import sqlite3
from pathlib import Path
from urllib.parse import quote

PRIMARY = 0xFF
"""The part of an extended result code that says what kind of error it is (sqlite.org/rescode.html)."""

NO_PLACE = frozenset({sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY})
"""How SQLite says that it cannot make or use the files beside the database."""


def reading_connection(path: Path, busy_timeout_s: float) -> sqlite3.Connection:
    """A connection that can write nothing. Raises sqlite3.Error."""
    connection = _connect(path, "mode=ro", busy_timeout_s)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").close()
    except sqlite3.OperationalError as error:
        connection.close()
        if error.sqlite_errorcode & PRIMARY not in NO_PLACE or has_log(path):
            raise
        return _connect(path, "immutable=1", busy_timeout_s)
    return connection


def has_log(path: Path) -> bool:
    """Whether there is a write-ahead log with something in it, which the file alone does not hold."""
    log = path.with_name(f"{path.name}-wal")
    return log.exists() and log.stat().st_size > 0


def _connect(path: Path, how: str, busy_timeout_s: float) -> sqlite3.Connection:
    """One that begins no transaction by itself: readers begin them as everybody does (store/sql/engine.py)."""
    address = f"file:{quote(str(path.absolute()))}?{how}"
    return sqlite3.connect(address, uri=True, timeout=busy_timeout_s, isolation_level=None, check_same_thread=False)
