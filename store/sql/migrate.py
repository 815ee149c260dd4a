"""The schema's revision: which one a database has, which one this version needs, and the way from one to the other."""

import threading
from collections.abc import Callable
from typing import cast

from sqlalchemy import Connection, Engine, inspect, text

from dissolution.errors import SchemaMismatch
from store.tables.jobs import VERSION_TABLE
from store.tables.schema import metadata

REVISION = "0012"
"""The newest revision in `store/migrations/versions`; written here too so that opening an up-to-date database
needs no Alembic (a test compares)."""

LOCK_KEY = 0x6469_7373_6F6C_7665
"""PostgreSQL advisory lock held while a schema is changed: the bytes of "dissolve"."""


_ALEMBIC = threading.Lock()
"""Alembic keeps its context in module variables; taken after the database's lock, never before it."""


def expected_revision() -> str:
    """The revision this version of the project works with."""
    return REVISION


def prepare(engine: Engine, shown: str, finish: Callable[[Connection], None] = lambda _: None) -> None:
    """Bring the schema to the expected revision and call `finish`, in one transaction and under a lock.

    Many processes may open one new database at the same moment: one migrates, the others wait and find it done.

    Args:
        engine: From `open_engine`.
        shown: The URL as messages show it.
        finish: What else belongs into the transaction that opens a store.

    Raises:
        SchemaMismatch: a newer version of the project made the database, or another program did.
        StoreUnavailable: the database cannot be used.
    """
    with engine.begin() as connection:
        if read_revision(connection) != REVISION:
            _lock(connection)
            _upgrade(connection, shown)
        finish(connection)


def read_revision(connection: Connection) -> str | None:
    """The revision the connected database has, None when there is none."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    return cast("str | None", connection.scalar(text(f"SELECT version_num FROM {VERSION_TABLE}")))  # noqa: S608 - a constant


def _lock(connection: Connection) -> None:
    """SQLite's transaction is a writer's already and so excludes all others."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK_KEY})


def _upgrade(connection: Connection, shown: str) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", "store:migrations")
    config.attributes["connection"] = connection
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    present = read_revision(connection)  # again: another process may have migrated while we waited for the lock
    if present is None:
        _refuse_strangers(connection, shown)
    elif present not in known:
        raise SchemaMismatch(
            shown,
            f"has schema revision {present!r}, this version of the project knows up to {REVISION!r}; "
            "install the newer version that made it, or name another database with --db",
        )
    with _ALEMBIC:
        command.upgrade(config, "head")


def _refuse_strangers(connection: Connection, shown: str) -> None:
    """A database without a revision must be empty; a shared PostgreSQL one must at least lack our names."""
    present = set(inspect(connection).get_table_names())
    strange = present if connection.dialect.name == "sqlite" else present & set(metadata.tables)
    strange.discard(VERSION_TABLE)
    if strange:
        raise SchemaMismatch(
            shown,
            f"has no schema revision, this version needs {REVISION!r}, yet there are tables ({min(strange)!r}): "
            "another program made it; name another database with --db",
        )
