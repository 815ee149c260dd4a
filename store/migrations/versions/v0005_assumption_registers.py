"""Assumption registers: what conversations take for granted, one row an event.

Revision id: 0005 (the next revision names it as its `down_revision`).
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Registers of conversations that are there are built when one of their jobs runs next."""
    op.create_table(
        "registers",
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("through", sa.Integer(), nullable=False),
        sa.CheckConstraint("through >= 0", name=op.f("ck_registers_counts_turns")),
        sa.ForeignKeyConstraint(["conversation"], ["conversations.id"], name=op.f("fk_registers_conversation")),
        sa.PrimaryKeyConstraint("conversation", name=op.f("pk_registers")),
    )
    op.create_table(
        "premise_events",
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("premise", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("event", sa.Text(), nullable=False),
        sa.CheckConstraint("number >= 1", name=op.f("ck_premise_events_counts_from_one")),
        sa.ForeignKeyConstraint(
            ["conversation"], ["registers.conversation"], name=op.f("fk_premise_events_conversation")
        ),
        sa.PrimaryKeyConstraint("conversation", "number", name=op.f("pk_premise_events")),
    )
