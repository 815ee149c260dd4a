"""Runs a job in this process, with the same steps and tables as the workers and no broker."""

from functools import partial

from dissolution.errors import LeaseLost, StepHeld
from dissolution.ids import JobId
from dissolution.job import ENDED, Job, JobStatus, StepStatus
from workers.concurrency.parallel import SideBySide
from workers.concurrency.processes import Interruption, interruptible
from workers.execution.steps import run_taken, take
from workers.pipeline import ready
from workers.ready_steps import rein_in
from workers.services import NoBell, Services

__all__ = ["NoBell", "run_job"]

LOOK_S = 0.5
"""Pause between two looks whether this process was asked to stop, while steps run (s)."""


def run_job(services: Services, job_id: JobId) -> Job:
    """Run the steps of a job that are not done until it has ended or is held; returns the job as it is.

    All steps that are ready run side by side, each in a thread of its own. When one breaks, or this process is asked to
    stop, the others are ended too: what they were told stands in the tables, and nobody is asked for it again.

    Raises NotFound, StepHeld when another process holds a step, and whatever a step raises; the job is then
    consistent and can be run again.
    """
    with services.unit_of_work() as work:
        if rein_in(work, services.clock.now(), services.settings):
            work.commit()
    with interruptible() as interruption:
        return _run(services, job_id, interruption)


def _run(services: Services, job_id: JobId, interruption: Interruption) -> Job:
    with SideBySide[str](services.abandon) as branches:
        while True:
            interruption.check()
            with services.unit_of_work() as work:
                job = work.jobs.get(job_id)
                steps = work.jobs.steps(job_id)
            if job.status in ENDED or job.status is JobStatus.HELD:
                return job  # which ends what is left of other branches: nobody needs it
            done = frozenset(step.stage for step in steps if step.status is StepStatus.DONE)
            _begin(services, job_id, [one.name for one in ready(done)], branches, interruption)
            if branches.running:
                _wait(services, job_id, branches, interruption)


def _begin(
    services: Services, job_id: JobId, stages: list[str], branches: SideBySide[str], interruption: Interruption
) -> None:
    """Take these stages, in running order, and begin with each that could be taken.

    They are taken in this thread: of two processes that want one job, whoever takes the first ready step goes on.
    """
    for stage in stages:
        if stage in branches.running:
            continue
        interruption.check()
        taken = take(services, job_id, stage)
        if taken is None:
            raise_unless_ended(services, job_id, stage)
            return  # somebody has moved the job on meanwhile: look again
        branches.begin(stage, partial(run_taken, services, *taken))


def _wait(services: Services, job_id: JobId, branches: SideBySide[str], interruption: Interruption) -> None:
    """Wait until one of the branches comes to the end of its step. Raises what the step raised."""
    while (ended := branches.next(LOOK_S)) is None:
        interruption.check()
    try:
        ended[1].result()
    except LeaseLost:
        if not has_ended(services, job_id):
            raise
        # cancelled meanwhile


def has_ended(services: Services, job_id: JobId) -> bool:
    """Whether somebody has ended the job."""
    with services.unit_of_work() as work:
        return work.jobs.get(job_id).status in ENDED


def raise_unless_ended(services: Services, job_id: JobId, stage: str) -> None:
    """Say who holds a step that could not be claimed; a job that has ended meanwhile, or a step that is over, is fine.

    Raises StepHeld.
    """
    with services.unit_of_work() as work:
        job = work.jobs.get(job_id)
        step = next(step for step in work.jobs.steps(job_id) if step.stage == stage)
    if job.status not in ENDED and step.status is StepStatus.RUNNING:
        raise StepHeld(job_id, stage, step.owner or "unknown", f"{step.lease_until:%Y-%m-%d %H:%M:%S} UTC")
