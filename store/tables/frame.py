"""The tables of assumption registers: how far each conversation was read, and what happened to its premises."""

from sqlalchemy import CheckConstraint, Column, ForeignKey, Integer, Table

from dissolution.premises import PremiseEvent
from store.tables.columns import Document, ExactText
from store.tables.jobs import metadata

registers = Table(
    "registers",
    metadata,
    Column("conversation", ExactText, ForeignKey("conversations.id"), primary_key=True),
    Column("through", Integer, nullable=False),
    CheckConstraint("through >= 0", name="counts_turns"),
)

premise_events = Table(
    "premise_events",
    metadata,
    Column("conversation", ExactText, ForeignKey("registers.conversation"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("turn", Integer, nullable=False),
    Column("premise", ExactText, nullable=False),
    Column("kind", ExactText, nullable=False),
    Column("event", Document(PremiseEvent), nullable=False),
    CheckConstraint("number >= 1", name="counts_from_one"),
)
