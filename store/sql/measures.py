"""Counts over the tables for whoever watches: one reading is a handful of grouped queries in one transaction."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    ColumnElement,
    Connection,
    Double,
    Engine,
    Row,
    Select,
    Text,
    and_,
    case,
    cast,
    func,
    literal,
    select,
    type_coerce,
)

from dissolution.findings import Verdict
from dissolution.job import JobStatus, StepStatus
from dissolution.measures import BOUNDS_S, IN_FLIGHT, CallCount, Durations, Measures
from dissolution.money import usd_of
from store.sql.money import ALL
from store.sql.outbox import SqlOutbox
from store.sql.steps import LIVE_VALUES
from store.tables import jobs as tables
from store.tables.columns import utc
from store.tables.ledger import boundaries
from store.tables.money import spending
from store.tables.queue import outbox

DAY_S = 86_400
NUMBER = r"^[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?$"
LEASE_RAN_OUT = "lease_ran_out"
"""The event of a step that is taken over from a process that died or stood still."""


class SqlMeasures:
    """Reads measures; opens a transaction of its own for each reading."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def read(self, at: datetime) -> Measures:
        """Everything as it stands at `at` (aware). Raises StoreError."""
        now = utc(at)
        with self._engine.connect() as connection:
            one = _Reading(connection)
            jobs = SqlOutbox(connection).job_counts()
            money, today = one.money(now.date())
            return Measures(
                at=now,
                jobs=jobs,
                queues=SqlOutbox(connection).queues(now),
                oldest_step_at=one.oldest_step_at(),
                dead_steps=one.dead_steps(),
                leases_ran_out=one.leases_ran_out(),
                calls=one.calls(),
                quorum=one.quorum(),
                stages=one.stages(),
                verdicts=one.verdicts(jobs.get(JobStatus.HISTORY_KEPT, 0)),
                spent_usd=money[0],
                spent_today_usd=today,
                reserved_usd=money[1],
                unpriced_calls=int(money[2]),
            )

    def jobs_with_dead_steps(self, limit: int) -> tuple[str, ...]:
        """Ids of jobs with a dead step that `requeue` tries again, the newest first. Raises StoreError."""
        with self._engine.connect() as connection:
            return _Reading(connection).jobs_with_dead_steps(limit)

    def clock(self) -> datetime:
        """The server's time; this machine's own on SQLite, which has no server. Raises StoreError."""
        with self._engine.connect() as connection:
            if connection.dialect.name == "sqlite":
                return datetime.now(UTC)
            return utc(connection.execute(select(func.clock_timestamp())).scalar_one())


