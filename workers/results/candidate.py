"""The candidate: the newest consensus of a job, as the boundary it would become, and the verdict on it."""

from dissolution.boundary import BoundaryState
from dissolution.findings import Consensus, GateDecision, NotRun
from dissolution.framing import FrameReport
from dissolution.job import Job
from dissolution.ports.store import UnitOfWork
from workers.probe.outcomes import RepairReport, outcome
from workers.step_results import step_output


def current_candidate(work: UnitOfWork, job: Job) -> Consensus:
    """What the repair made of the candidate if it amended it, else the frame audit, else the consensus itself.

    Raises LookupError before the consensus stands.
    """
    repaired = outcome(work, job, "repair", RepairReport)
    if isinstance(repaired, RepairReport) and repaired.amended is not None:
        return repaired.amended
    audited = outcome(work, job, "frame_audit", FrameReport)
    if isinstance(audited, FrameReport) and audited.amended is not None:
        return audited.amended
    return Consensus.model_validate_json(step_output(work, job, "consensus"))


def current_decision(work: UnitOfWork, job: Job) -> GateDecision | None:
    """The verdict that holds: the repair's, else the gate's; None while the gate has not decided."""
    repaired = outcome(work, job, "repair", RepairReport)
    if isinstance(repaired, RepairReport):
        return repaired.decision
    decided = outcome(work, job, "gate", GateDecision)
    return None if isinstance(decided, NotRun) else decided


def candidate_of(job: Job, consensus: Consensus, decision: GateDecision) -> BoundaryState:
    """The boundary as it would be committed."""
    return BoundaryState(
        conversation=job.conversation,
        job=job.id,
        through=job.through,
        snapshot_digest=job.snapshot_digest,
        decision=decision,
        claims=consensus.claims,
        dissent=consensus.dissent,
        closed=consensus.closed,
        changes=consensus.changes,
        excerpts=consensus.excerpts,
    )
