"""When triggers look at a conversation once more though no turn has come: at an instant, or at the end of a job.

Revision id: 0009 (the next revision names it as its `down_revision`).
"""

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Whatever is watched is looked at once, since nobody knows when it should be."""
    op.add_column("trigger_states", sa.Column("awaited", sa.Text(), nullable=True))
    op.add_column("trigger_states", sa.Column("look_at", sa.DateTime(timezone=True), nullable=True))
    states = sa.table("trigger_states", sa.column("look_at", sa.DateTime(timezone=True)))
    op.execute(states.update().values(look_at=datetime.now(UTC)))
