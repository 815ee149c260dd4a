"""Outbox over SQL: rings that stand until their step is over, sent again and again by whoever takes them."""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Row,
    Select,
    Update,
    and_,
    bindparam,
    case,
    delete,
    exists,
    func,
    or_,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from dissolution.ids import JobId
from dissolution.job import JobStatus, StepStatus
from dissolution.outbox import OutboxRow, QueueCount, Ring
from store.sql.rows import Repository
from store.sql.steps import LIVE_VALUES
from store.tables import jobs as tables
from store.tables.columns import utc
from store.tables.queue import STEP_RUNS, outbox

MOST_DOUBLINGS = 5
"""How often the time until a ring is sent again doubles: up to 32 times as long."""

_steps, _jobs = tables.steps, tables.jobs
_SAME_STEP = and_(_steps.c.job == outbox.c.job, _steps.c.stage == outbox.c.stage)
_QUEUED = _steps.c.status == StepStatus.QUEUED.value
_RUNNING = STEP_RUNS


class SqlOutbox(Repository):
    """Rings in one transaction."""

    def put(self, ring: Ring, at: datetime, due_at: datetime) -> None:
        """Want the ring sent at `due_at`; one that stands already is put off, or brought forward, to then."""
        make = postgresql.insert if self._connection.dialect.name == "postgresql" else sqlite.insert
        values = {**ring.model_dump(), "created_at": utc(at), "due_at": utc(due_at), "attempts": 0}
        changes = {"queue": ring.queue, "due_at": utc(due_at), "sent_at": None}
        statement = make(outbox).values(values).on_conflict_do_update(index_elements=["job", "stage"], set_=changes)
        self._connection.execute(statement)

    def want(self, rings: Mapping[Ring, datetime], at: datetime) -> tuple[Ring, ...]:
        """Want each ring sent at its moment; one that stands already is left as it is. Those that did not stand."""
        if not rings:
            return ()
        make = postgresql.insert if self._connection.dialect.name == "postgresql" else sqlite.insert
        new = {"created_at": utc(at), "attempts": 0}
        rows = [{**ring.model_dump(), **new, "due_at": utc(due)} for ring, due in rings.items()]
        given = rows[0] if len(rows) == 1 else rows  # one alone is prepared once for all
        adding = make(outbox).values(given).on_conflict_do_nothing().returning(outbox.c.job, outbox.c.stage)
        added = {(row.job, row.stage) for row in self._connection.execute(adding)}
        return tuple(ring for ring in rings if (ring.job, ring.stage) in added)

    def settle(self, job: JobId, stage: str) -> None:
        """The step is over: nothing is to be sent for it any more. No error when nothing was."""
        self._connection.execute(delete(outbox).where(outbox.c.job == job, outbox.c.stage == stage))

    def follow(self, job: JobId, stage: str, rings: Mapping[Ring, datetime], at: datetime) -> tuple[Ring, ...]:
        """As `settle` and `want`: where it can be, the row of the step that is over becomes the first new one's."""
        first = next(iter(rings), None)
        if first is not None and self._turned(job, stage, first, at, rings[first]):
            return (first, *self.want({ring: due for ring, due in rings.items() if ring is not first}, at))
        self.settle(job, stage)
        return self.want(rings, at)

    def _turned(self, job: JobId, stage: str, ring: Ring, at: datetime, due_at: datetime) -> bool:
        """Whether the row of one step could be made another's: not where there is none, or the other stands."""
        new = {**ring.model_dump(), "created_at": utc(at), "due_at": utc(due_at)}
        given = {"of_job": job, "of_stage": stage, **{f"new_{name}": value for name, value in new.items()}}
        return self._connection.execute(_TURNING, given).rowcount > 0

    def of_job(self, job: JobId) -> tuple[OutboxRow, ...]:
        """The rings of a job, oldest first."""
        return self._read(_joined().where(outbox.c.job == job).order_by(outbox.c.id))

    def take(self, queue: str, at: datetime, limit: int, resend_s: float) -> tuple[Ring, ...]:
        """The rings of a queue to be sent now, in their fair order; they count as sent (see the port)."""
        now = utc(at)
        query = _in_turn(queue, now)
        # Another relay's rows are skipped, not waited for; SQLite leaves the clause out, its writers are alone anyway.
        rows = self._connection.execute(query.limit(limit).with_for_update(of=outbox, skip_locked=True)).all()
        if rows:
            waits = (resend_s * 2 ** min(row.attempts, MOST_DOUBLINGS) for row in rows)
            changes = [
                {"row": row.id, "due": now + timedelta(seconds=wait)} for row, wait in zip(rows, waits, strict=True)
            ]
            self._connection.execute(
                update(outbox)
                .where(outbox.c.id == bindparam("row"))
                .values(
                    sent_at=now, due_at=bindparam("due", type_=outbox.c.due_at.type), attempts=outbox.c.attempts + 1
                ),
                changes,
            )
        return tuple(Ring(job=row.job, stage=row.stage, queue=row.queue) for row in rows)

    def at_work(self, tenant: str, queues: Collection[str], at: datetime) -> int:
        """How many steps of a tenant, of these queues, run under a lease that holds."""
        wanted = (outbox.c.queue.in_(queues), _jobs.c.tenant == tenant, _RUNNING, _steps.c.lease_until > utc(at))
        joined = outbox.join(_steps, _SAME_STEP).join(_jobs, _jobs.c.id == outbox.c.job)
        return self._connection.scalar(select(func.count()).select_from(joined).where(*wanted)) or 0

    def held(self, at: datetime, limit: int) -> tuple[OutboxRow, ...]:
        """Rings whose step runs under a lease that holds, the one that ends first before all others."""
        # In two queries: in one, SQLite begins with the jobs, of which ten thousand may wait, not with the few steps
        # that run.
        holds = select(_steps.c.job).where(_RUNNING, _steps.c.lease_until > utc(at))
        running = self._connection.scalars(holds.order_by(_steps.c.lease_until).limit(limit)).all()
        if not running:
            return ()
        query = _joined().where(outbox.c.job.in_(running), _RUNNING, _steps.c.lease_until > utc(at))
        return self._read(query.where(_jobs.c.status.in_(LIVE_VALUES)).order_by(_steps.c.lease_until).limit(limit))

    def bring_forward(self, at: datetime, *, job: JobId | None = None, stage: str | None = None) -> int:
        """Make what was sent due now; all of it, or one job's or step's. Returns how many."""
        which: list[ColumnElement[bool]] = [outbox.c.sent_at.is_not(None), outbox.c.due_at > utc(at)]
        which += [] if job is None else [outbox.c.job == job]
        which += [] if stage is None else [outbox.c.stage == stage]
        return self._connection.execute(update(outbox).where(*which).values(due_at=utc(at))).rowcount

    def rein_in(self, at: datetime, *, lease_s: float, wait_s: float) -> int:
        """Bound what a clock that was set back has left far in the future; how many leases and rings (see the port)."""
        now, length = utc(at), timedelta(seconds=lease_s)
        leases = update(_steps).where(_RUNNING, _steps.c.lease_until > now + 2 * length)
        sent = and_(outbox.c.sent_at > now + length, outbox.c.due_at > now)
        rests = and_(outbox.c.sent_at.is_(None), outbox.c.due_at > now + timedelta(seconds=wait_s))
        rings = update(outbox).where(or_(sent, rests))
        return (
            self._connection.execute(leases.values(lease_until=now + length)).rowcount
            + self._connection.execute(rings.values(due_at=now)).rowcount
        )

    def strays(self, limit: int) -> tuple[str, ...]:
        """Jobs that wait for workers, have not ended, are not held, and have no ring."""
        rung = exists().where(outbox.c.job == _jobs.c.id)
        live = and_(_jobs.c.status.in_(LIVE_VALUES), _jobs.c.lane.is_not(None))
        return tuple(self._connection.scalars(select(_jobs.c.id).where(live, ~rung).order_by(_jobs.c.id).limit(limit)))

    def queues(self, at: datetime) -> tuple[QueueCount, ...]:
        """How each queue stands, by name; queues without a ring are left out."""
        expired = and_(_RUNNING, _steps.c.lease_until <= utc(at))
        holds = and_(_RUNNING, _steps.c.lease_until > utc(at))
        found = self._connection.execute(
            select(
                outbox.c.queue,
                func.count().filter(_QUEUED).label("waiting"),
                func.count().filter(holds).label("running"),
                func.count().filter(expired).label("expired"),
                func.min(case((_QUEUED, outbox.c.created_at))).label("oldest_at"),
            )
            .join(_steps, _SAME_STEP)
            .join(_jobs, _jobs.c.id == outbox.c.job)
            .where(_jobs.c.status.in_(LIVE_VALUES))
            .group_by(outbox.c.queue)
            .order_by(outbox.c.queue)
        )
        return tuple(QueueCount.model_validate(dict(row._mapping)) for row in found)  # noqa: SLF001 - as in store.sql.jobs

    def job_counts(self) -> Mapping[JobStatus, int]:
        """How many jobs there are of each status; statuses without a job are left out."""
        found = self._connection.execute(select(_jobs.c.status, func.count()).group_by(_jobs.c.status))
        return {JobStatus(status): count for status, count in found}

    def _read(self, query: Select[Any]) -> tuple[OutboxRow, ...]:
        return tuple(_row(row) for row in self._connection.execute(query))


