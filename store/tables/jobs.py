"""The tables of conversations and jobs; those of the ledger are in `store.tables.ledger`.

What one row of each is stands in docs/store.md; the migrations build the same (a test compares).
"""

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    false,
)

from dissolution.answers import MemberCard, MemberFailure, ParsedReply, PromptStamp, Usage
from dissolution.conversation import Language, QuotedSpan
from dissolution.policy.job_policy import Policy
from dissolution.receipt.job_receipt import Receipt
from store.tables.columns import Document, ExactText, Instant

VERSION_TABLE = "schema_revision"
"""Where the schema's revision stands; not Alembic's default name, so that a shared database causes no mix-up."""

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)

RowNumber = BigInteger().with_variant(Integer(), "sqlite")
"""A row's own number: SQLite counts up by itself only in columns of type INTEGER."""


def to_turn(number: str) -> ForeignKeyConstraint:
    """The column `number` names a turn of the row's conversation."""
    return ForeignKeyConstraint(["conversation", number], ["turns.conversation", "turns.number"])


def _reply() -> tuple[Column[Any], ...]:
    """The four columns of a raw reply; all are empty for a call that failed or has not landed."""
    return (
        Column("reply_text", ExactText),
        Column("finish", ExactText),
        Column("usage", Document(Usage)),
        Column("model_reported", ExactText),
    )


installation = Table(
    "installation",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("key", LargeBinary, nullable=False),
    CheckConstraint("id = 1", name="is_one"),
)

conversations = Table(
    "conversations",
    metadata,
    Column("id", ExactText, primary_key=True),
    Column("title", ExactText),
    Column("language", Document(Language), nullable=False),
    Column("tenant", ExactText, nullable=False, server_default="default"),
    Index(None, "tenant", "id"),
)

turns = Table(
    "turns",
    metadata,
    Column("conversation", ExactText, ForeignKey("conversations.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("role", ExactText, nullable=False),
    Column("speaker", ExactText, nullable=False),
    Column("content", ExactText, nullable=False),
    Column("said_at", Instant),
    Column("recorded_at", Instant, nullable=False),
    Column("quoted", Document(tuple[QuotedSpan, ...]), nullable=False),
    Column("digest", ExactText, nullable=False),
    Column("chained", ExactText, nullable=False),
    CheckConstraint("number >= 1", name="counts_from_one"),
)

redactions = Table(
    "redactions",
    metadata,
    Column("conversation", ExactText, primary_key=True),
    Column("ordinal", Integer, primary_key=True),
    Column("turn", Integer, nullable=False),
    Column("kind", ExactText, nullable=False),
    Column("placeholder", ExactText, nullable=False),
    to_turn("turn"),
)

known_secrets = Table(
    "known_secrets",
    metadata,
    Column("conversation", ExactText, primary_key=True),
    Column("ordinal", Integer, primary_key=True),
    Column("turn", Integer, nullable=False),
    Column("placeholder", ExactText, nullable=False),
    Column("length", Integer, nullable=False),
    Column("head", ExactText, nullable=False),
    Column("digest", ExactText, nullable=False),
    to_turn("turn"),
)

snapshots = Table(
    "snapshots",
    metadata,
    Column("conversation", ExactText, primary_key=True),
    Column("through", Integer, primary_key=True),
    Column("digest", ExactText, nullable=False),
    to_turn("through"),
)

jobs = Table(
    "jobs",
    metadata,
    Column("id", ExactText, primary_key=True),
    Column("conversation", ExactText, nullable=False),
    Column("through", Integer, nullable=False),
    Column("snapshot_digest", ExactText, nullable=False),
    Column("fleet", ExactText, nullable=False),
    Column("policy", Document(Policy, repeated=True), nullable=False),
    Column("status", ExactText, nullable=False),
    Column("reason", ExactText),
    Column("expected_version", Integer, nullable=False),
    Column("hold", Boolean, nullable=False, server_default=false()),
    Column("tenant", ExactText, nullable=False, server_default="default"),
    Column("lane", ExactText),
    Column("created_at", Instant, nullable=False),
    Column("ended_at", Instant),
    ForeignKeyConstraint(["conversation", "through"], ["snapshots.conversation", "snapshots.through"]),
    Index(None, "conversation"),
    Index(None, "status"),
    Index(None, "tenant", "created_at", "id"),
)

steps = Table(
    "steps",
    metadata,
    Column("job", ExactText, ForeignKey("jobs.id"), primary_key=True),
    Column("stage", ExactText, primary_key=True),
    Column("ordinal", Integer, nullable=False),
    Column("status", ExactText, nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("owner", ExactText),
    Column("lease_until", Instant),
    Column("started_at", Instant),
    Column("ended_at", Instant),
    Column("reason", ExactText),
    Column("output", ExactText),
)

calls = Table(
    "calls",
    metadata,
    Column("job", ExactText, primary_key=True),
    Column("stage", ExactText, primary_key=True),
    Column("member", ExactText, primary_key=True),
    Column("ordinal", Integer, primary_key=True, autoincrement=False),
    Column("card", Document(MemberCard), nullable=False),
    Column("prompt", Document(PromptStamp), nullable=False),
    Column("asked_at", Instant, nullable=False),
    Column("landed_at", Instant),
    *_reply(),
    Column("failure", Document(MemberFailure)),
    Column("late", Boolean, nullable=False),
    ForeignKeyConstraint(["job", "stage"], ["steps.job", "steps.stage"]),
)

answers = Table(
    "answers",
    metadata,
    Column("job", ExactText, ForeignKey("jobs.id"), primary_key=True),
    Column("ordinal", Integer, primary_key=True, autoincrement=False),
    Column("member", ExactText, nullable=False),
    Column("card", Document(MemberCard), nullable=False),
    *_reply(),
    Column("parsed", Document(ParsedReply), nullable=False),
    Column("late", Boolean, nullable=False),
    Column("latency_s", Double, nullable=False),
)

events = Table(
    "events",
    metadata,
    Column("job", ExactText, ForeignKey("jobs.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", Instant, nullable=False),
    Column("kind", ExactText, nullable=False),
    Column("detail", ExactText, nullable=False),
)

receipts = Table(
    "receipts",
    metadata,
    Column("job", ExactText, ForeignKey("jobs.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("ended_at", Instant, nullable=False),
    Column("document", Document(Receipt), nullable=False),
)
