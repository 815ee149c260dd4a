"""One cycle's consensus against the ledger: read `reconcile` from the top."""

from collections.abc import Sequence

from consensus.reconcile.comparison import space_of
from consensus.reconcile.cycle import Cycle
from consensus.reconcile.minority import joined
from consensus.reconcile.validity import timed
from dissolution.boundary import BoundaryState
from dissolution.claims import Claim, Dissent, Section
from dissolution.conversation import Snapshot
from dissolution.findings import Consensus
from dissolution.ledger import Change, ChangeKind
from dissolution.policy.job_policy import Policy
from dissolution.ports.models import Embedder

ORDER = tuple(Section)


def reconcile(
    prior: BoundaryState | None,
    consensus: Consensus,
    snapshot: Snapshot,
    embedder: Embedder,
    policy: Policy,
    *,
    job: str,
    ended: Sequence[Claim] = (),
) -> Consensus:
    """The consensus with the whole open part of the ledger in it, and what became of each claim.

    Nothing that was held is lost: every claim of `prior` is among the open claims or among `closed`, and what closes it
    is cited there. Only members' votes (`consensus.reconcile.votes`) and a claim's own interval close anything; what is
    merely suspected is a hint to the next review. The result is the same for any order of claims, and for any names of
    the members but for the names.

    Args:
        prior: The boundary that stands; None in the first cycle.
        consensus: What this cycle's answers say.
        snapshot: The whole conversation up to the turn the answers are about.
        embedder: Meaning as vectors.
        policy: The thresholds of this job.
        job: The job's id; ids of claims made here are derived from it.
        ended: Claims of the ledger that were closed earlier, so that one that comes back is known.

    Raises:
        NoCalibration: Nobody calibrated thresholds for the embedder.
        ModelAssetError: The embedder's weights are missing.
    """
    fresh = sorted((timed(_first_said(c, snapshot), snapshot) for c in consensus.claims), key=_place)
    if prior is None:
        added = [Change(kind=ChangeKind.ADDED, claim=claim.id, reason="nothing was held before") for claim in fresh]
        return consensus.model_copy(update={"claims": tuple(fresh), "changes": tuple(added), "prior_version": 0})
    gone = {claim.id: claim for claim in (*ended, *prior.closed)}
    items = [*prior.claims, *fresh, *prior.dissent, *consensus.dissent, *gone.values()]
    said = [item.text for item in (*fresh, *prior.dissent, *consensus.dissent)]
    texts = [item.text for item in items]
    space = space_of(texts, embedder, policy.consensus.distance_threshold, said=said)
    cycle = Cycle(prior, snapshot, space, policy, job=job, gone=list(gone.values()))
    left = cycle.run(fresh, consensus.dissent)
    dissent = cycle.promote(joined(prior.dissent, left, space))
    return consensus.model_copy(
        update={
            "claims": tuple(sorted(cycle.desk.open(), key=_place)),
            "dissent": tuple(sorted(dissent, key=_place)),
            "closed": tuple(sorted(cycle.desk.closed.values(), key=_place)),
            "changes": cycle.changes(),
            "hints": cycle.hints(consensus.hints),
            "prior_version": prior.version or 0,
        }
    )


def _first_said(claim: Claim, snapshot: Snapshot) -> Claim:
    return claim.model_copy(update={"affirmed": snapshot.through})


def _place(item: Claim | Dissent) -> tuple[int, bool, int, str, str]:
    turns = [evidence.turn for evidence in item.evidence]
    return ORDER.index(item.section), not turns, min(turns, default=0), item.text, item.id
