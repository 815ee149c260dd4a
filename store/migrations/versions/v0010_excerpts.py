"""Excerpts of a boundary: words of turns that extraction methods chose.

Revision id: 0010 (the next revision names it as its `down_revision`).
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Boundaries of before have none."""
    op.add_column("boundaries", sa.Column("excerpts", sa.Text(), nullable=True))
