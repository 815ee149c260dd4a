"""The tables of stability runs: one row a run, one a cell. Figures and ids; plans may hold questions."""

from sqlalchemy import Column, ForeignKey, Integer, Table

from dissolution.stability import CycleFigures, StabilityPlan
from dissolution.values import NotMeasured
from store.tables.columns import Document, ExactText, Instant
from store.tables.jobs import metadata

stability_runs = Table(
    "stability_runs",
    metadata,
    Column("id", ExactText, primary_key=True),
    Column("conversation", ExactText, ForeignKey("conversations.id"), nullable=False),
    Column("tenant", ExactText, nullable=False),
    Column("status", ExactText, nullable=False),
    Column("reason", ExactText),
    Column("created_at", Instant, nullable=False),
    Column("ended_at", Instant),
    Column("plan", Document(StabilityPlan), nullable=False),
)

stability_cells = Table(
    "stability_cells",
    metadata,
    Column("conversation", ExactText, nullable=False),
    Column("run", ExactText, ForeignKey("stability_runs.id"), primary_key=True),
    Column("arm", ExactText, primary_key=True),
    Column("replicate", Integer, primary_key=True, autoincrement=False),
    Column("cycle", Integer, primary_key=True, autoincrement=False),
    Column("through", Integer, nullable=False),
    Column("members", Document(tuple[str, ...]), nullable=False),
    Column("made_by", ExactText),  # the job; not named `job`, because it is that of a copy of the conversation
    Column("figures", Document(CycleFigures | NotMeasured)),
)
