"""Cycles and boundaries with defaults, so that a test names only what it is about."""

from collections.abc import Sequence

from consensus.embedding.hashing_embedder import HashingEmbedder
from consensus.reconcile.comparison import Space, space_of
from consensus.reconcile.run import reconcile
from dissolution.boundary import BoundaryState
from dissolution.claims import (
    Claim,
    Dissent,
    DissentReason,
    Evidence,
    HeldAct,
    HeldMark,
    Section,
    StatedClaim,
    Statement,
    Support,
)
from dissolution.conversation import Snapshot
from dissolution.findings import Consensus, GateDecision, Verdict
from dissolution.intervals import TurnInterval
from dissolution.ledger import Change, ChangeKind
from dissolution.policy.job_policy import Policy
from tests.unit.consensus.made import FAMILIES, a_statement, consensus_of

DECISION = GateDecision(verdict=Verdict.COMMIT_DEGRADED, reasons=("probe not run",))
WRITERS = ("ann", "bea")


def a_boundary(found: Consensus, snapshot: Snapshot, version: int = 1) -> BoundaryState:
    """What a store gives back after committing a reconciled consensus."""
    return BoundaryState(
        conversation=snapshot.conversation,
        job=f"job-{version}",
        through=snapshot.through,
        snapshot_digest=snapshot.digest,
        decision=DECISION,
        claims=found.claims,
        dissent=found.dissent,
        closed=found.closed,
        changes=found.changes,
        version=version,
    )


def said_by(
    text: str, section: Section = Section.KNOWN, writers: Sequence[str] = WRITERS, place: int = 0
) -> tuple[Statement, ...]:
    """One statement by each of these members."""
    return tuple(a_statement(text, writer, section, ordinal=place) for writer in writers)


def acting(
    text: str,
    *marks: HeldMark,
    section: Section = Section.KNOWN,
    writers: Sequence[str] = WRITERS,
    turn: int,
    place: int = 0,
) -> tuple[Statement, ...]:
    """One statement by each of these members that rests on a turn and says what it does to held claims."""
    act, about, further = (marks[0].act, marks[0].about, marks[1:]) if marks else (None, None, ())
    stated = StatedClaim(section=section, text=text, turns=(turn,), act=act, about=about, further=further)
    return tuple(Statement(member=writer, family=FAMILIES[writer], ordinal=place, claim=stated) for writer in writers)


def affirms(claim: Claim) -> HeldMark:
    """What a member writes as `[affirms ID]`."""
    return HeldMark(act=HeldAct.AFFIRM, about=claim.id)


def revises(claim: Claim) -> HeldMark:
    """What a member writes as `[revises ID]`."""
    return HeldMark(act=HeldAct.REVISE, about=claim.id)


def closes(claim: Claim) -> HeldMark:
    """What a member writes as `[closes ID]`."""
    return HeldMark(act=HeldAct.CLOSE, about=claim.id)


def answers(claim: Claim) -> HeldMark:
    """What a member writes as `[answers ID]`."""
    return HeldMark(act=HeldAct.ANSWER, about=claim.id)


def a_cycle(
    prior: BoundaryState | None,
    snapshot: Snapshot,
    *statements: Statement,
    job: str = "job-2",
    ended: Sequence[Claim] = (),
    policy: Policy | None = None,
) -> Consensus:
    """One cycle reconciled with what is held."""
    heard = consensus_of(statements, snapshot, job=job)
    return reconcile(prior, heard, snapshot, HashingEmbedder(), policy or Policy(), job=job, ended=ended)


def held(snapshot: Snapshot, *statements: Statement) -> BoundaryState:
    """The boundary after a first cycle over a snapshot."""
    return a_boundary(a_cycle(None, snapshot, *statements, job="job-1"), snapshot)


def whole(snapshot: Snapshot, turn: int) -> Evidence:
    """All of a turn as evidence."""
    content = snapshot.turn(turn).content
    return Evidence(turn=turn, start=0, end=len(content), text=content)


def a_claim(
    text: str,
    snapshot: Snapshot,
    turn: int,
    section: Section = Section.KNOWN,
    *,
    name: str | None = None,
    writers: Sequence[str] = WRITERS,
) -> Claim:
    """A claim on the whole of one turn."""
    statements = said_by(text, section, writers)
    return Claim(
        id=name or f"c{abs(hash(text)):012x}"[:13],
        section=section,
        text=text,
        evidence=(whole(snapshot, turn),),
        support=Support.of(statements),
        valid=TurnInterval(start=turn),
        statements=statements,
        reason="made",
    )


def a_dissent(
    text: str,
    snapshot: Snapshot,
    turn: int,
    writers: Sequence[str] = ("ann",),
    reason: DissentReason = DissentReason.FEW_FAMILIES,
    *,
    name: str = "d1",
) -> Dissent:
    """A minority branch on the whole of one turn."""
    statements = said_by(text, Section.KNOWN, writers)
    return Dissent(
        id=name,
        section=Section.KNOWN,
        text=text,
        evidence=(whole(snapshot, turn),),
        support=Support.of(statements),
        statements=statements,
        reason=reason,
        detail="made",
    )


def a_space(*texts: str) -> Space:
    """A space over texts with the hashing embedder."""
    return space_of(texts, HashingEmbedder(), None)


def of_kind(found: Consensus, kind: ChangeKind) -> list[Change]:
    """The changes of one kind."""
    return [change for change in found.changes if change.kind is kind]