def _turning() -> Update:
    """Makes the row of a step that is over that of another, unless that stands; made once, as every stage asks it."""
    other = outbox.alias()
    names = ("job", "stage", "queue", "created_at", "due_at")
    new = {name: bindparam(f"new_{name}", type_=outbox.c[name].type) for name in names}
    stands = exists().where(other.c.job == new["job"], other.c.stage == new["stage"])
    place = (outbox.c[name] == bindparam(f"of_{name}") for name in ("job", "stage"))
    return update(outbox).where(*place, ~stands).values(**new, sent_at=None, attempts=0)


_TURNING = _turning()


def _in_turn(queue: str, now: datetime) -> Select[Any]:
    """What is due in a queue, in its fair order.

    First comes who has the least expected work before it (turns of a snapshot), of what its tenant has in hand and
    waiting; in hand is what is at work, or sent and not yet taken up. So a tenant's first step waits for no other
    tenant's queue, however long or heavy, and what is due longest goes first among equals. It is start-time fair
    queueing (Goyal, Vin and Cheng, 1996), with equal shares.
    """
    live = and_(outbox.c.queue == queue, _jobs.c.status.in_(LIVE_VALUES))
    joined = outbox.join(_steps, _SAME_STEP).join(_jobs, _jobs.c.id == outbox.c.job)
    due = and_(live, outbox.c.due_at <= now, or_(_QUEUED, and_(_RUNNING, _steps.c.lease_until <= now)))
    up_to = func.sum(_jobs.c.through).over(
        partition_by=_jobs.c.tenant, order_by=(outbox.c.due_at, outbox.c.id), rows=(None, 0)
    )
    own = (
        select(outbox.c.id, _jobs.c.tenant, (up_to - _jobs.c.through).label("before"))
        .select_from(joined)
        .where(due)
        .subquery()
    )
    taken = or_(
        and_(_RUNNING, _steps.c.lease_until > now),
        and_(_QUEUED, outbox.c.sent_at.is_not(None), outbox.c.due_at > now),
    )
    in_hand = (
        select(_jobs.c.tenant, func.sum(_jobs.c.through).label("work"))
        .select_from(joined)
        .where(live, taken)
        .group_by(_jobs.c.tenant)
        .subquery()
    )
    before = own.c.before + func.coalesce(in_hand.c.work, 0)
    return (
        _joined()
        .join(own, own.c.id == outbox.c.id)
        .outerjoin(in_hand, in_hand.c.tenant == own.c.tenant)
        .where(due)  # said again: of a row that another relay has just taken, PostgreSQL asks this part alone anew
        .order_by(before, outbox.c.due_at, outbox.c.id)
    )


def _joined() -> Select[Any]:
    """Rings with the owner of their step."""
    owner = case((_RUNNING, _steps.c.owner)).label("owner")
    return select(outbox, owner).join(_steps, _SAME_STEP).join(_jobs, _jobs.c.id == outbox.c.job)


def _row(row: Row[Any]) -> OutboxRow:
    return OutboxRow(
        ring=Ring(job=row.job, stage=row.stage, queue=row.queue),
        created_at=row.created_at,
        due_at=row.due_at,
        sent_at=row.sent_at,
        attempts=row.attempts,
        owner=row.owner,
    )
