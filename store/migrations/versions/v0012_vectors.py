"""Vectors of texts, for recall: derived from turns, claims and dissent.

Revision id: 0012 (the next revision names it as its `down_revision`).
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Conversations of before have none; they are made when recall first compares meaning."""
    row = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "vectors",
        sa.Column("row", row, nullable=False),
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("part", sa.Integer(), nullable=False),
        sa.Column("stamp", sa.Text(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["conversation"], ["conversations.id"], name=op.f("fk_vectors_conversation")),
        sa.PrimaryKeyConstraint("row", name=op.f("pk_vectors")),
        sa.UniqueConstraint(
            "conversation", "kind", "name", "part", name=op.f("uq_vectors_conversation_kind_name_part")
        ),
    )
    op.create_index(op.f("ix_vectors_conversation_stamp_row"), "vectors", ["conversation", "stamp", "row"])
