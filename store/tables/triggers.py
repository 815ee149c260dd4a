"""The tables of triggers: which conversations they watch, what they remember, and every evaluation."""

from sqlalchemy import Boolean, Column, ForeignKey, Integer, LargeBinary, Table

from dissolution.triggering import Evaluation, TriggerState, Watch
from store.tables.columns import Document, ExactText, Instant
from store.tables.jobs import metadata

watches = Table(
    "watches",
    metadata,
    Column("conversation", ExactText, ForeignKey("conversations.id"), primary_key=True),
    Column("watch", Document(Watch), nullable=False),
)

trigger_states = Table(
    "trigger_states",
    metadata,
    Column("conversation", ExactText, ForeignKey("conversations.id"), primary_key=True),
    Column("revision", Integer, nullable=False),
    Column("through", Integer, nullable=False),
    Column("awaited", ExactText),  # a job: when it has ended the conversation is looked at
    Column("look_at", Instant),
    Column("state", Document(TriggerState), nullable=False),  # without its memory and `look_at`
    Column("memory", LargeBinary, nullable=False),
)

evaluations = Table(
    "evaluations",
    metadata,
    Column("conversation", ExactText, ForeignKey("conversations.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("turn", Integer, nullable=False),
    Column("fired", Boolean, nullable=False),
    Column("notable", Boolean, nullable=False),
    Column("evaluation", Document(Evaluation), nullable=False),
)
