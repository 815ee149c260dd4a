"""Reservations of money and what was spent on each day.

Revision id: 0004 (the next revision names it as its `down_revision`).
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """What jobs of before have used is in their receipts; days begin to be counted now."""
    op.create_table(
        "reservations",
        sa.Column("job", sa.Text(), nullable=False),
        sa.Column("stage", sa.Text(), nullable=False),
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("reserved_nano_usd", sa.BigInteger(), nullable=False),
        sa.Column("remaining_nano_usd", sa.BigInteger(), nullable=False),
        sa.Column("settled_nano_usd", sa.BigInteger(), nullable=False),
        sa.Column("unpriced", sa.Integer(), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["job", "stage"], ["steps.job", "steps.stage"], name=op.f("fk_reservations_job_stage")),
        sa.PrimaryKeyConstraint("job", "stage", name=op.f("pk_reservations")),
    )
    op.create_index(op.f("ix_reservations_closed_at"), "reservations", ["closed_at"], unique=False)
    op.create_table(
        "spending",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("spent_nano_usd", sa.BigInteger(), nullable=False),
        sa.Column("reserved_nano_usd", sa.BigInteger(), nullable=False),
        sa.Column("unpriced", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("day", "tenant", name=op.f("pk_spending")),
    )
