"""Boundaries and receipts with defaults, for the tests of all exports."""

from decimal import Decimal

from dissolution.answers import AnswerClass, FailureClass, MemberCard, MemberKind
from dissolution.boundary import BoundaryState
from dissolution.claims import (
    Claim,
    Dissent,
    DissentReason,
    Evidence,
    Mark,
    Section,
    StatedClaim,
    Statement,
    Support,
    TurnInterval,
)
from dissolution.conversation import Conversation
from dissolution.findings import (
    AgreementMeasures,
    EmbeddingStamp,
    GateDecision,
    StageReport,
    StageState,
    Verdict,
)
from dissolution.policy.job_policy import Policy
from dissolution.receipt.job_receipt import ConsensusReport, Cost, MemberReport, QuorumReport, Receipt
from dissolution.values import NotMeasured
from tests.factories import INSTANT

ABSENT = NotMeasured(not_measured="no <b>price</b> known")


def evidence_in(conversation: Conversation, turn: int, words: str) -> Evidence:
    """The span of `words` in a turn."""
    start = conversation.turn(turn).content.index(words)
    return Evidence(turn=turn, start=start, end=start + len(words), text=words)


def a_claim(
    name: str,
    section: Section,
    text: str,
    evidence: tuple[Evidence, ...] = (),
    *,
    families: tuple[str, ...] = ("alpha", "beta"),
    valid: TurnInterval | None = None,
    marks: tuple[Mark, ...] = (),
) -> Claim:
    """A claim that one member of each family states."""
    statements = tuple(
        Statement(member=f"{family}-1", family=family, ordinal=0, claim=StatedClaim(section=section, text=text))
        for family in families
    )
    return Claim(
        id=name,
        section=section,
        text=text,
        evidence=evidence,
        support=Support.of(statements),
        valid=valid or TurnInterval(start=1),
        statements=statements,
        reason="most families put it there",
        marks=marks,
    )


def a_dissent(name: str, text: str, evidence: tuple[Evidence, ...] = (), against: tuple[str, ...] = ()) -> Dissent:
    """A dissent of one family."""
    statement = Statement(
        member="gamma-1", family="gamma", ordinal=3, claim=StatedClaim(section=Section.KNOWN, text=text)
    )
    return Dissent(
        id=name,
        section=Section.KNOWN,
        text=text,
        evidence=evidence,
        support=Support.of((statement,)),
        statements=(statement,),
        reason=DissentReason.FEW_FAMILIES,
        detail="one of two families",
        against=against,
    )


def a_boundary(
    conversation: Conversation,
    *claims: Claim,
    dissent: tuple[Dissent, ...] = (),
    verdict: Verdict = Verdict.COMMIT_DEGRADED,
    reasons: tuple[str, ...] = ("probe not run",),
    through: int | None = None,
    version: int | None = 1,
) -> BoundaryState:
    """A boundary of the conversation, committed as version 1 unless told otherwise."""
    snapshot = conversation.snapshot(through)
    return BoundaryState(
        conversation=conversation.id,
        job="j1",
        through=snapshot.through,
        snapshot_digest=snapshot.digest,
        decision=GateDecision(verdict=verdict, reasons=reasons),
        claims=claims,
        dissent=dissent,
        version=version,
        committed_at=None if version is None else INSTANT,
    )


def a_receipt(boundary: BoundaryState, conversation: Conversation, *, measured: bool = True) -> Receipt:
    """The receipt of a boundary: one member answered, one failed; without figures unless `measured`."""
    return Receipt(
        job=boundary.job,
        conversation=conversation.id,
        through=boundary.through,
        snapshot_digest=boundary.snapshot_digest,
        language=conversation.language,
        redactions={},
        fleet="recorded, 2 members",
        prompt=ABSENT,
        members=_members(),
        quorum=_quorum() if measured else ABSENT,
        consensus=_consensus() if measured else ABSENT,
        stages=(StageReport(stage="gate", state=StageState.NOT_RUN, reason="probe | not built"),),
        decision=boundary.decision,
        cost=Cost(
            estimated_input_tokens=100,
            estimated_usd=ABSENT,
            used_input_tokens=120 if measured else ABSENT,
            used_cached_input_tokens=0,
            used_output_tokens=30,
            used_usd=Decimal("0.25") if measured else ABSENT,
            cap_usd=Decimal(5),
        ),
        policy=Policy(),
        policy_digest=Policy().digest,
        software="0.1.0",
        started_at=INSTANT,
        ended_at=INSTANT,
    )


def _members() -> tuple[MemberReport, ...]:
    def card(name: str) -> MemberCard:
        return MemberCard(name=name, family="al|pha", kind=MemberKind.RECORDED, model="stored")

    common = {"latency_s": ABSENT, "usage": ABSENT, "signature": ABSENT}
    return (
        MemberReport.model_validate({"card": card("a"), "answer_class": AnswerClass.OK, "statements": 7, **common}),
        MemberReport.model_validate(
            {"card": card("b"), "failure": FailureClass.TIMEOUT, "detail": "no reply <5 s", "late": True, **common}
        ),
        MemberReport.model_validate({"card": card("c"), **common}),
    )


def _quorum() -> QuorumReport:
    return QuorumReport(met=True, asked=3, answered=1, families=("al|pha",), min_members=1, min_families=1)


def _consensus() -> ConsensusReport:
    return ConsensusReport(
        statements=7,
        groups=4,
        kept={Section.KNOWN: 2, Section.EDGES: 1},
        single_source=1,
        contested=1,
        dissent={DissentReason.FEW_FAMILIES: 1},
        measures=AgreementMeasures(
            claim_agreement=0.5,
            dominant_cluster_share=ABSENT,
            mean_pairwise_jaccard=ABSENT,
            mean_tfidf_cosine=ABSENT,
            mean_embedding_cosine=ABSENT,
        ),
        embedding=EmbeddingStamp(model="hashing", digest="d", dimension=8),
        method="average linkage 1",
    )
