"""Ending a job without a boundary; its receipt has words of every stage, which are loaded only then."""

from datetime import datetime

from dissolution.findings import GateDecision
from dissolution.job import Job, JobStatus
from dissolution.ports.store import UnitOfWork


def keep_history(work: UnitOfWork, job: Job, status: JobStatus, decision: GateDecision, now: datetime) -> None:
    """End a job without a boundary, as its commit would; the receipt has words of every stage, which it loads."""
    from workers.stages.commit import keep_history as kept

    kept(work, job, status, decision, now)
