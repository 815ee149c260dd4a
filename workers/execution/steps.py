"""The stages as plain functions of (services, job), and the one way to run any of them: claim, work, complete."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple

from dissolution.errors import (
    BehindBoundary,
    BudgetExceeded,
    DissolutionError,
    InputError,
    LeaseLost,
    ModelAssetError,
    QuorumNotMet,
    StepOverLimit,
    StoreError,
    TemporalError,
    TenantBusy,
    VersionConflict,
)
from dissolution.findings import GateDecision, Verdict
from dissolution.ids import JobId
from dissolution.job import ENDED, Job, JobStatus, Lease, Step, StepStatus
from dissolution.outbox import Ring
from dissolution.ports.store import UnitOfWork
from workers.concurrency.in_flight import IN_HAND
from workers.concurrency.processes import is_gone
from workers.concurrency.step_memory import at_hand
from workers.concurrency.tenant_concurrency import SEAT_WAIT_S
from workers.execution.leases import holding
from workers.ready_steps import announce, follows, retry_wait_s, ring_again, ring_all
from workers.results.after_error import after_error
from workers.services import Services
from workers.stage_functions import LOADERS, StepFunction, loaded_on_first_run
from workers.stages.hold import LAST_STAGE, hold_back
from workers.stages.keep_history import keep_history
from workers.stages.reconcile_again import reopened
from workers.step_results import StepResult


class Taken(NamedTuple):
    """A step that was claimed."""

    job: Job
    lease: Lease
    steps: Sequence[Step] = ()  # of the job before it was claimed; empty: to be read by whoever needs them


STEPS: Mapping[str, StepFunction] = {stage: loaded_on_first_run(load) for stage, load in LOADERS.items()}
"""One function a stage of `workers.pipeline`."""

EXPLAINED_ENDS: Mapping[type[DissolutionError], JobStatus] = {
    QuorumNotMet: JobStatus.HISTORY_KEPT,
    BudgetExceeded: JobStatus.HISTORY_KEPT,
    StepOverLimit: JobStatus.HISTORY_KEPT,
    BehindBoundary: JobStatus.HISTORY_KEPT,  # another job's boundary covers more turns by now
    VersionConflict: JobStatus.HISTORY_KEPT,  # once too often: see `workers.stages.reconcile_again`
    TemporalError: JobStatus.HISTORY_KEPT,
}
"""Errors that end a job with their reason instead of being tried again, and how it ends."""


NOBODYS_FAULT = (InputError, StoreError, ModelAssetError)
"""What is wrong outside the job and can be put right: a step that meets it is given back. Who runs a job in his own
process sees it and may try as often as he likes; with workers nobody looks on, so there only the database's absence
is not counted as an attempt."""


def run_step(services: Services, job_id: JobId, stage: str) -> bool:
    """Run one stage of one job if it can be claimed; False when somebody else holds it, or it is over or held.

    Where the process goes on by itself (`Services.goes_on`), the stages that follow run too.

    A commit that finds another version of the ledger puts the job back to its consensus, which then runs on that one.
    An error of EXPLAINED_ENDS ends the job, its reason stored. Any other error gives the step back, or declares it
    dead at the attempts cap, and is raised. Raises LeaseLost when another worker took the step over.
    """
    taken = take(services, job_id, stage)
    return taken is not None and run_taken(services, *taken)


def take(services: Services, job_id: JobId, stage: str) -> Taken | None:
    """Claim a step for `run_taken`; None when it is not to be had, or is the commit of a job that is held."""
    if stage == LAST_STAGE and hold_back(services, job_id):
        return None
    return claim(services, job_id, stage)


def run_taken(services: Services, job: Job, lease: Lease, steps: Sequence[Step] = ()) -> bool:
    """Run a step that was taken, in whichever thread, and what the process goes on with; see `run_step`."""
    taken: Taken | None = Taken(job, lease, steps)
    while taken is not None:
        lease = taken.lease
        try:
            with services.watch.step(taken.job, taken.lease):
                taken = run_claimed(services, *taken)
        finally:
            IN_HAND.discard(lease)
    return True


def run_claimed(services: Services, job: Job, lease: Lease, steps: Sequence[Step] = ()) -> Taken | None:
    """Run a step that was claimed, to whichever end; the step that this process goes on with. See `run_step`."""
    job_id, stage = job.id, lease.stage
    try:
        services.progress.stage_started(job_id, stage)
        with holding(services, lease, limited=job.lane is not None), at_hand(steps):
            result = STEPS[stage](services, job)
        following = finish(services, lease, result)
    except LeaseLost:
        raise
    except TenantBusy as busy:
        put_off(services, job, lease, busy)
        services.progress.stage_ended(job_id, stage, str(busy))
        return None
    except VersionConflict as error:
        if not reopened(services, job, lease, error):
            end_explained(services, job, lease, error)
        services.progress.stage_ended(job_id, stage, str(error))
        return None
    except tuple(EXPLAINED_ENDS) as error:
        end_explained(services, job, lease, error)
        services.progress.stage_ended(job_id, stage, str(error))
        return None
    except BaseException as error:
        with suppress(LeaseLost):  # the interruption may come just after the step's completion was committed
            give_back(services, job, lease, error)
        raise
    services.progress.stage_ended(job_id, stage, result.note)
    return following


def claim(services: Services, job_id: JobId, stage: str) -> Taken | None:
    """Take a step and count the attempt; None when somebody else holds it, or the job is over or held.

    A message may come at any time, so a step whose turn has not come is not taken either: its message does nothing.
    A step whose process on this machine has ended is taken over at once; its lease need not run out. One that has
    had all its attempts, because every process that tried it died at it, is dead and ends its job.
    """
    with services.unit_of_work() as work:
        now = services.clock.now()
        work.jobs.record(job_id, now, "step_started", stage)  # first: it locks the job, so that its status is settled
        job = work.jobs.get(job_id)
        steps = work.jobs.steps(job_id)
        if not follows(steps, stage):
            return None
        lease = work.jobs.claim(job_id, stage, services.owner, now, services.settings.lease_s)
        if lease is None:
            lease = take_over(services, work, job, stage)
        if lease is None:
            return None
        if job.status is JobStatus.QUEUED:
            job = work.jobs.move(job_id, JobStatus.RUNNING, now)
        before = next(step for step in steps if step.stage == stage)  # nobody claims beside us: see above
        if before.status is StepStatus.RUNNING:
            work.jobs.record(job_id, now, "lease_ran_out", stage)
        poisonous = job.lane is not None and before.attempts >= services.settings.max_attempts
        if poisonous:
            bury(work, job, lease, now, f"every process that tried it ended at it ({before.attempts} times)")
        taken = None if poisonous else Taken(job, lease, steps)
        commit_claim(work, taken)
    return taken


def commit_claim(work: UnitOfWork, taken: Taken | None) -> None:
    """Commit, with the step in hand before anybody else in this process can see that it is held."""
    if taken is not None:
        IN_HAND.add(taken.lease)
    try:
        work.commit()
    except BaseException:
        if taken is not None:
            IN_HAND.discard(taken.lease)
        raise


def take_over(services: Services, work: UnitOfWork, job: Job, stage: str) -> Lease | None:
    """Take a step whose owner was a process of this machine that has ended, or this one, which works at it no more.

    None when it was neither, or cannot be told.
    """
    step = step_of(work, job.id, stage)
    if step.owner is None or step.lease_until is None:
        return None
    dropped = step.owner == services.owner and (job.id, stage) not in IN_HAND
    if not dropped and not is_gone(step.owner):
        return None
    return work.jobs.claim(job.id, stage, services.owner, step.lease_until, services.settings.lease_s)


def step_of(work: UnitOfWork, job_id: JobId, stage: str) -> Step:
    """One step of a job."""
    return next(step for step in work.jobs.steps(job_id) if step.stage == stage)


def finish(services: Services, lease: Lease, result: StepResult) -> Taken | None:
    """Complete a step and do what must become true with it, in one transaction under the fence; then ring.

    The next step is claimed in the same transaction where this process goes on with it: then nobody need be told, and
    its ring stands for whoever finds that this process is gone. None when it goes on with none.

    A job that has ended meanwhile, because somebody cancelled it, keeps what the step brought and changes no more.
    """
    with services.unit_of_work() as work:
        now = services.clock.now()
        work.jobs.record(lease.job, now, "step_done", lease.stage)
        work.jobs.complete(lease, now, result.output.model_dump_json())
        if result.effect is not None and work.jobs.get(lease.job).status not in ENDED:
            result.effect(work)
        rings = announce(work, lease.job, now, over=lease.stage)
        following = go_on(services, work, rings, now)
        commit_claim(work, following)
    try:
        ring_all(services, (ring for ring in rings if following is None or ring.stage != following.lease.stage))
    except BaseException:
        if following is not None:  # nobody works at it: the relay rings for it when its lease has run out
            IN_HAND.discard(following.lease)
        raise
    return following


def go_on(services: Services, work: UnitOfWork, rings: Iterable[Ring], now: datetime) -> Taken | None:
    """Claim the first of these steps that this process goes on with, under the lock of their job.

    One that was tried before, and the commit of a job that is held, waits for its message: what is asked of such a
    step is asked there.
    """
    for ring in rings:
        job, steps = work.jobs.get(ring.job), work.jobs.steps(ring.job)
        untried = any(step.stage == ring.stage and step.attempts == 0 for step in steps)
        if not untried or (ring.stage == LAST_STAGE and job.hold) or not services.goes_on(ring):
            continue
        lease = work.jobs.claim(ring.job, ring.stage, services.owner, now, services.settings.lease_s)
        if lease is not None:
            work.jobs.record(ring.job, now, "step_started", ring.stage)
            return Taken(job, lease, steps)
    return None


def end_explained(services: Services, job: Job, lease: Lease, error: DissolutionError) -> None:
    """End the job for a reason that trying again cannot change."""
    status = next(status for kind, status in EXPLAINED_ENDS.items() if isinstance(error, kind))
    decision = GateDecision(verdict=Verdict.KEEP_HISTORY, reasons=(str(error),), would_change=after_error(error))
    with services.unit_of_work() as work:
        now = services.clock.now()
        work.jobs.record(job.id, now, "step_ended_job", lease.stage)
        work.jobs.bury(lease, now, error.code)
        if work.jobs.get(job.id).status not in ENDED:
            keep_history(work, job, status, decision, now)
        work.commit()


def put_off(services: Services, job: Job, lease: Lease, busy: TenantBusy) -> None:
    """Return a step whose tenant has to wait for itself: no attempt is counted, and its worker serves others."""
    with services.unit_of_work() as work:
        now = services.clock.now()
        work.jobs.record(job.id, now, "step_put_off", lease.stage)
        work.jobs.release(lease, now, str(busy), counted=False)
        ring_again(work, job.id, lease.stage, now, wait_s=SEAT_WAIT_S)
        work.commit()


def give_back(services: Services, job: Job, lease: Lease, error: BaseException) -> None:
    """Return a step that broke or was interrupted; at the attempts cap it is dead and the job has failed.

    Only the kind of an unforeseen error is stored: its text may hold content of the conversation. For workers the
    step is rung for again: at once after an interruption, else after a rest.
    """
    reason = str(error) if isinstance(error, DissolutionError) else type(error).__name__
    interrupted = not isinstance(error, Exception)
    forgiven = interrupted or isinstance(error, NOBODYS_FAULT if job.lane is None else StoreError)
    with services.unit_of_work() as work:
        now = services.clock.now()
        work.jobs.record(job.id, now, "step_interrupted" if interrupted else "step_failed", lease.stage)
        attempts = step_of(work, job.id, lease.stage).attempts
        if forgiven or attempts < services.settings.max_attempts:
            work.jobs.release(lease, now, reason, counted=not forgiven)
            ring_again(work, job.id, lease.stage, now, wait_s=0 if interrupted else retry_wait_s(attempts))
        else:
            bury(work, job, lease, now, reason)
        work.commit()


def bury(work: UnitOfWork, job: Job, lease: Lease, now: datetime, reason: str) -> None:
    """Declare a step dead and its job failed; `dissolve requeue` tries again."""
    work.jobs.bury(lease, now, reason)
    work.outbox.settle(job.id, lease.stage)
    if work.jobs.get(job.id).status not in ENDED:
        decision = GateDecision(verdict=Verdict.KEEP_HISTORY, reasons=(f"step {lease.stage} is dead: {reason}",))
        keep_history(work, job, JobStatus.FAILED, decision, now)
