"""The tables of the ledger: versions, boundaries, claims on both time axes, dissent, and what is left of the erased.

A row of `claims`, `affirmations` or `dissent` belongs to the versions `version_from` <= v < `version_to` (open when
that is empty). It is never changed but for that end, which is set once.
"""

from typing import Any

from sqlalchemy import (
    CheckConstraint,
    Column,
    ColumnElement,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    Table,
    UniqueConstraint,
    literal_column,
)

from dissolution.claims import Closing, Evidence, Mark, Statement, Support
from dissolution.excerpts import Excerpt
from dissolution.findings import GateDecision
from store.tables.columns import Document, ExactText, Instant
from store.tables.jobs import RowNumber, metadata, to_turn


def _versions() -> tuple[Column[Any], Column[Any]]:
    return Column("version_from", Integer, nullable=False), Column("version_to", Integer)


def _runs_forward() -> CheckConstraint:
    return CheckConstraint("version_to IS NULL OR version_to > version_from", name="versions_run_forward")


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
        to_turn("turn"),
        CheckConstraint('"start" >= 0 AND "start" < "end"', name="is_not_empty"),
        Index(None, "conversation", "turn"),
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
    Column("excerpts", Document(tuple[Excerpt, ...])),
    UniqueConstraint("conversation", "version"),
    ForeignKeyConstraint(["conversation", "through"], ["snapshots.conversation", "snapshots.through"]),
    CheckConstraint("version >= 1", name="counts_from_one"),
)

ledger_events = Table(
    "ledger_events",
    metadata,
    Column("conversation", ExactText, ForeignKey("conversations.id"), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("at", Instant, nullable=False),
    Column("kind", ExactText, nullable=False),
    Column("boundary", ExactText, ForeignKey("boundaries.job"), nullable=False),
    Column("through", Integer, nullable=False),
    Column("cycle", Integer, nullable=False),
    Column("claim", ExactText),
    Column("restored", Integer),
    Column("actor", ExactText, nullable=False),
    Column("reason", ExactText, nullable=False),
    CheckConstraint("version >= 1", name="counts_from_one"),
)

changes = Table(
    "changes",
    metadata,
    Column("conversation", ExactText, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("ordinal", Integer, primary_key=True, autoincrement=False),
    Column("kind", ExactText, nullable=False),
    Column("claim", ExactText),
    Column("other", ExactText),
    Column("reason", ExactText, nullable=False),
    Column("evidence", Document(tuple[Evidence, ...]), nullable=False),
    ForeignKeyConstraint(["conversation", "version"], ["ledger_events.conversation", "ledger_events.version"]),
)

claims = Table(
    "claims",
    metadata,
    Column("row", RowNumber, primary_key=True),
    Column("id", ExactText, nullable=False),
    Column("conversation", ExactText, ForeignKey("conversations.id"), nullable=False),
    Column("job", ExactText, ForeignKey("boundaries.job"), nullable=False),
    *_versions(),
    Column("recorded_from", Instant, nullable=False),
    Column("recorded_to", Instant),
    Column("since", Integer, nullable=False),
    Column("ordinal", Integer, nullable=False),
    Column("cycle", Integer, nullable=False),
    Column("affirmed", Integer, nullable=False),
    Column("section", ExactText, nullable=False),
    Column("text", ExactText, nullable=False),
    Column("state", ExactText, nullable=False),
    Column("temporal_class", ExactText, nullable=False),
    Column("valid_from_turn", Integer, nullable=False),
    Column("valid_to_turn", Integer),
    Column("valid_from", Instant),
    Column("valid_to", Instant),
    Column("closing", Document(Closing)),
    Column("support", Document(Support), nullable=False),
    Column("marks", Document(tuple[Mark, ...]), nullable=False),
    Column("reason", ExactText, nullable=False),
    Column("statements", Document(tuple[Statement, ...]), nullable=False),
    _runs_forward(),
    CheckConstraint("recorded_to IS NULL OR recorded_to >= recorded_from", name="recorded_runs_forward"),
    CheckConstraint("(version_to IS NULL) = (recorded_to IS NULL)", name="record_ends_once"),
    CheckConstraint("(state = 'current') = (closing IS NULL)", name="closed_has_closing"),
    Index(None, "id", "conversation"),
    Index(
        "ix_claims_recorded",
        "conversation",
        "version_from",
        "version_to",
        "state",
        "valid_from_turn",
        "valid_to_turn",
    ),
)

IS_OPEN: ColumnElement[bool] = claims.c.state == literal_column("'current'")
"""The claim holds as far as its row knows. A literal, since databases match a partial index with literals only."""
Index(
    "ix_claims_open",
    claims.c.conversation,
    sqlite_where=claims.c.version_to.is_(None) & IS_OPEN,
    postgresql_where=claims.c.version_to.is_(None) & IS_OPEN,
)

evidence = _evidence("evidence", "claim", "claims.row")

affirmations = Table(
    "affirmations",
    metadata,
    Column("claim", RowNumber, ForeignKey("claims.row"), primary_key=True),
    Column("version_from", Integer, primary_key=True, autoincrement=False),
    Column("version_to", Integer),
    Column("conversation", ExactText, ForeignKey("conversations.id"), nullable=False),
    Column("cycle", Integer, nullable=False),
    Column("affirmed", Integer, nullable=False),
    Column("reason", ExactText, nullable=False),
    Column("support", Document(Support), nullable=False),
    Column("evidence", Document(tuple[Evidence, ...]), nullable=False),
    Column("statements", Document(tuple[Statement, ...]), nullable=False),
    _runs_forward(),
    Index(None, "conversation", "version_from"),
)

dissent = Table(
    "dissent",
    metadata,
    Column("row", RowNumber, primary_key=True),
    Column("id", ExactText, nullable=False),
    Column("conversation", ExactText, ForeignKey("conversations.id"), nullable=False),
    Column("job", ExactText, ForeignKey("boundaries.job"), nullable=False),
    *_versions(),
    Column("since", Integer, nullable=False),
    Column("ordinal", Integer, nullable=False),
    Column("cycles", Integer, nullable=False),
    Column("section", ExactText, nullable=False),
    Column("text", ExactText, nullable=False),
    Column("support", Document(Support), nullable=False),
    Column("reason", ExactText, nullable=False),
    Column("detail", ExactText, nullable=False),
    Column("against", Document(tuple[str, ...]), nullable=False),
    Column("statements", Document(tuple[Statement, ...]), nullable=False),
    _runs_forward(),
    Index(None, "id"),
    Index("ix_dissent_recorded", "conversation", "version_from", "version_to"),
)

dissent_evidence = _evidence("dissent_evidence", "dissent", "dissent.row")

erasures = Table(
    "erasures",
    metadata,
    Column("number", RowNumber, primary_key=True),
    Column("conversation", ExactText, nullable=False),
    Column("at", Instant, nullable=False),
    Column("actor", ExactText, nullable=False),
    Column("reason", ExactText, nullable=False),
    Column("turns", Integer, nullable=False),
    Column("jobs", Integer, nullable=False),
    Column("claims", Integer, nullable=False),
    Index(None, "conversation"),
)
