"""The outbox of rings, and the tenant and lane of a job.

Revision id: 0003 (the next revision names it as its `down_revision`).
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Jobs of before have no lane: they belong to the process that made them, and no worker takes them up."""
    op.add_column("jobs", sa.Column("tenant", sa.Text(), server_default=sa.text("'default'"), nullable=False))
    op.add_column("jobs", sa.Column("lane", sa.Text(), nullable=True))
    op.create_table(
        "outbox",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("job", sa.Text(), nullable=False),
        sa.Column("stage", sa.Text(), nullable=False),
        sa.Column("queue", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["job"], ["jobs.id"], name=op.f("fk_outbox_job"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sa.UniqueConstraint("job", "stage", name=op.f("uq_outbox_job_stage")),
    )
    op.create_index(op.f("ix_outbox_queue_due_at"), "outbox", ["queue", "due_at"], unique=False)
    running = sa.text("status = 'running'")
    op.create_index(
        "ix_steps_running", "steps", ["lease_until"], unique=False, sqlite_where=running, postgresql_where=running
    )
