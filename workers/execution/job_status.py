"""How jobs stand: what is done, what runs, what waits for what. Read from the tables alone; no content in it."""

from collections.abc import Mapping
from datetime import datetime

from dissolution.job import Job, JobStatus, Lane, Step, StepStatus
from dissolution.limits import BlockStanding
from dissolution.outbox import OutboxRow
from dissolution.ports.store import UnitOfWork
from dissolution.values import Frozen
from workers.pipeline import STAGES

LISTED = 20
"""Unfinished jobs that are listed by name, the oldest first; the rest is counted."""

AFTER = {stage.name: stage.after for stage in STAGES}


class QueueStanding(Frozen):
    """One queue."""

    queue: str
    waiting: int  # steps that are ready and not claimed
    running: int
    lease_ran_out: int  # steps whose process died or stood still
    oldest_waits_s: float | None  # None when nothing waits


class JobStanding(Frozen):
    """One line about a job."""

    job: str
    status: JobStatus
    lane: Lane | None
    tenant: str
    conversation: str
    reason: str | None
    done: int
    steps: int
    running: tuple[str, ...]
    age_s: float


class StepStanding(Frozen):
    """One step of a job."""

    stage: str
    status: StepStatus
    attempts: int
    waits_for: str | None  # None when it runs, is over, or never will run
    owner: str | None
    lease_ends_in_s: float | None
    sent: int | None  # how often the relay sent its message; None when none is wanted
    reason: str | None


class JobDetail(Frozen):
    """One job with its steps in running order."""

    standing: JobStanding
    steps: tuple[StepStanding, ...]


class FleetStatus(Frozen):
    """Everything: jobs by status, queues, the oldest unfinished jobs, and the jobs that were asked for."""

    counts: Mapping[JobStatus, int] = {}
    queues: tuple[QueueStanding, ...] = ()
    unfinished: tuple[JobStanding, ...] = ()
    jobs: tuple[JobDetail, ...] = ()
    blocked: tuple[BlockStanding, ...] = ()  # accounts that no worker uses for a while


def overview(work: UnitOfWork, now: datetime) -> FleetStatus:
    """Counts of jobs and queues, and the oldest unfinished jobs."""
    return FleetStatus(
        counts=work.outbox.job_counts(),
        queues=tuple(
            QueueStanding(
                queue=one.queue,
                waiting=one.waiting,
                running=one.running,
                lease_ran_out=one.expired,
                oldest_waits_s=None if one.oldest_at is None else age_s(one.oldest_at, now),
            )
            for one in work.outbox.queues(now)
        ),
        unfinished=tuple(brief(work, job, now) for job in work.jobs.unfinished(LISTED)),
    )


def detail(work: UnitOfWork, job: Job, now: datetime) -> JobDetail:
    """One job with its steps."""
    steps = work.jobs.steps(job.id)
    rows = {row.ring.stage: row for row in work.outbox.of_job(job.id)}
    done = frozenset(step.stage for step in steps if step.status is StepStatus.DONE)
    each = tuple(
        StepStanding(
            stage=step.stage,
            status=step.status,
            attempts=step.attempts,
            waits_for=waits_for(step, rows.get(step.stage), done, job, now),
            owner=step.owner if step.status is StepStatus.RUNNING else None,
            lease_ends_in_s=None if step.lease_until is None else -age_s(step.lease_until, now),
            sent=rows[step.stage].attempts if step.stage in rows else None,
            reason=step.reason,
        )
        for step in steps
    )
    return JobDetail(standing=brief(work, job, now), steps=each)


def brief(work: UnitOfWork, job: Job, now: datetime) -> JobStanding:
    """One line about a job."""
    steps = work.jobs.steps(job.id)
    return JobStanding(
        job=job.id,
        status=job.status,
        lane=job.lane,
        tenant=job.tenant,
        conversation=job.conversation,
        reason=job.reason,
        done=sum(step.status is StepStatus.DONE for step in steps),
        steps=len(steps),
        running=tuple(step.stage for step in steps if step.status is StepStatus.RUNNING),
        age_s=age_s(job.created_at, now),
    )


def waits_for(step: Step, row: OutboxRow | None, done: frozenset[str], job: Job, now: datetime) -> str | None:
    """What must happen before the step runs; None when it runs, is over, or never will run."""
    if step.status is not StepStatus.QUEUED or job.ended_at is not None:
        return None
    missing = [stage for stage in AFTER.get(step.stage, ()) if stage not in done]
    if missing:
        return " and ".join(missing)
    if job.status is JobStatus.HELD:
        return "a person: the job is held"
    if job.lane is None:
        return "the process that runs the job; `dissolve resume` goes on"
    if row is None:
        return "the relay"
    resting = step.reason is not None and row.sent_at is None and row.due_at > now
    return f"its next attempt in {-age_s(row.due_at, now):.0f} s" if resting else "a worker"


def age_s(instant: datetime, now: datetime) -> float:
    """Seconds since an instant, negative for one to come; rounded to tenths."""
    return round((now - instant).total_seconds(), 1)
