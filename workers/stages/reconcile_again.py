"""The ledger moved on before a job's commit: the job is reconciled with what stands now, and nothing is asked again."""

from dissolution.errors import VersionConflict
from dissolution.job import Job, Lease
from dissolution.ports.store import UnitOfWork
from workers.pipeline import STAGES
from workers.ready_steps import announce, ring_all
from workers.services import Services

REOPENED = "job_reopened"
APPROVED = "job_approved"
"""Event of a job that a person has looked at and let go on to its commit."""


def stages_from(first: str) -> tuple[str, ...]:
    """A stage and all that come after it, directly or not, in running order."""
    found = {first}
    for stage in STAGES:
        if found.intersection(stage.after):
            found.add(stage.name)
    return tuple(stage.name for stage in STAGES if stage.name in found)


RECONCILED = stages_from("consensus")
"""What runs again on another version of the ledger. Answers are stored before these stages and stay as they are."""


def reopen(services: Services, work: UnitOfWork, job: Job, version: int) -> None:
    """Put the consensus and what comes after it back to queued, to be built on a version of the ledger.

    A person's approval was of something else: the job waits for another look.
    """
    work.jobs.reopen(job.id, RECONCILED, services.clock.now(), version)
    if any(event.kind == APPROVED for event in work.jobs.events(job.id)):
        work.jobs.set_hold(job.id, True)


def reopened(services: Services, job: Job, lease: Lease, error: VersionConflict) -> bool:
    """Give up the commit that met another version and reconcile the job with that one.

    False, and nothing is changed, when the job's policy allows no further time.
    """
    with services.unit_of_work() as work:
        now = services.clock.now()
        work.jobs.record(job.id, now, REOPENED, f"version {error.present} stands, not {error.expected}")
        times = sum(event.kind == REOPENED for event in work.jobs.events(job.id))
        if times > job.policy.rolling.max_reconciliations:
            return False
        work.jobs.release(lease, now, error.code, counted=False)
        work.outbox.settle(job.id, lease.stage)
        reopen(services, work, job, error.present)
        rings = announce(work, job.id, now)
        work.commit()
    ring_all(services, rings)
    return True