class _Reading:
    """The queries of one reading."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._postgresql = connection.dialect.name == "postgresql"

    def oldest_step_at(self) -> datetime | None:
        """Since when the oldest ring of a live job stands."""
        live = select(func.min(outbox.c.created_at)).join(tables.jobs, tables.jobs.c.id == outbox.c.job)
        return self._connection.scalar(live.where(tables.jobs.c.status.in_(LIVE_VALUES)))

    def dead_steps(self) -> int:
        """Steps that had all their attempts, of jobs that a person may queue again."""
        dead = select(func.count()).select_from(tables.steps.join(tables.jobs)).where(_is_dead())
        return self._connection.scalar(dead) or 0

    def jobs_with_dead_steps(self, limit: int) -> tuple[str, ...]:
        """Those jobs, the newest first."""
        jobs = tables.jobs
        dead = select(tables.steps.c.job).where(tables.steps.c.job == jobs.c.id, _is_dead()).exists()
        query = select(jobs.c.id).where(dead).order_by(jobs.c.created_at.desc(), jobs.c.id).limit(limit)
        return tuple(self._connection.scalars(query))

    def leases_ran_out(self) -> int:
        """Steps that were taken over."""
        events = tables.events
        query = select(func.count()).select_from(events).where(events.c.kind == LEASE_RAN_OUT)
        return self._connection.scalar(query) or 0

    def calls(self) -> tuple[CallCount, ...]:
        """Calls by model and outcome, by name."""
        calls = tables.calls
        name = self._field(calls.c.card, "model")
        ended = case((calls.c.failure.is_not(None), self._field(calls.c.failure, "error_class")), else_=calls.c.finish)
        how = case((calls.c.landed_at.is_(None), literal(IN_FLIGHT)), else_=ended)
        known = [func.coalesce(func.sum(self._number(calls.c.usage, field)), 0) for field in USAGE]
        query = select(name, how, func.count(), *known).group_by(name, how).order_by(name, how)
        return tuple(
            CallCount(
                model=model,
                outcome=outcome,
                calls=count,
                input_tokens=int(read),
                output_tokens=int(written),
                usd=float(usd),
            )
            for model, outcome, count, read, written, usd in [_cells(row) for row in self._connection.execute(query)]
        )

    def quorum(self) -> Durations:
        """From the first question of a fan-out that is over to the last answer that counted."""
        calls, steps = tables.calls, tables.steps
        counted = case((and_(calls.c.late.is_(False), calls.c.reply_text.is_not(None)), calls.c.landed_at))
        over = and_(steps.c.job == calls.c.job, steps.c.stage == calls.c.stage, _is_done())
        each = (
            select(func.min(calls.c.asked_at).label("since"), func.max(counted).label("until"))
            .join(steps, over)
            .where(calls.c.stage == "fan_out")
            .group_by(calls.c.job)
            .subquery()
        )
        # The types are told again: what a subquery computes has lost them on SQLite.
        took = self._seconds(type_coerce(each.c.since, calls.c.asked_at.type), each.c.until)
        row = self._connection.execute(_durations(took).where(each.c.until.is_not(None))).one()
        return _read_durations(row, 0)

    def stages(self) -> Mapping[str, Durations]:
        """Steps that are done, by stage."""
        steps = tables.steps
        took = self._seconds(steps.c.started_at, steps.c.ended_at)
        timed = and_(_is_done(), steps.c.started_at.is_not(None), steps.c.ended_at.is_not(None))
        query = _durations(took, steps.c.stage).where(timed).group_by(steps.c.stage).order_by(steps.c.stage)
        return {row[0]: _read_durations(row, 1) for row in self._connection.execute(query)}

    def verdicts(self, kept: int) -> Mapping[Verdict, int]:
        """Verdicts of boundaries that were committed, and of jobs that kept the history."""
        found = self._connection.execute(select(boundaries.c.verdict, func.count()).group_by(boundaries.c.verdict))
        counts = {Verdict(verdict): count for verdict, count in found}
        return {**counts, Verdict.KEEP_HISTORY: kept} if kept else counts

    def money(self, today: date) -> tuple[tuple[float, float, int], float]:
        """Spent, reserved and unpriced of all days, and spent today (US dollars)."""
        columns = (spending.c.spent_nano_usd, spending.c.reserved_nano_usd, spending.c.unpriced)
        all_ = select(*(func.coalesce(func.sum(column), 0) for column in columns)).where(spending.c.tenant == ALL)
        spent, reserved, unpriced = _cells(self._connection.execute(all_).one())
        of_today = select(spending.c.spent_nano_usd).where(spending.c.tenant == ALL, spending.c.day == today)
        now = self._connection.scalar(of_today) or 0
        return (float(usd_of(int(spent))), float(usd_of(int(reserved))), int(unpriced)), float(usd_of(now))

    def _field(self, document: ColumnElement[Any], name: str) -> ColumnElement[str]:
        """A field of a JSON text, as text."""
        text = type_coerce(document, Text)
        if self._postgresql:
            return cast(text, JSON).op("->>", return_type=Text())(name)
        return cast(func.json_extract(text, f"$.{name}"), Text)

    def _number(self, document: ColumnElement[Any], name: str) -> ColumnElement[float]:
        """A field of a JSON text as a number; 0 for what is none, such as 'not measured'."""
        text = self._field(document, name)
        if self._postgresql:
            return case((text.regexp_match(NUMBER), cast(text, Double)), else_=0.0)
        return func.coalesce(cast(text, Double), 0.0)  # SQLite casts what is no number to 0

    def _seconds(self, since: ColumnElement[Any], until: ColumnElement[Any]) -> ColumnElement[float]:
        """Seconds between two instants, never below 0: clocks of several machines may differ."""
        if self._postgresql:
            took = cast(func.extract("epoch", until - since), Double)
            return func.greatest(took, 0.0)
        took = (func.julianday(type_coerce(until, Text)) - func.julianday(type_coerce(since, Text))) * DAY_S
        return func.max(took, 0.0)


USAGE = ("input_tokens", "output_tokens", "cost_usd")
"""Fields of a call's usage, in the order they are read."""


OVER = (JobStatus.COMMITTED, JobStatus.HISTORY_KEPT, JobStatus.CANCELLED)
"""Of jobs that ended so, a step that was given up is the stated reason or nobody's concern: nothing is to be mended."""


def _is_dead() -> ColumnElement[bool]:
    over = tables.jobs.c.status.in_([status.value for status in OVER])
    return and_(tables.steps.c.status == StepStatus.DEAD.value, ~over)


def _is_done() -> ColumnElement[bool]:
    return tables.steps.c.status == StepStatus.DONE.value


def _durations(took: ColumnElement[float], *by: ColumnElement[Any]) -> Select[Any]:
    classes = (func.coalesce(func.sum(case((took <= bound, 1), else_=0)), 0) for bound in BOUNDS_S)
    return select(*by, func.count(), func.coalesce(func.sum(took), 0.0), *classes)


def _read_durations(row: Row[Any], at: int) -> Durations:
    count, seconds, *classes = _cells(row)[at:]
    return Durations(count=int(count), sum_s=float(seconds), up_to=tuple(int(one) for one in classes))


def _cells(row: Row[Any]) -> tuple[Any, ...]:
    return tuple(row)
