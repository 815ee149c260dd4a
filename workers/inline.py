"""Runs a job in this process, with the same steps and tables as the workers and no broker."""

from dissolution.errors import LeaseLost, StepHeld
from dissolution.job import ENDED, Job, JobStatus, StepStatus
from workers.pipeline import ready
from workers.processes import Interruption, interruptible
from workers.ringing import rein_in
from workers.services import NoBell, Services
from workers.steps import run_step

__all__ = ["NoBell", "run_job"]


def run_job(services: Services, job_id: str) -> Job:
    """Run the steps of a job that are not done, in order, until it has ended or is held; returns the job as it is.

    Raises NotFound, StepHeld when another process holds a step, and whatever a step raises; the job is then
    consistent and can be run again.
    """
    with services.unit_of_work() as work:
        if rein_in(work, services.clock.now(), services.settings):
            work.commit()
    with interruptible() as interruption:
        return _run(services, job_id, interruption)


def _run(services: Services, job_id: str, interruption: Interruption) -> Job:
    while True:
        interruption.check()
        with services.unit_of_work() as work:
            job = work.jobs.get(job_id)
            steps = work.jobs.steps(job_id)
        if job.status in ENDED or job.status is JobStatus.HELD:
            return job
        done = frozenset(step.stage for step in steps if step.status is StepStatus.DONE)
        stage = ready(done)[0].name
        try:
            ran = run_step(services, job_id, stage)
        except LeaseLost:
            if not has_ended(services, job_id):
                raise
            continue  # cancelled meanwhile
        if not ran:
            raise_unless_ended(services, job_id, stage)


def has_ended(services: Services, job_id: str) -> bool:
    """Whether somebody has ended the job."""
    with services.unit_of_work() as work:
        return work.jobs.get(job_id).status in ENDED


def raise_unless_ended(services: Services, job_id: str, stage: str) -> None:
    """Say who holds a step that could not be claimed; a job that has ended meanwhile, or a step that is over, is fine.

    Raises StepHeld.
    """
    with services.unit_of_work() as work:
        job = work.jobs.get(job_id)
        step = next(step for step in work.jobs.steps(job_id) if step.stage == stage)
    if job.status not in ENDED and step.status is StepStatus.RUNNING:
        raise StepHeld(job_id, stage, step.owner or "unknown", f"{step.lease_until:%Y-%m-%d %H:%M:%S} UTC")
