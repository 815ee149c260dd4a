"""The table of vectors: what an embedder made of the texts of a conversation. Derived, so it may be emptied."""

from sqlalchemy import Column, ForeignKey, Index, Integer, LargeBinary, Table, UniqueConstraint

from store.tables.columns import ExactText
from store.tables.jobs import RowNumber, metadata

vectors = Table(
    "vectors",
    metadata,
    Column("row", RowNumber, primary_key=True),
    Column("conversation", ExactText, ForeignKey("conversations.id"), nullable=False),
    Column("kind", ExactText, nullable=False),
    Column("name", ExactText, nullable=False),
    Column("part", Integer, nullable=False),
    Column("stamp", ExactText, nullable=False),
    Column("data", LargeBinary, nullable=False),
    UniqueConstraint("conversation", "kind", "name", "part"),
    Index(None, "conversation", "stamp", "row"),
)
