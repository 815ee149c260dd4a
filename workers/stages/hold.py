"""Jobs that wait for a person before their commit: held, looked at, then let go on or discarded."""

from dissolution.errors import InputError
from dissolution.findings import GateDecision, Verdict
from dissolution.ids import JobId
from dissolution.job import ENDED, Job, JobStatus
from workers.ready_steps import announce, follows, ring_all
from workers.services import Services
from workers.stages.keep_history import keep_history
from workers.stages.reconcile_again import APPROVED, REOPENED, reopen
from workers.tenants.redaction import without_secrets

LAST_STAGE = "commit"


def hold_back(services: Services, job_id: JobId) -> bool:
    """Keep the commit step of a job that was run with a hold from running; whether it was kept.

    The job is moved to HELD once it has come to its commit. Called before the step is claimed, by whoever is about to
    run it.
    """
    with services.unit_of_work() as work:
        if not work.jobs.get(job_id).hold:
            return False
        now = services.clock.now()
        work.jobs.record(job_id, now, "job_held", "waits for `dissolve commit` or `dissolve discard`")
        arrived = follows(work.jobs.steps(job_id), LAST_STAGE)
        if work.jobs.get(job_id).status is not JobStatus.RUNNING or not arrived:
            return True  # held already, ended meanwhile, or a message that came early; the event is not kept
        work.jobs.move(job_id, JobStatus.HELD, now)
        work.outbox.settle(job_id, LAST_STAGE)
        work.commit()
    return True


def approve(services: Services, job: Job) -> bool:
    """Let a held job go on to its commit. False when the ledger has moved on since it was held.

    In that case it is reconciled with what stands now and held again, so that nobody commits what he has not seen.
    Either way its steps are then to be run. Raises InputError when the job is not held.
    """
    with services.unit_of_work() as work:
        now = services.clock.now()
        version = work.boundaries.version(job.conversation)
        same = version == job.expected_version
        detail = f"on version {version}" if same else f"version {version} stands, not {job.expected_version}"
        work.jobs.record(job.id, now, APPROVED if same else REOPENED, detail)
        _require_held(work.jobs.get(job.id))
        if same:
            work.jobs.set_hold(job.id, False)
        else:
            reopen(services, work, job, version)
        work.jobs.move(job.id, JobStatus.RUNNING, now)
        rings = announce(work, job.id, now)
        work.commit()
    ring_all(services, rings)
    return same


def discard(services: Services, job: Job, reason: str) -> Job:
    """End a held job without a boundary; its receipt is kept. Raises InputError when the job is not held."""
    with services.unit_of_work() as work:
        now = services.clock.now()
        work.jobs.record(job.id, now, "job_discarded")
        _require_held(work.jobs.get(job.id))
        told = without_secrets(work, reason, job.conversation)
        decision = GateDecision(verdict=Verdict.KEEP_HISTORY, reasons=(told,))
        keep_history(work, job, JobStatus.CANCELLED, decision, now)
        work.commit()
        return work.jobs.get(job.id)


def _require_held(job: Job) -> None:
    if job.status is JobStatus.HELD:
        return
    remedy = "it has ended" if job.status in ENDED else "only a job that was run with --hold waits before its commit"
    raise InputError(f"job {job.id!r} is {job.status.value!r}, not held", remedy)
