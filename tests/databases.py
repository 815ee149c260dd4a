"""SQLite databases for tests that are not about migrations: copies of one that was migrated, at no cost."""

from pathlib import Path

from store.sql.engine import open_engine
from store.sql.migrate import read_revision
from store.sql.unit_of_work import migrated_content


def migrated(file: Path) -> str:
    """URL of the database in `file`, which has the newest schema and nothing else when it was not there before.

    Opening an empty one would bring every revision of the schema, one after the other, in each of hundreds of tests.
    """
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o600)
        file.write_bytes(migrated_content())
    return f"sqlite:///{file}"


def revision_of(url: str) -> str | None:
    """The revision of the database at `url`, None while it has none."""
    engine = open_engine(url, busy_timeout_s=30.0)
    try:
        with engine.connect() as connection:
            return read_revision(connection)
    finally:
        engine.dispose()
