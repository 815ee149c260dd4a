"""The table of the outbox; in the same metadata as the rest, so that one migration and one test cover all."""

from sqlalchemy import Column, ForeignKey, Index, Integer, Table, UniqueConstraint

from store.columns import ExactText, Instant
from store.tables import RowNumber, metadata

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
