"""The tables. What one row of each is stands in docs/store.md; the migrations build the same (a test compares)."""

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
    UniqueConstraint,
    false,
)

from dissolution.answers import MemberCard, MemberFailure, ParsedReply, PromptStamp, Usage
from dissolution.claims import Mark, Statement, Support
from dissolution.conversation import Language, QuotedSpan
from dissolution.findings import GateDecision
from dissolution.policy import Policy
from dissolution.receipt import Receipt
from store.columns import Document, ExactText, Instant

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


def _to_turn(number: str) -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["conversation", number], ["turns.conversation", "turns.number"])


def _evidence(table: str, owner: str, parent: str) -> Table:
    """A place in a turn and its words, once for claims and once for dissent."""
    return Table(
        table,
        metadata,
        Column(owner, RowNumber, ForeignKey(parent), primary_key=True),
        Column("ordinal", Integer, primary_key=True),
        Column("conversation", ExactText, nullable=False),
        Column("turn", Integer, nullable=False),
        Column("start", Integer, nullable=False),
        Column("end", Integer, nullable=False),
        Column("text", ExactText, nullable=False),
        _to_turn("turn"),
        CheckConstraint('"start" >= 0 AND "start" < "end"', name="is_not_empty"),
        Index(None, "conversation", "turn"),
    )


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
    _to_turn("turn"),
)

snapshots = Table(
    "snapshots",
    metadata,
    Column("conversation", ExactText, primary_key=True),
    Column("through", Integer, primary_key=True),
    Column("digest", ExactText, nullable=False),
    _to_turn("through"),
)

jobs = Table(
    "jobs",
    metadata,
    Column("id", ExactText, primary_key=True),
    Column("conversation", ExactText, nullable=False),
    Column("through", Integer, nullable=False),
    Column("snapshot_digest", ExactText, nullable=False),
    Column("fleet", ExactText, nullable=False),
    Column("policy", Document(Policy), nullable=False),
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

boundaries = Table(
    "boundaries",
    metadata,
    Column("job", ExactText, ForeignKey("jobs.id"), primary_key=True),
    Column("conversation", ExactText, nullable=False),
    Column("version", Integer, nullable=False),
    Column("through", Integer, nullable=False),
    Column("snapshot_digest", ExactText, nullable=False),
    Column("verdict", ExactText, nullable=False),
    Column("decision", Document(GateDecision), nullable=False),
    Column("committed_at", Instant, nullable=False),
    UniqueConstraint("conversation", "version"),
    ForeignKeyConstraint(["conversation", "through"], ["snapshots.conversation", "snapshots.through"]),
    CheckConstraint("version >= 1", name="counts_from_one"),
)

claims = Table(
    "claims",
    metadata,
    Column("row", RowNumber, primary_key=True),
    Column("id", ExactText, nullable=False),
    Column("conversation", ExactText, ForeignKey("conversations.id"), nullable=False),
    Column("job", ExactText, ForeignKey("boundaries.job"), nullable=False),
    Column("section", ExactText, nullable=False),
    Column("text", ExactText, nullable=False),
    Column("valid_from_turn", Integer, nullable=False),
    Column("valid_to_turn", Integer),
    Column("recorded_from", Instant, nullable=False),
    Column("recorded_to", Instant),
    Column("support", Document(Support), nullable=False),
    Column("marks", Document(tuple[Mark, ...]), nullable=False),
    Column("reason", ExactText, nullable=False),
    Column("statements", Document(tuple[Statement, ...]), nullable=False),
    CheckConstraint("recorded_to IS NULL OR recorded_to >= recorded_from", name="recorded_runs_forward"),
    Index(None, "id"),
)
_STILL_OPEN = claims.c.recorded_to.is_(None)
Index("ix_claims_open", claims.c.conversation, sqlite_where=_STILL_OPEN, postgresql_where=_STILL_OPEN)

evidence = _evidence("evidence", "claim", "claims.row")

boundary_claims = Table(
    "boundary_claims",
    metadata,
    Column("job", ExactText, ForeignKey("boundaries.job"), primary_key=True),
    Column("ordinal", Integer, primary_key=True, autoincrement=False),
    Column("claim", RowNumber, ForeignKey("claims.row"), nullable=False),
    Index(None, "claim"),
)

dissent = Table(
    "dissent",
    metadata,
    Column("row", RowNumber, primary_key=True),
    Column("id", ExactText, nullable=False),
    Column("conversation", ExactText, ForeignKey("conversations.id"), nullable=False),
    Column("job", ExactText, ForeignKey("boundaries.job"), nullable=False),
    Column("ordinal", Integer, nullable=False),
    Column("section", ExactText, nullable=False),
    Column("text", ExactText, nullable=False),
    Column("support", Document(Support), nullable=False),
    Column("reason", ExactText, nullable=False),
    Column("detail", ExactText, nullable=False),
    Column("against", Document(tuple[str, ...]), nullable=False),
    Column("statements", Document(tuple[Statement, ...]), nullable=False),
    UniqueConstraint("job", "ordinal"),
    Index(None, "id"),
)

dissent_evidence = _evidence("dissent_evidence", "dissent", "dissent.row")

receipts = Table(
    "receipts",
    metadata,
    Column("job", ExactText, ForeignKey("jobs.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("ended_at", Instant, nullable=False),
    Column("document", Document(Receipt), nullable=False),
)
