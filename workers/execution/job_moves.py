"""What a person may do to a job that workers run: cancel it, or queue its dead steps again."""

from dissolution.errors import IllegalMove
from dissolution.findings import GateDecision, Verdict
from dissolution.ids import JobId
from dissolution.job import Job, JobStatus, Lease, StepStatus
from workers.ready_steps import announce, ring_all
from workers.services import Services
from workers.stages.keep_history import keep_history


def cancel(services: Services, job_id: JobId) -> Job:
    """End a job on request; the history stays in force. What works at it ends within about two seconds.

    Raises NotFound, IllegalMove when the job has ended.
    """
    decision = GateDecision(verdict=Verdict.KEEP_HISTORY, reasons=("cancelled on request",))
    with services.unit_of_work() as work:
        now = services.clock.now()
        work.jobs.record(job_id, now, "cancel_asked")  # first: it locks the job, so that its status is settled
        keep_history(work, work.jobs.get(job_id), JobStatus.CANCELLED, decision, now)
        work.commit()
        return work.jobs.get(job_id)


def requeue(services: Services, job_id: JobId) -> Job:
    """Try a failed job's dead steps again, with all their attempts; nothing that has landed is asked again.

    A job without a lane is only made ready: whoever ran it resumes it.

    Raises NotFound, IllegalMove when the job has not failed.
    """
    with services.unit_of_work() as work:
        now = services.clock.now()
        work.jobs.record(job_id, now, "job_requeued")
        job = work.jobs.get(job_id)
        if job.status is not JobStatus.FAILED:
            kind = "job"
            raise IllegalMove(kind, job_id, job.status, JobStatus.RUNNING)
        work.jobs.move(job_id, JobStatus.RUNNING, now)
        steps = work.jobs.steps(job_id)
        for step in steps:  # beside a dead one: its worker dropped what it had when the job failed
            if step.status is StepStatus.RUNNING:
                left = Lease(job=job_id, stage=step.stage, epoch=step.epoch, owner=step.owner or "", until=now)
                work.jobs.release(left, now, "its job had failed", counted=False)
        dead = [step.stage for step in steps if step.status is StepStatus.DEAD]
        job = work.jobs.reopen(job_id, dead, now, job.expected_version)
        rings = announce(work, job_id, now)
        work.commit()
    ring_all(services, rings)
    return job
