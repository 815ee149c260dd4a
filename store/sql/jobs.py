"""JobStore over SQL: jobs and their events. Steps and calls are in the modules beside it."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from operator import itemgetter
from typing import Any

from sqlalchemy import Insert, Row, Select, bindparam, delete, func, insert, or_, select, union_all, update

from dissolution.errors import IllegalMove, NotFound
from dissolution.ids import JobId
from dissolution.job import ENDED, JOB_MOVES, Job, JobEvent, JobStatus, Step, StepStatus
from store.rules.checks import check_job, check_stages
from store.sql.calls import SqlCalls
from store.sql.money import SqlMoney
from store.sql.rows import insert_if_absent
from store.sql.steps import SqlSteps
from store.sql.webhooks import SqlWebhooks
from store.tables import jobs as tables
from store.tables.columns import begins_with, utc
from store.tables.queue import outbox

_JOB = "job"

_JOB_COLUMNS = tuple(tables.jobs.c.keys())
_STEP_FIELDS = tuple(Step.model_fields)
_WITH_STEPS = (
    select(*tables.jobs.c, *(tables.steps.c[name] for name in _STEP_FIELDS), tables.steps.c.ordinal)
    .join(tables.steps, tables.steps.c.job == tables.jobs.c.id)
    .where(tables.jobs.c.id == bindparam("wanted"))
    .with_for_update(key_share=True)  # what only refers to a job or a step, such as a call, waits for nobody
)


@cache
def _recording(count: int) -> Insert:
    """Writes so many events, each with the next number of its job; made, and prepared, once for each count."""
    events = tables.events
    rows: list[Select[Any]] = []
    for row in range(count):
        of_job = events.c.job == bindparam(f"job_{row}")
        newest = select(func.coalesce(func.max(events.c.number), 0)).where(of_job).scalar_subquery()
        values = (bindparam(f"{name}_{row}", type_=events.c[name].type) for name in ("job", "at", "kind", "detail"))
        rows.append(select(newest + bindparam(f"place_{row}", type_=events.c.number.type), *values))
    return insert(events).from_select(("number", "job", "at", "kind", "detail"), union_all(*rows))


def read_job(row: Row[Any]) -> Job:
    """The job of a row of `jobs`."""
    return Job.model_validate(dict(row._mapping))  # noqa: SLF001 - SQLAlchemy's public name for a row as a mapping


class SqlJobs(SqlSteps, SqlCalls):
    """Jobs, steps, calls and answers in one transaction."""

    def add(self, job: Job, stages: Sequence[str]) -> None:
        """Store a queued job with one queued step a stage, and the snapshot it works on.

        Raises:
            IllegalMove: the id is taken.
            SnapshotMismatch: the conversation is not stored that far, or reads differently.
        """
        check_job(job, self._chained(job))
        snapshot = {"conversation": job.conversation, "through": job.through, "digest": job.snapshot_digest}
        insert_if_absent(self._connection, tables.snapshots, snapshot)
        values = {name: getattr(job, name) for name in Job.model_fields}
        if not insert_if_absent(self._connection, tables.jobs, {**values, "status": job.status.value}):
            raise IllegalMove(_JOB, job.id, self.get(job.id).status, JobStatus.QUEUED)
        self._seen.locked.add(job.id)  # nobody else sees it before this transaction ends
        step = {"job": job.id, "status": StepStatus.QUEUED.value, "epoch": 0, "attempts": 0}
        if stages:
            self._connection.execute(
                insert(tables.steps),
                [{**step, "stage": stage, "ordinal": ordinal} for ordinal, stage in enumerate(stages)],
            )

    def _chained(self, job: Job) -> str | None:
        """The digest of the stored turns up to the job's last; None where so many are not stored."""
        given = self._seen.conversations.get(job.conversation)
        if given is not None:
            return given.snapshot(job.through).digest if job.through <= len(given.turns) else None
        turns = tables.turns
        at_turn = (turns.c.conversation == job.conversation) & (turns.c.number == job.through)
        return self._connection.scalar(select(turns.c.chained).where(at_turn))

    def get(self, job: JobId) -> Job:
        """The job. Raises NotFound."""
        if job in self._seen.jobs:
            return self._seen.jobs[job]
        return self._read(job, self._one(job))

    def _read(self, job: JobId, query: Select[Any]) -> Job:
        row = self._connection.execute(query).one_or_none()
        if row is None:
            raise NotFound(_JOB, job)
        self._seen.jobs[job] = read_job(row)
        return self._seen.jobs[job]

    def _lock(self, job: JobId) -> None:
        """Let nobody else change the job or its steps until the transaction ends. Raises NotFound.

        Both are read, and locked, in one statement: each row comes as it is once nobody else changes it any more.
        """
        if job in self._seen.locked:
            return
        self._seen.forget(job)
        rows = self._connection.execute(_WITH_STEPS, {"wanted": job}).all()
        if rows:
            self._seen.jobs[job] = Job.model_validate(dict(zip(_JOB_COLUMNS, rows[0], strict=False)))
            steps = [row[len(_JOB_COLUMNS) :] for row in sorted(rows, key=itemgetter(-1))]
            self._seen.steps[job] = tuple(Step(**dict(zip(_STEP_FIELDS, step, strict=False))) for step in steps)
        else:
            self._read(job, self._one(job).with_for_update())  # it is not there, or has no steps
        self._seen.locked.add(job)

    def find(self, prefix: str) -> tuple[Job, ...]:
        """Jobs whose id starts with `prefix`, or whose conversation is exactly `prefix`; newest first."""
        jobs = tables.jobs
        wanted = or_(begins_with(jobs.c.id, prefix), jobs.c.conversation == prefix)
        return tuple(reversed(self._by_age(select(jobs).where(wanted))))

    def unfinished(self, limit: int | None = None) -> tuple[Job, ...]:
        """Jobs that have not ended, oldest first; at most `limit` of them, if one is given."""
        jobs = tables.jobs
        query = select(jobs).where(jobs.c.status.not_in([status.value for status in ENDED]))
        return self._by_age(query.order_by(jobs.c.created_at, jobs.c.id).limit(limit))

    def move(self, job: JobId, status: JobStatus, at: datetime, reason: str | None = None) -> Job:
        """Change a job's status. Raises IllegalMove, NotFound."""
        jobs = tables.jobs
        self._seen.jobs.pop(job, None)
        before = [present.value for present, after in JOB_MOVES.items() if status in after]
        changed = self._connection.execute(
            update(jobs)
            .where(jobs.c.id == job, jobs.c.status.in_(before))
            .values(status=status.value, reason=reason, ended_at=utc(at) if status in ENDED else None)
            .returning(jobs)
        ).one_or_none()
        if changed is None:
            raise IllegalMove(_JOB, job, self.get(job).status, status)
        present = self._seen.jobs[job] = read_job(changed)
        if status in ENDED:
            self._connection.execute(delete(outbox).where(outbox.c.job == job))  # nobody is rung for what is over
            SqlMoney(self._connection, self._seen).close(job, at)  # however it ended, nothing stays reserved
        SqlWebhooks(self._connection).announce(present, status, at)
        return present

    def set_hold(self, job: JobId, hold: bool) -> Job:  # noqa: FBT001 - one value of one named setting
        """Say whether a job stops before its commit and waits for a person. Raises NotFound, IllegalMove (ended)."""
        self._change(job, {"hold": hold}, JobStatus.HELD)
        return self.get(job)

    def reopen(self, job: JobId, stages: Sequence[str], at: datetime, expected_version: int) -> Job:
        """Put done and dead steps of these stages back to queued, and build the job on another version of the ledger.

        See `JobStore.reopen` for what a step keeps. Raises NotFound (job or stage), IllegalMove (the job has ended).
        """
        utc(at)
        self._change(job, {"expected_version": expected_version}, JobStatus.RUNNING)
        check_stages(job, stages, [step.stage for step in self.steps(job)])
        self.requeue(job, stages)
        return self.get(job)

    def _change(self, job: JobId, values: dict[str, object], wanted: JobStatus) -> None:
        """Change a job that has not ended; one that has cannot become `wanted` again."""
        self._seen.jobs.pop(job, None)
        jobs = tables.jobs
        not_ended = jobs.c.status.not_in([status.value for status in ENDED])
        if self._connection.execute(update(jobs).where(jobs.c.id == job, not_ended).values(values)).rowcount == 0:
            raise IllegalMove(_JOB, job, self.get(job).status, wanted)

    def record(self, job: JobId, at: datetime, kind: str, detail: str = "") -> None:
        """Append an event; events of one job are numbered from 1. Raises NotFound.

        It is written with all others of the transaction, at its end or before anybody reads them in it.
        """
        self._lock(job)  # in a statement of its own: no two writers read the same number after it
        self._seen.events.append((job, utc(at), kind, detail))

    def write_events(self) -> None:
        """Write what was recorded in this transaction, in one statement."""
        pending, self._seen.events = self._seen.events, []
        if not pending:
            return
        places, given = Counter[str](), dict[str, object]()
        for row, (job, at, kind, detail) in enumerate(pending):
            places[job] += 1
            values = {"job": job, "at": at, "kind": kind, "detail": detail, "place": places[job]}
            given |= {f"{name}_{row}": value for name, value in values.items()}
        self._connection.execute(_recording(len(pending)), given)

    def events(self, job: JobId, after: int = 0) -> tuple[JobEvent, ...]:
        """Events with a number above `after`, in order."""
        self.write_events()
        events = tables.events
        rows = self._connection.execute(
            select(events).where(events.c.job == job, events.c.number > after).order_by(events.c.number)
        )
        return tuple(
            JobEvent(job=row.job, number=row.number, at=row.at, kind=row.kind, detail=row.detail) for row in rows
        )

    def _one(self, job: JobId) -> Select[Any]:
        return select(tables.jobs).where(tables.jobs.c.id == job)

    def _by_age(self, query: Select[Any]) -> tuple[Job, ...]:
        found = [read_job(row) for row in self._connection.execute(query)]
        return tuple(sorted(found, key=lambda job: (job.created_at, job.id)))
