"""The ledger: versions, states and events of claims; jobs that wait for a person.

Revision id: 0002 (the next revision names it as its `down_revision`).
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add what the ledger needs and turn the boundaries that are there into versions of it."""
    op.add_column("jobs", sa.Column("hold", sa.Boolean(), server_default=sa.false(), nullable=False))
