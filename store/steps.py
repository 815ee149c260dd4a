"""The steps part of JobStore over SQL: claimed by one conditional update, finished under the fence of the epoch."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import and_, case, or_, select, update

from dissolution.errors import LeaseLost
from dissolution.job import Lease, Step, StepStatus
from store import tables
from store.checks import UNTRIED
from store.columns import utc
from store.rows import Repository


class SqlSteps(Repository):
    """Steps in one transaction."""

    def steps(self, job: str) -> tuple[Step, ...]:
        """The steps of a job in the order they were added."""
        steps = tables.steps
        rows = self._connection.execute(select(steps).where(steps.c.job == job).order_by(steps.c.ordinal))
        return tuple(Step(**{name: getattr(row, name) for name in Step.model_fields}) for row in rows)

    def claim(self, job: str, stage: str, owner: str, at: datetime, lease_s: float) -> Lease | None:
        """Take a step that is queued, or whose lease ran out by `at`; counts the attempt.

        None when it is not to be had: held, done, dead or unknown. One conditional update decides, so of many who
        try at once one wins; each claim has an epoch of its own.
        """
        steps = tables.steps
        now, until = utc(at), utc(at) + timedelta(seconds=lease_s)
        queued = steps.c.status == StepStatus.QUEUED.value
        expired = and_(steps.c.status == StepStatus.RUNNING.value, steps.c.lease_until <= now)
        epoch = self._connection.scalar(
            update(steps)
            .where(steps.c.job == job, steps.c.stage == stage, or_(queued, expired))
            .values(
                status=StepStatus.RUNNING.value,
                epoch=steps.c.epoch + 1,
                attempts=steps.c.attempts + 1,
                owner=owner,
                lease_until=until,
                started_at=case((steps.c.started_at.is_(None), now), else_=steps.c.started_at),
                reason=None,
            )
            .returning(steps.c.epoch)
        )
        return None if epoch is None else Lease(job=job, stage=stage, epoch=epoch, owner=owner, until=until)

    def renew(self, lease: Lease, at: datetime, lease_s: float) -> Lease:
        """Hold on for `lease_s` more seconds from `at`. Raises LeaseLost."""
        until = utc(at) + timedelta(seconds=lease_s)
        self._under(lease, {"lease_until": until})
        return lease.model_copy(update={"until": until})

    def complete(self, lease: Lease, at: datetime, output: str) -> None:
        """Finish a step with its output (JSON text), under the fence. Raises LeaseLost."""
        self._under(
            lease, {"status": StepStatus.DONE.value, "output": output, "ended_at": utc(at), "lease_until": None}
        )

    def release(self, lease: Lease, at: datetime, reason: str) -> None:
        """Give a step back as queued, such as on interruption. Raises LeaseLost."""
        utc(at)
        self._under(lease, {"status": StepStatus.QUEUED.value, "reason": reason, "owner": None, "lease_until": None})

    def bury(self, lease: Lease, at: datetime, reason: str) -> None:
        """Declare a step dead with its reason. Raises LeaseLost."""
        self._under(
            lease, {"status": StepStatus.DEAD.value, "reason": reason, "ended_at": utc(at), "lease_until": None}
        )

    def requeue(self, job: str, stages: Sequence[str]) -> None:
        """Put done and dead steps of these stages back to queued, as if never tried, but for epoch and output."""
        steps = tables.steps
        over = steps.c.status.in_([StepStatus.DONE.value, StepStatus.DEAD.value])
        self._connection.execute(
            update(steps).where(steps.c.job == job, steps.c.stage.in_(stages), over).values(UNTRIED)
        )

    def _under(self, lease: Lease, values: dict[str, object]) -> None:
        """Change the step if it still runs under this very lease: status and epoch are the fence."""
        steps = tables.steps
        held = and_(
            steps.c.job == lease.job,
            steps.c.stage == lease.stage,
            steps.c.status == StepStatus.RUNNING.value,
            steps.c.epoch == lease.epoch,
        )
        if self._connection.execute(update(steps).where(held).values(values)).rowcount == 0:
            raise LeaseLost(lease.job, lease.stage, lease.epoch)
