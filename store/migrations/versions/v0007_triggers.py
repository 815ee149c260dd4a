"""Which conversations triggers watch, what they remember, and every evaluation.

Revision id: 0007 (the next revision names it as its `down_revision`).
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """No conversation of before is watched."""
    op.create_table(
        "watches",
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("watch", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["conversation"], ["conversations.id"], name=op.f("fk_watches_conversation")),
        sa.PrimaryKeyConstraint("conversation", name=op.f("pk_watches")),
    )
    op.create_table(
        "trigger_states",
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("through", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("memory", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["conversation"], ["conversations.id"], name=op.f("fk_trigger_states_conversation")),
        sa.PrimaryKeyConstraint("conversation", name=op.f("pk_trigger_states")),
    )
    op.create_table(
        "evaluations",
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("fired", sa.Boolean(), nullable=False),
        sa.Column("notable", sa.Boolean(), nullable=False),
        sa.Column("evaluation", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["conversation"], ["conversations.id"], name=op.f("fk_evaluations_conversation")),
        sa.PrimaryKeyConstraint("conversation", "number", name=op.f("pk_evaluations")),
    )
