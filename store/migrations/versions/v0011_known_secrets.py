"""What recognises a conversation's secrets when they come back bare: lengths and keyed hashes.

Revision id: 0011 (the next revision names it as its `down_revision`).
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Conversations of before have none; their secrets are remembered from the next mention on."""
    op.create_table(
        "known_secrets",
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("placeholder", sa.Text(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("head", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["conversation", "turn"],
            ["turns.conversation", "turns.number"],
            name=op.f("fk_known_secrets_conversation_turn"),
        ),
        sa.PrimaryKeyConstraint("conversation", "ordinal", name=op.f("pk_known_secrets")),
    )
