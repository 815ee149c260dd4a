"""Stability runs and their cells.

Revision id: 0008 (the next revision names it as its `down_revision`).
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """There were none."""
    op.create_table(
        "stability_runs",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("plan", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["conversation"], ["conversations.id"], name=op.f("fk_stability_runs_conversation")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_stability_runs")),
    )
    op.create_table(
        "stability_cells",
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("run", sa.Text(), nullable=False),
        sa.Column("arm", sa.Text(), nullable=False),
        sa.Column("replicate", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("cycle", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("through", sa.Integer(), nullable=False),
        sa.Column("members", sa.Text(), nullable=False),
        sa.Column("made_by", sa.Text(), nullable=True),
        sa.Column("figures", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["run"], ["stability_runs.id"], name=op.f("fk_stability_cells_run")),
        sa.PrimaryKeyConstraint("run", "arm", "replicate", "cycle", name=op.f("pk_stability_cells")),
    )
