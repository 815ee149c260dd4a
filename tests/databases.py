"""SQLite databases for tests that are not about migrations: copies of one that was migrated, at no cost."""

import tempfile
from functools import cache
from pathlib import Path

from store.sql.migrate import migrate


def migrated(file: Path) -> str:
    """URL of the database in `file`, which has the newest schema and nothing else when it was not there before.

    Opening an empty one would bring every revision of the schema, one after the other, in each of hundreds of tests.
    """
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o600)
        file.write_bytes(_template())
    return f"sqlite:///{file}"


@cache
def _template() -> bytes:
    """What a migrated database is in its file; it has no key of an installation yet."""
    with tempfile.TemporaryDirectory(prefix="dissolve-template-") as folder:
        file = Path(folder) / "template.sqlite3"
        migrate(f"sqlite:///{file}")
        assert not file.with_name("template.sqlite3-wal").exists(), "the file alone is the whole database"
        return file.read_bytes()
