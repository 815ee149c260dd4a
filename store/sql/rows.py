"""What several repositories do with rows."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Row, Table
from sqlalchemy.dialects import postgresql, sqlite

from dissolution.answers import FinishReason, Reply
from store.sql.read_once import Seen


def insert_if_absent(connection: Connection, table: Table, *rows: Mapping[str, object]) -> int:
    """Add each row unless one with its key is there, safely against others who do the same; in the order given.

    Returns how many were added.
    """
    make = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    given = dict(rows[0]) if len(rows) == 1 else [dict(row) for row in rows]  # one alone is prepared once for all
    adding = make(table).values(given).on_conflict_do_nothing()
    return len(connection.execute(adding.returning(*table.primary_key)).all())


def reply_values(reply: Reply | None) -> dict[str, object]:
    """The four columns of a raw reply; all None without one."""
    return {
        "reply_text": reply and reply.text,
        "finish": reply and reply.finish.value,
        "usage": reply and reply.usage,
        "model_reported": reply and reply.model_reported,
    }


def read_reply(row: Row[Any]) -> Reply | None:
    """The raw reply of a row of `calls` or `answers`; None where there is none."""
    found = row._mapping  # noqa: SLF001 - SQLAlchemy's public name for a row as a mapping
    if found["reply_text"] is None:
        return None
    return Reply(
        text=found["reply_text"],
        finish=FinishReason(found["finish"]),
        usage=found["usage"],
        model_reported=found["model_reported"],
    )


class Repository:
    """Something that reads and writes rows in one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection


class Seeing(Repository):
    """One that shares with others what the transaction has read.

    Args:
        connection: Of the transaction.
        seen: What it has read; nothing yet when None.
    """

    def __init__(self, connection: Connection, seen: Seen | None = None) -> None:
        super().__init__(connection)
        self._seen = seen or Seen()
