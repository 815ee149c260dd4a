"""The first tables. Written out in plain types: later changes of store.tables.jobs leave a released revision alone."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create all tables, those that others point to first."""
    _create_conversations()
    _create_job_tables()
    _create_call_tables()
    _create_boundaries()
    _create_claims()
    _create_dissent()


def _row_number() -> sa.types.TypeEngine[int]:
    """SQLite counts up by itself only in columns of type INTEGER."""
    return sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _create_conversations() -> None:
    op.create_table(
        "conversations",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=True),
        sa.Column("language", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_conversations")),
    )
    op.create_table(
        "installation",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("key", sa.LargeBinary(), nullable=False),
        sa.CheckConstraint("id = 1", name=op.f("ck_installation_is_one")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_installation")),
    )
    op.create_table(
        "turns",
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("speaker", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("said_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("recorded_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("quoted", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("chained", sa.Text(), nullable=False),
        sa.CheckConstraint("number >= 1", name=op.f("ck_turns_counts_from_one")),
        sa.ForeignKeyConstraint(["conversation"], ["conversations.id"], name=op.f("fk_turns_conversation")),
        sa.PrimaryKeyConstraint("conversation", "number", name=op.f("pk_turns")),
    )
    op.create_table(
        "redactions",
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("placeholder", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["conversation", "turn"],
            ["turns.conversation", "turns.number"],
            name=op.f("fk_redactions_conversation_turn"),
        ),
        sa.PrimaryKeyConstraint("conversation", "ordinal", name=op.f("pk_redactions")),
    )
    op.create_table(
        "snapshots",
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("through", sa.Integer(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["conversation", "through"],
            ["turns.conversation", "turns.number"],
            name=op.f("fk_snapshots_conversation_through"),
        ),
        sa.PrimaryKeyConstraint("conversation", "through", name=op.f("pk_snapshots")),
    )


def _create_job_tables() -> None:
    op.create_table(
        "jobs",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("through", sa.Integer(), nullable=False),
        sa.Column("snapshot_digest", sa.Text(), nullable=False),
        sa.Column("fleet", sa.Text(), nullable=False),
        sa.Column("policy", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("expected_version", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["conversation", "through"],
            ["snapshots.conversation", "snapshots.through"],
            name=op.f("fk_jobs_conversation_through"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_jobs")),
    )
    op.create_index(op.f("ix_jobs_conversation"), "jobs", ["conversation"], unique=False)
    op.create_index(op.f("ix_jobs_status"), "jobs", ["status"], unique=False)
    op.create_table(
        "steps",
        sa.Column("job", sa.Text(), nullable=False),
        sa.Column("stage", sa.Text(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("output", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["job"], ["jobs.id"], name=op.f("fk_steps_job")),
        sa.PrimaryKeyConstraint("job", "stage", name=op.f("pk_steps")),
    )
    op.create_table(
        "events",
        sa.Column("job", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["job"], ["jobs.id"], name=op.f("fk_events_job")),
        sa.PrimaryKeyConstraint("job", "number", name=op.f("pk_events")),
    )


def _create_call_tables() -> None:
    op.create_table(
        "calls",
        sa.Column("job", sa.Text(), nullable=False),
        sa.Column("stage", sa.Text(), nullable=False),
        sa.Column("member", sa.Text(), nullable=False),
        sa.Column("ordinal", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("card", sa.Text(), nullable=False),
        sa.Column("prompt", sa.Text(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("landed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("reply_text", sa.Text(), nullable=True),
        sa.Column("finish", sa.Text(), nullable=True),
        sa.Column("usage", sa.Text(), nullable=True),
        sa.Column("model_reported", sa.Text(), nullable=True),
        sa.Column("failure", sa.Text(), nullable=True),
        sa.Column("late", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["job", "stage"], ["steps.job", "steps.stage"], name=op.f("fk_calls_job_stage")),
        sa.PrimaryKeyConstraint("job", "stage", "member", "ordinal", name=op.f("pk_calls")),
    )
    op.create_table(
        "answers",
        sa.Column("job", sa.Text(), nullable=False),
        sa.Column("ordinal", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("member", sa.Text(), nullable=False),
        sa.Column("card", sa.Text(), nullable=False),
        sa.Column("reply_text", sa.Text(), nullable=True),
        sa.Column("finish", sa.Text(), nullable=True),
        sa.Column("usage", sa.Text(), nullable=True),
        sa.Column("model_reported", sa.Text(), nullable=True),
        sa.Column("parsed", sa.Text(), nullable=False),
        sa.Column("late", sa.Boolean(), nullable=False),
        sa.Column("latency_s", sa.Double[float](), nullable=False),
        sa.ForeignKeyConstraint(["job"], ["jobs.id"], name=op.f("fk_answers_job")),
        sa.PrimaryKeyConstraint("job", "ordinal", name=op.f("pk_answers")),
    )


def _create_boundaries() -> None:
    op.create_table(
        "boundaries",
        sa.Column("job", sa.Text(), nullable=False),
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("through", sa.Integer(), nullable=False),
        sa.Column("snapshot_digest", sa.Text(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("decision", sa.Text(), nullable=False),
        sa.Column("committed_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("version >= 1", name=op.f("ck_boundaries_counts_from_one")),
        sa.ForeignKeyConstraint(
            ["conversation", "through"],
            ["snapshots.conversation", "snapshots.through"],
            name=op.f("fk_boundaries_conversation_through"),
        ),
        sa.ForeignKeyConstraint(["job"], ["jobs.id"], name=op.f("fk_boundaries_job")),
        sa.PrimaryKeyConstraint("job", name=op.f("pk_boundaries")),
        sa.UniqueConstraint("conversation", "version", name=op.f("uq_boundaries_conversation_version")),
    )
    op.create_table(
        "receipts",
        sa.Column("job", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["job"], ["jobs.id"], name=op.f("fk_receipts_job")),
        sa.PrimaryKeyConstraint("job", "number", name=op.f("pk_receipts")),
    )


def _create_claims() -> None:
    op.create_table(
        "claims",
        sa.Column("row", _row_number(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("job", sa.Text(), nullable=False),
        sa.Column("section", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("valid_from_turn", sa.Integer(), nullable=False),
        sa.Column("valid_to_turn", sa.Integer(), nullable=True),
        sa.Column("recorded_from", sa.DateTime(timezone=True), nullable=False),
        sa.Column("recorded_to", sa.DateTime(timezone=True), nullable=True),
        sa.Column("support", sa.Text(), nullable=False),
        sa.Column("marks", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("statements", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "recorded_to IS NULL OR recorded_to >= recorded_from", name=op.f("ck_claims_recorded_runs_forward")
        ),
        sa.ForeignKeyConstraint(["conversation"], ["conversations.id"], name=op.f("fk_claims_conversation")),
        sa.ForeignKeyConstraint(["job"], ["boundaries.job"], name=op.f("fk_claims_job")),
        sa.PrimaryKeyConstraint("row", name=op.f("pk_claims")),
    )
    op.create_index(op.f("ix_claims_id"), "claims", ["id"], unique=False)
    op.create_index(
        "ix_claims_open",
        "claims",
        ["conversation"],
        unique=False,
        sqlite_where=sa.text("recorded_to IS NULL"),
        postgresql_where=sa.text("recorded_to IS NULL"),
    )
    op.create_table(
        "boundary_claims",
        sa.Column("job", sa.Text(), nullable=False),
        sa.Column("ordinal", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("claim", _row_number(), nullable=False),
        sa.ForeignKeyConstraint(["claim"], ["claims.row"], name=op.f("fk_boundary_claims_claim")),
        sa.ForeignKeyConstraint(["job"], ["boundaries.job"], name=op.f("fk_boundary_claims_job")),
        sa.PrimaryKeyConstraint("job", "ordinal", name=op.f("pk_boundary_claims")),
    )
    op.create_index(op.f("ix_boundary_claims_claim"), "boundary_claims", ["claim"], unique=False)
    op.create_table(
        "evidence",
        sa.Column("claim", _row_number(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.CheckConstraint('"start" >= 0 AND "start" < "end"', name=op.f("ck_evidence_is_not_empty")),
        sa.ForeignKeyConstraint(["claim"], ["claims.row"], name=op.f("fk_evidence_claim")),
        sa.ForeignKeyConstraint(
            ["conversation", "turn"], ["turns.conversation", "turns.number"], name=op.f("fk_evidence_conversation_turn")
        ),
        sa.PrimaryKeyConstraint("claim", "ordinal", name=op.f("pk_evidence")),
    )
    op.create_index(op.f("ix_evidence_conversation_turn"), "evidence", ["conversation", "turn"], unique=False)


def _create_dissent() -> None:
    op.create_table(
        "dissent",
        sa.Column("row", _row_number(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("job", sa.Text(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("section", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("support", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("against", sa.Text(), nullable=False),
        sa.Column("statements", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["conversation"], ["conversations.id"], name=op.f("fk_dissent_conversation")),
        sa.ForeignKeyConstraint(["job"], ["boundaries.job"], name=op.f("fk_dissent_job")),
        sa.PrimaryKeyConstraint("row", name=op.f("pk_dissent")),
        sa.UniqueConstraint("job", "ordinal", name=op.f("uq_dissent_job_ordinal")),
    )
    op.create_index(op.f("ix_dissent_id"), "dissent", ["id"], unique=False)
    op.create_table(
        "dissent_evidence",
        sa.Column("dissent", _row_number(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.CheckConstraint('"start" >= 0 AND "start" < "end"', name=op.f("ck_dissent_evidence_is_not_empty")),
        sa.ForeignKeyConstraint(
            ["conversation", "turn"],
            ["turns.conversation", "turns.number"],
            name=op.f("fk_dissent_evidence_conversation_turn"),
        ),
        sa.ForeignKeyConstraint(["dissent"], ["dissent.row"], name=op.f("fk_dissent_evidence_dissent")),
        sa.PrimaryKeyConstraint("dissent", "ordinal", name=op.f("pk_dissent_evidence")),
    )
    op.create_index(
        op.f("ix_dissent_evidence_conversation_turn"), "dissent_evidence", ["conversation", "turn"], unique=False
    )
