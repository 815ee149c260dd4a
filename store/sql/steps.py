"""The steps part of JobStore over SQL: claimed by one conditional update, finished under the fence of the epoch."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Update, and_, bindparam, case, exists, or_, select, tuple_, update
from sqlalchemy.sql.dml import ReturningUpdate

from dissolution.errors import LeaseLost
from dissolution.ids import JobId
from dissolution.job import ENDED, LIVE, STEPS_OVER, Lease, Step, StepStatus
from store.rules.checks import UNTRIED
from store.sql.rows import Seeing
from store.tables import jobs as tables
from store.tables.columns import utc

LIVE_VALUES = tuple(sorted(status.value for status in LIVE))
"""Statuses of jobs whose steps may be claimed, as they are stored."""

_ENDED_VALUES = tuple(sorted(status.value for status in ENDED))


class SqlSteps(Seeing):
    """Steps in one transaction."""

    def steps(self, job: JobId) -> tuple[Step, ...]:
        """The steps of a job in the order they were added."""
        if job in self._seen.steps:
            return self._seen.steps[job]
        steps = tables.steps
        rows = self._connection.execute(select(steps).where(steps.c.job == job).order_by(steps.c.ordinal))
        found = tuple(Step(**{name: getattr(row, name) for name in Step.model_fields}) for row in rows)
        self._seen.steps[job] = found
        return found

    def claim(self, job: JobId, stage: str, owner: str, at: datetime, lease_s: float) -> Lease | None:
        """Take a step that is queued, or whose lease ran out by `at`; counts the attempt.

        None when it is not to be had: held by somebody, done, dead or unknown, or its job has ended or waits for a
        person. One conditional update decides, so of many who try at once one wins; each claim has an epoch of its
        own.
        """
        now, until = utc(at), utc(at) + timedelta(seconds=lease_s)
        place = {"of_job": job, "of_stage": stage, "by_owner": owner, "now": now, "until": until}
        found = self._connection.execute(_CLAIM, place).one_or_none()
        if found is None:
            return None
        given = {"status": StepStatus.RUNNING, "epoch": found.epoch, "attempts": found.attempts, "owner": owner}
        times = {"lease_until": until, "started_at": found.started_at}
        self._seen.change(job, stage, {**given, **times, "reason": None})
        return Lease(job=job, stage=stage, epoch=found.epoch, owner=owner, until=until)

    def renew(self, lease: Lease, at: datetime, lease_s: float) -> Lease:
        """Hold on for `lease_s` more seconds from `at`. Raises LeaseLost, also when the job has ended meanwhile."""
        until = utc(at) + timedelta(seconds=lease_s)
        self._under(lease, {"lease_until": until}, ~_job_is(_ENDED_VALUES))
        return lease.model_copy(update={"until": until})

    def renew_all(self, leases: Sequence[Lease], at: datetime, lease_s: float) -> tuple[Lease, ...]:
        """As `renew` for many; those that are still held, and nothing of the others.

        A step that somebody changes at this moment is not waited for: it is held, and keeps the end it has.
        """
        steps, until = tables.steps, utc(at) + timedelta(seconds=lease_s)
        if not leases:
            return ()
        for one in leases:
            self._seen.steps.pop(one.job, None)
        ours = tuple_(steps.c.job, steps.c.stage, steps.c.epoch).in_(
            [(one.job, one.stage, one.epoch) for one in leases]
        )
        held = and_(ours, steps.c.status == StepStatus.RUNNING.value, ~_job_is(_ENDED_VALUES))
        free = select(steps.c.job, steps.c.stage).where(held).with_for_update(of=steps, skip_locked=True)
        place = tuple_(steps.c.job, steps.c.stage)
        rows = [tuple(row) for row in self._connection.execute(free)]
        if rows:
            self._connection.execute(update(steps).where(place.in_(rows)).values(lease_until=until))
        renewed = dict.fromkeys(rows, until)
        if len(renewed) < len(leases):
            others = {
                tuple(row): None for row in self._connection.execute(select(steps.c.job, steps.c.stage).where(held))
            }
            renewed = {**others, **renewed}
        return tuple(
            one.model_copy(update={"until": renewed[one.job, one.stage] or one.until})
            for one in leases
            if (one.job, one.stage) in renewed
        )

    def ended(self, jobs: Collection[JobId]) -> frozenset[JobId]:
        """Which of these jobs have ended."""
        found = tables.jobs
        query = select(found.c.id).where(found.c.id.in_(jobs), found.c.status.in_(_ENDED_VALUES))
        return frozenset(self._connection.scalars(query)) if jobs else frozenset()

    def complete(self, lease: Lease, at: datetime, output: str) -> None:
        """Finish a step with its output (JSON text), under the fence. Raises LeaseLost."""
        values = {"output": output, "ended_at": utc(at), "lease_until": None}
        place = {"of_job": lease.job, "of_stage": lease.stage, "of_epoch": lease.epoch}
        new = {"new_output": output, "now": values["ended_at"]}
        if self._connection.execute(_COMPLETION, place | new).rowcount == 0:
            raise LeaseLost(lease.job, lease.stage, lease.epoch)
        self._seen.change(lease.job, lease.stage, {**values, "status": StepStatus.DONE})

    def release(self, lease: Lease, at: datetime, reason: str, *, counted: bool = True) -> None:
        """Give a step back as queued; an attempt that does not count is taken off again. Raises LeaseLost."""
        utc(at)
        values = {"status": StepStatus.QUEUED.value, "reason": reason, "owner": None, "lease_until": None}
        self._under(lease, values | ({} if counted else {"attempts": tables.steps.c.attempts - 1}))

    def bury(self, lease: Lease, at: datetime, reason: str) -> None:
        """Declare a step dead with its reason. Raises LeaseLost."""
        self._under(
            lease, {"status": StepStatus.DEAD.value, "reason": reason, "ended_at": utc(at), "lease_until": None}
        )

    def requeue(self, job: JobId, stages: Sequence[str]) -> None:
        """Put done and dead steps of these stages back to queued, as if never tried, but for epoch and output."""
        self._seen.steps.pop(job, None)
        steps = tables.steps
        over = steps.c.status.in_([status.value for status in StepStatus if status in STEPS_OVER])
        self._connection.execute(
            update(steps).where(steps.c.job == job, steps.c.stage.in_(stages), over).values(UNTRIED)
        )

    def _under(
        self,
        lease: Lease,
        values: Mapping[str, object],
        *more: ColumnElement[bool],
    ) -> None:
        """Change the step if it still runs under this very lease: status and epoch are the fence."""
        steps = tables.steps
        place = {"of_job": lease.job, "of_stage": lease.stage, "of_epoch": lease.epoch}
        if self._connection.execute(update(steps).where(_held(), *more).values(values), place).rowcount == 0:
            raise LeaseLost(lease.job, lease.stage, lease.epoch)
        self._seen.change(lease.job, lease.stage, None)


def _job_is(statuses: tuple[str, ...]) -> ColumnElement[bool]:
    """Whether the job of the step that is updated has one of these statuses."""
    jobs, steps = tables.jobs, tables.steps
    return exists().where(jobs.c.id == steps.c.job, jobs.c.status.in_(statuses))


def _held() -> ColumnElement[bool]:
    """Whether a step still runs under this very lease: status and epoch are the fence."""
    steps = tables.steps
    place = (steps.c[name] == bindparam(f"of_{name}") for name in ("job", "stage", "epoch"))
    return and_(*place, steps.c.status == StepStatus.RUNNING.value)


def _claim() -> ReturningUpdate[Any, Any, Any]:
    """Takes a step that is queued, or whose lease has run out. Made once, as the one below: each step asks for both."""
    steps = tables.steps
    place = (steps.c[name] == bindparam(f"of_{name}") for name in ("job", "stage"))
    now = bindparam("now", type_=steps.c.started_at.type)
    queued = steps.c.status == StepStatus.QUEUED.value
    expired = and_(steps.c.status == StepStatus.RUNNING.value, steps.c.lease_until <= now)
    return (
        update(steps)
        .where(*place, or_(queued, expired), _job_is(LIVE_VALUES))
        .values(
            status=StepStatus.RUNNING.value,
            epoch=steps.c.epoch + 1,
            attempts=steps.c.attempts + 1,
            owner=bindparam("by_owner", type_=steps.c.owner.type),
            lease_until=bindparam("until", type_=steps.c.lease_until.type),
            started_at=case((steps.c.started_at.is_(None), now), else_=steps.c.started_at),
            reason=None,
        )
        .returning(steps.c.epoch, steps.c.attempts, steps.c.started_at)
    )


def _completion() -> Update:
    """Finishes a step."""
    steps = tables.steps
    values = {name: bindparam(given, type_=steps.c[name].type) for name, given in COMPLETED.items()}
    return update(steps).where(_held()).values(**values, lease_until=None, status=StepStatus.DONE.value)


COMPLETED = {"output": "new_output", "ended_at": "now"}

_CLAIM, _COMPLETION = _claim(), _completion()
