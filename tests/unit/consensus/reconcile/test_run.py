"""The whole of reconciling: a cycle's consensus against what is held."""

from consensus.hashing import HashingEmbedder
from consensus.reconcile.run import reconcile
from dissolution.boundary import BoundaryState
from dissolution.claims import ClaimState, Section, Statement
from dissolution.conversation import Snapshot
from dissolution.findings import Consensus, GateDecision, Verdict
from dissolution.ledger import ChangeKind
from dissolution.policy import Policy
from tests.factories import a_snapshot
from tests.unit.consensus.made import a_statement, consensus_of

DECISION = GateDecision(verdict=Verdict.COMMIT_DEGRADED, reasons=("probe not run",))


def a_boundary(consensus: Consensus, snapshot: Snapshot, version: int = 1) -> BoundaryState:
    """What a store would give back after committing this consensus."""
    return BoundaryState(
        conversation=snapshot.conversation,
        job=f"job-{version}",
        through=snapshot.through,
        snapshot_digest=snapshot.digest,
        decision=DECISION,
        claims=consensus.claims,
        dissent=consensus.dissent,
        closed=consensus.closed,
        changes=consensus.changes,
        version=version,
    )


def a_cycle(prior: BoundaryState | None, snapshot: Snapshot, *statements: Statement, job: str = "job-2") -> Consensus:
    """One cycle reconciled with what is held."""
    return reconcile(prior, consensus_of(statements, snapshot, job=job), snapshot, HashingEmbedder(), Policy(), job=job)


CACHE = "The cache holds 512 MB."


def test_the_first_cycle_adds_everything() -> None:
    snapshot = a_snapshot(CACHE)
    found = a_cycle(None, snapshot, a_statement(CACHE), a_statement(CACHE, "bea"), job="job-1")
    assert [change.kind for change in found.changes] == [ChangeKind.ADDED]
    assert found.prior_version == 0
    assert found.claims[0].affirmed == 1


def test_what_is_forgotten_is_carried() -> None:
    decided = "We deploy only with the blue runner."
    first = a_snapshot(decided)
    held = a_boundary(
        a_cycle(None, first, *(a_statement(decided, who, Section.DECIDED) for who in ("ann", "bea")), job="job-1"),
        first,
    )
    grown = a_snapshot(decided, "Fine.", CACHE)
    found = a_cycle(held, grown, a_statement(CACHE), a_statement(CACHE, "bea"))
    old = next(claim for claim in found.claims if claim.text == decided)
    assert (old.state, old.carried, old.id) == (ClaimState.CARRIED, 1, held.claims[0].id)
    assert {change.kind for change in found.changes} == {ChangeKind.ADDED, ChangeKind.CARRIED}


def test_a_new_value_on_newer_evidence_supersedes() -> None:
    first = a_snapshot(CACHE)
    held = a_boundary(a_cycle(None, first, a_statement(CACHE), a_statement(CACHE, "bea"), job="job-1"), first)
    changed = "The cache holds 1024 MB."
    grown = a_snapshot(CACHE, "Right.", changed)
    found = a_cycle(held, grown, a_statement(changed), a_statement(changed, "bea"))
    assert [claim.text for claim in found.claims] == [changed]
    assert found.closed[0].state is ClaimState.SUPERSEDED
    assert all(piece.stands_in(grown) for piece in found.closed[0].closing.evidence)  # pyright: ignore[reportOptionalMemberAccess]
