"""Whose a conversation is, and what the service keeps: keys, answered requests, webhooks, rules of intake.

Revision id: 0006 (the next revision names it as its `down_revision`).
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Conversations of before are the default tenant's: nobody else could store any."""
    op.add_column("conversations", sa.Column("tenant", sa.Text(), server_default=sa.text("'default'"), nullable=False))
    op.create_index(op.f("ix_conversations_tenant_id"), "conversations", ["tenant", "id"], unique=False)
    op.create_index(op.f("ix_jobs_tenant_created_at_id"), "jobs", ["tenant", "created_at", "id"], unique=False)
    _make_keys()
    _make_webhooks()
    op.create_table(
        "intake_rules",
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("changed_at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("tenant", name=op.f("pk_intake_rules")),
    )


def _make_keys() -> None:
    op.create_table(
        "api_keys",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("client", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("scopes", sa.Text(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("expires_at", INSTANT, nullable=True),
        sa.Column("revoked_at", INSTANT, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_keys")),
    )
    op.create_index(op.f("ix_api_keys_tenant"), "api_keys", ["tenant"], unique=False)
    op.create_table(
        "replays",
        sa.Column("client", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("expires_at", INSTANT, nullable=False),
        sa.Column("conversation", sa.Text(), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("client", "key", name=op.f("pk_replays")),
    )
    op.create_index(op.f("ix_replays_expires_at"), "replays", ["expires_at"], unique=False)
    op.create_index(op.f("ix_replays_conversation"), "replays", ["conversation"], unique=False)


def _make_webhooks() -> None:
    op.create_table(
        "webhook_endpoints",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("notices", sa.Text(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("rotated_at", INSTANT, nullable=True),
        sa.Column("disabled_at", INSTANT, nullable=True),
        sa.Column("disabled_why", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook_endpoints")),
    )
    op.create_index(op.f("ix_webhook_endpoints_tenant"), "webhook_endpoints", ["tenant"], unique=False)
    op.create_table(
        "webhook_deliveries",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("endpoint", sa.Text(), nullable=False),
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("job", sa.Text(), nullable=True),
        sa.Column("conversation", sa.Text(), nullable=True),
        sa.Column("notice", sa.Text(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("due_at", INSTANT, nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("delivered_at", INSTANT, nullable=True),
        sa.Column("failed_at", INSTANT, nullable=True),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("problem", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["endpoint"], ["webhook_endpoints.id"], name=op.f("fk_webhook_deliveries_endpoint")),
        sa.ForeignKeyConstraint(["job"], ["jobs.id"], name=op.f("fk_webhook_deliveries_job")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook_deliveries")),
    )
    for columns in (["due_at"], ["endpoint", "created_at"], ["conversation"]):
        name = f"ix_webhook_deliveries_{'_'.join(columns)}"
        op.create_index(op.f(name), "webhook_deliveries", columns, unique=False)
