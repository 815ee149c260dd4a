"""Rings: which steps workers are to be told of, written in the transaction that makes them ready.

A job without a lane is run by the process that made it, and nobody is rung for.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Protocol

from dissolution.ids import JobId
from dissolution.job import ENDED, LIVE, Job, Step, StepStatus
from dissolution.outbox import RING_GRACE_S, Ring
from dissolution.ports.store import UnitOfWork
from dissolution.settings import Settings
from dissolution.sizes import SnapshotSize
from workers.pipeline import AFTER, GIANT_QUEUES, STAGES, queue_of, ready
from workers.services import Services

RETRY_FIRST_S = 2.0
"""How long a step that broke rests before it is tried again (s); twice as long each further time."""

RETRY_LONGEST_S = 300.0
"""At most so long (s)."""


def ring_of(job: Job, stage: str, *, giant: bool = False) -> Ring | None:
    """The ring for one step; None for a job that workers do not run."""
    if job.lane is None:
        return None
    return Ring(job=job.id, stage=stage, queue=queue_of(stage, job.fleet, job.lane, giant=giant))


def is_giant(work: UnitOfWork, job: Job) -> bool:
    """Whether the job is about a very long conversation."""
    return SnapshotSize(job.through, work.conversations.text_bytes(job.conversation, job.through)).is_giant


def ready_stages(steps: Iterable[Step]) -> tuple[str, ...]:
    """The stages of queued steps that may run now, in running order; steps that were re-opened among them."""
    by_stage = {step.stage: step.status for step in steps}
    done = frozenset(stage for stage, status in by_stage.items() if status is StepStatus.DONE)
    return tuple(stage.name for stage in ready(done) if by_stage.get(stage.name) is StepStatus.QUEUED)


def follows(steps: Iterable[Step], stage: str) -> bool:
    """Whether everything that `stage` comes after is done. False for a stage that the path does not have."""
    done = {step.stage for step in steps if step.status is StepStatus.DONE}
    return any(one.name == stage and done.issuperset(one.after) for one in STAGES)


def announce(work: UnitOfWork, job_id: JobId, at: datetime, *, over: str | None = None) -> tuple[Ring, ...]:
    """Want every step rung for that has become ready; returns those rings, for `ring_all` after the commit.

    Looks at the tables alone, so it is right after any change of steps: several re-opened, a dead one queued again.
    What is wanted already is left as it is.

    Args:
        work: The transaction that changes the steps.
        job_id: Of which job.
        at: Now.
        over: The one step that this transaction has done, which is rung for no more: only what comes after it can have
            become ready.
    """
    job = work.jobs.get(job_id)
    if job.lane is None or job.status in ENDED:  # whose rings went with its end
        return ()
    stages = ready_stages(work.jobs.steps(job_id)) if job.status in LIVE else ()
    stages = tuple(stage for stage in stages if over is None or over in AFTER[stage])
    giant = bool(stages) and is_giant(work, job)
    rings = tuple(ring for stage in stages if (ring := ring_of(job, stage, giant=giant)) is not None)
    graces = {ring: 0 if ring.queue in GIANT_QUEUES else RING_GRACE_S for ring in rings}
    wanted = {ring: at + timedelta(seconds=grace_s) for ring, grace_s in graces.items()}
    if over is None:
        return work.outbox.want(wanted, at)
    return work.outbox.follow(job_id, over, wanted, at)


def ring_again(work: UnitOfWork, job_id: JobId, stage: str, at: datetime, *, wait_s: float) -> None:
    """Want a step that was given back rung for in `wait_s` seconds."""
    job = work.jobs.get(job_id)
    ring = ring_of(job, stage, giant=is_giant(work, job))
    if ring is not None and job.status in LIVE:
        work.outbox.put(ring, at, at + timedelta(seconds=wait_s))


def rein_in(work: UnitOfWork, at: datetime, settings: Settings) -> int:
    """Bound leases and rings that a clock which was set back has left far in the future; how many that were."""
    return work.outbox.rein_in(at, lease_s=settings.lease_s, wait_s=RETRY_LONGEST_S + settings.lease_s)


def is_time(at: datetime | None, now: datetime, wait: timedelta) -> bool:
    """Whether what was to be done `wait` later, at `at`, is to be done: also when the clock was set back meanwhile."""
    return at is None or not at - wait <= now < at


def retry_wait_s(attempts: int) -> float:
    """How long a step rests that broke in its attempt number `attempts`, in seconds."""
    return min(RETRY_FIRST_S * 2.0 ** max(0, min(attempts, 30) - 1), RETRY_LONGEST_S)


def ring_all(services: Services, rings: Iterable[Ring]) -> None:
    """Ring, after the commit. What is lost here the relay sends."""
    for ring in rings:
        services.bell.ring(ring)


class Sender(Protocol):
    """Sends one message."""

    def sent(self, ring: Ring) -> bool:
        """Whether the message was sent; False when the broker is away."""
        ...
