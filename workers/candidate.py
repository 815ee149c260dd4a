"""The candidate: a consensus as the boundary it would become."""

from dissolution.boundary import BoundaryState
from dissolution.findings import Consensus, GateDecision
from dissolution.job import Job


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
    )
