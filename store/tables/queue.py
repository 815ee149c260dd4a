"""The table of the outbox; in the same metadata as the rest, so that one migration and one test cover all."""

from sqlalchemy import Column, ForeignKey, Index, Integer, Table, UniqueConstraint, literal_column

from store.tables.columns import ExactText, Instant
from store.tables.jobs import RowNumber, metadata, steps

outbox = Table(
    "outbox",
    metadata,
    Column("id", RowNumber, primary_key=True),
    Column("job", ExactText, ForeignKey("jobs.id", ondelete="CASCADE"), nullable=False),
    Column("stage", ExactText, nullable=False),
    Column("queue", ExactText, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("due_at", Instant, nullable=False),
    Column("sent_at", Instant),
    Column("attempts", Integer, nullable=False),
    UniqueConstraint("job", "stage"),
    Index(None, "queue", "due_at"),
)

STEP_RUNS = steps.c.status == literal_column("'running'")
"""A literal, not a parameter: SQLite uses a partial index only when it can see that the condition is the index's."""

Index("ix_steps_running", steps.c.lease_until, sqlite_where=STEP_RUNS, postgresql_where=STEP_RUNS)
