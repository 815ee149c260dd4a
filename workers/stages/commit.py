"""The commit step, and every other way a job ends: one transaction each."""

from collections.abc import Sequence
from datetime import datetime

from dissolution.answers import Call
from dissolution.findings import COMMITTED, GateDecision
from dissolution.job import Job, JobStatus
from dissolution.ports.store import UnitOfWork
from workers.results.candidate import candidate_of, current_candidate, current_decision
from workers.results.next_step import with_change
from workers.results.receipt import build_receipt
from workers.services import Services
from workers.step_results import Ending, StepResult


def commit_boundary(services: Services, job: Job) -> StepResult:
    """Commit the candidate, or end the job with the history kept; the effect runs with the step's completion."""
    with services.unit_of_work() as work:
        decision = with_change(work, job, decided(work, job))
        consensus = current_candidate(work, job)
        calls = work.jobs.calls(job.id)  # nothing lands of a step that is over
    at = services.clock.now()
    if decision.verdict not in COMMITTED:
        ending = Ending(status=JobStatus.HISTORY_KEPT, decision=decision)
        return StepResult(
            output=ending,
            note="the history is kept",
            effect=lambda work: keep_history(work, job, JobStatus.HISTORY_KEPT, decision, at, calls=calls),
        )
    version = job.expected_version + 1

    def commit(work: UnitOfWork) -> None:
        receipt = build_receipt(work, job, decision, at, calls)
        work.boundaries.commit(candidate_of(job, consensus, decision), receipt, job.expected_version, at)
        work.jobs.move(job.id, JobStatus.COMMITTED, at, in_one_line(decision))
        work.jobs.record(job.id, at, "boundary_committed", f"version {version}")

    ending = Ending(status=JobStatus.COMMITTED, decision=decision, version=version)
    return StepResult(output=ending, note=f"boundary version {version}", effect=commit)


def decided(work: UnitOfWork, job: Job) -> GateDecision:
    """The verdict that holds. Raises LookupError when the gate has not decided: it runs before the commit."""
    decision = current_decision(work, job)
    if decision is None:
        message = f"job {job.id!r} comes to its commit without a verdict; the gate runs before it"
        raise LookupError(message)
    return decision


def in_one_line(decision: GateDecision) -> str:
    """Why a job ended as it did, and what would change it."""
    change = () if decision.would_change is None else (decision.would_change,)
    return "; ".join((*decision.reasons, *change))


def keep_history(
    work: UnitOfWork,
    job: Job,
    status: JobStatus,
    decision: GateDecision,
    at: datetime,
    *,
    calls: Sequence[Call] | None = None,
) -> None:
    """End `job` without a boundary: its receipt and its reasons are stored, the history stays in force.

    `calls` are all of the job where its steps are over and somebody has read them; they are read if None.
    """
    work.boundaries.save_receipt(build_receipt(work, job, decision, at, calls))
    work.jobs.move(job.id, status, at, in_one_line(decision))
    work.jobs.record(job.id, at, f"job_{status.value}")
