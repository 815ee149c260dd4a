"""The tables of money: what steps have reserved, and what each tenant has used on each day (`usd` in billionths)."""

from sqlalchemy import BigInteger, Column, Date, ForeignKeyConstraint, Index, Integer, Table

from store.tables.columns import ExactText, Instant
from store.tables.jobs import metadata

reservations = Table(
    "reservations",
    metadata,
    Column("job", ExactText, primary_key=True),
    Column("stage", ExactText, primary_key=True),
    Column("tenant", ExactText, nullable=False),
    Column("day", Date, nullable=False),
    Column("reserved_nano_usd", BigInteger, nullable=False),
    Column("remaining_nano_usd", BigInteger, nullable=False),
    Column("settled_nano_usd", BigInteger, nullable=False),
    Column("unpriced", Integer, nullable=False),
    Column("opened_at", Instant, nullable=False),
    Column("closed_at", Instant),
    ForeignKeyConstraint(["job", "stage"], ["steps.job", "steps.stage"]),
    Index(None, "closed_at"),
)

spending = Table(
    "spending",
    metadata,
    Column("day", Date, primary_key=True),
    Column("tenant", ExactText, primary_key=True),  # empty: all together
    Column("spent_nano_usd", BigInteger, nullable=False),
    Column("reserved_nano_usd", BigInteger, nullable=False),
    Column("unpriced", Integer, nullable=False),
)
