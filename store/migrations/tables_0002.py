"""The tables of revision 0002, in plain types: later changes of the tables leave a released revision alone."""

import sqlalchemy as sa
from alembic import op


def row_number() -> sa.types.TypeEngine[int]:
    """SQLite counts up by itself only in columns of type INTEGER."""
    return sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def create_versions() -> None:
    """Versions, and what each changed."""
    op.create_table(
        "ledger_events",
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("boundary", sa.Text(), nullable=False),
        sa.Column("through", sa.Integer(), nullable=False),
        sa.Column("cycle", sa.Integer(), nullable=False),
        sa.Column("claim", sa.Text(), nullable=True),
        sa.Column("restored", sa.Integer(), nullable=True),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.CheckConstraint("version >= 1", name=op.f("ck_ledger_events_counts_from_one")),
        sa.ForeignKeyConstraint(["boundary"], ["boundaries.job"], name=op.f("fk_ledger_events_boundary")),
        sa.ForeignKeyConstraint(["conversation"], ["conversations.id"], name=op.f("fk_ledger_events_conversation")),
        sa.PrimaryKeyConstraint("conversation", "version", name=op.f("pk_ledger_events")),
    )
    op.create_table(
        "changes",
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("ordinal", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("claim", sa.Text(), nullable=True),
        sa.Column("other", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("evidence", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["conversation", "version"],
            ["ledger_events.conversation", "ledger_events.version"],
            name=op.f("fk_changes_conversation_version"),
        ),
        sa.PrimaryKeyConstraint("conversation", "version", "ordinal", name=op.f("pk_changes")),
    )


def create_claims() -> None:
    """Claims, their evidence, and what was affirmed of them."""
    op.create_table(
        "claims",
        sa.Column("row", row_number(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("job", sa.Text(), nullable=False),
        sa.Column("version_from", sa.Integer(), nullable=False),
        sa.Column("version_to", sa.Integer(), nullable=True),
        sa.Column("recorded_from", sa.DateTime(timezone=True), nullable=False),
        sa.Column("recorded_to", sa.DateTime(timezone=True), nullable=True),
        sa.Column("since", sa.Integer(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("cycle", sa.Integer(), nullable=False),
        sa.Column("affirmed", sa.Integer(), nullable=False),
        sa.Column("section", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("temporal_class", sa.Text(), nullable=False),
        sa.Column("valid_from_turn", sa.Integer(), nullable=False),
        sa.Column("valid_to_turn", sa.Integer(), nullable=True),
        sa.Column("valid_from", sa.DateTime(timezone=True), nullable=True),
        sa.Column("valid_to", sa.DateTime(timezone=True), nullable=True),
        sa.Column("closing", sa.Text(), nullable=True),
        sa.Column("support", sa.Text(), nullable=False),
        sa.Column("marks", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("statements", sa.Text(), nullable=False),
        sa.CheckConstraint("(state = 'current') = (closing IS NULL)", name=op.f("ck_claims_closed_has_closing")),
        sa.CheckConstraint("(version_to IS NULL) = (recorded_to IS NULL)", name=op.f("ck_claims_record_ends_once")),
        sa.CheckConstraint(
            "recorded_to IS NULL OR recorded_to >= recorded_from", name=op.f("ck_claims_recorded_runs_forward")
        ),
        sa.CheckConstraint(
            "version_to IS NULL OR version_to > version_from", name=op.f("ck_claims_versions_run_forward")
        ),
        sa.ForeignKeyConstraint(["conversation"], ["conversations.id"], name=op.f("fk_claims_conversation")),
        sa.ForeignKeyConstraint(["job"], ["boundaries.job"], name=op.f("fk_claims_job")),
        sa.PrimaryKeyConstraint("row", name=op.f("pk_claims")),
    )
    op.create_index(op.f("ix_claims_id_conversation"), "claims", ["id", "conversation"], unique=False)
    op.create_index(
        "ix_claims_open",
        "claims",
        ["conversation"],
        unique=False,
        sqlite_where=sa.text("version_to IS NULL AND state = 'current'"),
        postgresql_where=sa.text("version_to IS NULL AND state = 'current'"),
    )
    op.create_index(
        "ix_claims_recorded",
        "claims",
        ["conversation", "version_from", "version_to", "state", "valid_from_turn", "valid_to_turn"],
        unique=False,
    )
    op.create_table(
        "evidence",
        sa.Column("claim", row_number(), nullable=False),
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
    op.create_table(
        "affirmations",
        sa.Column("claim", row_number(), nullable=False),
        sa.Column("version_from", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("version_to", sa.Integer(), nullable=True),
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("cycle", sa.Integer(), nullable=False),
        sa.Column("affirmed", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("support", sa.Text(), nullable=False),
        sa.Column("evidence", sa.Text(), nullable=False),
        sa.Column("statements", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "version_to IS NULL OR version_to > version_from", name=op.f("ck_affirmations_versions_run_forward")
        ),
        sa.ForeignKeyConstraint(["claim"], ["claims.row"], name=op.f("fk_affirmations_claim")),
        sa.ForeignKeyConstraint(["conversation"], ["conversations.id"], name=op.f("fk_affirmations_conversation")),
        sa.PrimaryKeyConstraint("claim", "version_from", name=op.f("pk_affirmations")),
    )
    op.create_index(
        op.f("ix_affirmations_conversation_version_from"),
        "affirmations",
        ["conversation", "version_from"],
        unique=False,
    )


def create_dissent() -> None:
    """Dissent and its evidence."""
    op.create_table(
        "dissent",
        sa.Column("row", row_number(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("job", sa.Text(), nullable=False),
        sa.Column("version_from", sa.Integer(), nullable=False),
        sa.Column("version_to", sa.Integer(), nullable=True),
        sa.Column("since", sa.Integer(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("cycles", sa.Integer(), nullable=False),
        sa.Column("section", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("support", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("against", sa.Text(), nullable=False),
        sa.Column("statements", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "version_to IS NULL OR version_to > version_from", name=op.f("ck_dissent_versions_run_forward")
        ),
        sa.ForeignKeyConstraint(["conversation"], ["conversations.id"], name=op.f("fk_dissent_conversation")),
        sa.ForeignKeyConstraint(["job"], ["boundaries.job"], name=op.f("fk_dissent_job")),
        sa.PrimaryKeyConstraint("row", name=op.f("pk_dissent")),
    )
    op.create_index(op.f("ix_dissent_id"), "dissent", ["id"], unique=False)
    op.create_index("ix_dissent_recorded", "dissent", ["conversation", "version_from", "version_to"], unique=False)
    op.create_table(
        "dissent_evidence",
        sa.Column("dissent", row_number(), nullable=False),
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


def create_erasures() -> None:
    """What is left of the erased."""
    op.create_table(
        "erasures",
        sa.Column("number", row_number(), nullable=False),
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("turns", sa.Integer(), nullable=False),
        sa.Column("jobs", sa.Integer(), nullable=False),
        sa.Column("claims", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_erasures")),
    )
    op.create_index(op.f("ix_erasures_conversation"), "erasures", ["conversation"], unique=False)
