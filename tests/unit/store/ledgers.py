"""Values for the store's tests: jobs, claims, boundaries and receipts that fit one conversation."""

from datetime import datetime, timedelta
from decimal import Decimal

from dissolution.answers import (
    Answer,
    AnswerClass,
    Call,
    FinishReason,
    MemberCard,
    MemberKind,
    ParsedReply,
    PromptStamp,
    Reply,
    Signature,
    Usage,
)
from dissolution.boundary import BoundaryState
from dissolution.claims import (
    Claim,
    Dissent,
    DissentReason,
    Evidence,
    Section,
    StatedClaim,
    Statement,
    Support,
    TurnInterval,
)
from dissolution.conversation import Conversation, Language
from dissolution.findings import GateDecision, Verdict
from dissolution.job import Job
from dissolution.policy.job_policy import Policy
from dissolution.receipt.job_receipt import Cost, Receipt
from dissolution.values import NotMeasured
from tests.factories import INSTANT, a_conversation

UNKNOWN = NotMeasured(not_measured="the provider does not say")
STAMP = PromptStamp(name="four_part", version=2, digest="a" * 64)
CARD = MemberCard(name="writer-a", family="alpha", kind=MemberKind.EXTRACTIVE, model="textrank")
USAGE = Usage(input_tokens=UNKNOWN, cached_input_tokens=0, output_tokens=12, cost_usd=Decimal("0.10"))
REPLY = Reply(text="KNOWN\n- the café opens at 9", finish=FinishReason.STOP, usage=USAGE, model_reported="m-1")
STAGES = ("fan_out", "parse", "commit")


def later(seconds: float) -> datetime:
    """INSTANT and so many seconds."""
    return INSTANT + timedelta(seconds=seconds)


def a_job(name: str, conversation: Conversation, through: int | None = None, expected_version: int = 0) -> Job:
    snapshot = conversation.snapshot(through)
    return Job(
        id=name,
        conversation=conversation.id,
        through=snapshot.through,
        snapshot_digest=snapshot.digest,
        fleet="extractive",
        policy=Policy(),
        expected_version=expected_version,
        created_at=INSTANT,
    )


def a_quote(conversation: Conversation, turn: int) -> Evidence:
    """The whole of one turn."""
    text = conversation.turn(turn).content
    return Evidence(turn=turn, start=0, end=len(text), text=text)


def a_statement(text: str, section: Section = Section.KNOWN) -> Statement:
    return Statement(
        member="writer-a", family="alpha", ordinal=0, claim=StatedClaim(section=section, text=text, turns=(1,))
    )


def a_claim(name: str, text: str, conversation: Conversation, section: Section = Section.KNOWN, turn: int = 1) -> Claim:
    return Claim(
        id=name,
        section=section,
        text=text,
        evidence=(a_quote(conversation, turn),),
        support=Support(members=("writer-a",), families=("alpha",)),
        valid=TurnInterval(start=turn),
        statements=(a_statement(text, section),),
        reason="two families state it",
    )


def a_dissent(name: str, text: str, conversation: Conversation) -> Dissent:
    return Dissent(
        id=name,
        section=Section.EDGES,
        text=text,
        evidence=(a_quote(conversation, 1),),
        support=Support(members=("writer-a",), families=("alpha",)),
        statements=(a_statement(text, Section.EDGES),),
        reason=DissentReason.FEW_FAMILIES,
        detail="one family of two",
        against=("c1",),
    )


def a_boundary(
    job: Job,
    claims: tuple[Claim, ...],
    dissent: tuple[Dissent, ...] = (),
    verdict: Verdict = Verdict.COMMIT_DEGRADED,
) -> BoundaryState:
    return BoundaryState(
        conversation=job.conversation,
        job=job.id,
        through=job.through,
        snapshot_digest=job.snapshot_digest,
        decision=GateDecision(verdict=verdict, reasons=("probe not run",)),
        claims=claims,
        dissent=dissent,
    )


def a_receipt(job: Job) -> Receipt:
    return Receipt(
        job=job.id,
        conversation=job.conversation,
        through=job.through,
        snapshot_digest=job.snapshot_digest,
        language=Language(code="en", confidence=UNKNOWN),
        redactions={"aws_key": 1},
        fleet="extractive, no language model",
        prompt=NotMeasured(not_measured="no prompt was sent"),
        members=(),
        quorum=NotMeasured(not_measured="nobody was asked"),
        consensus=NotMeasured(not_measured="no consensus was built"),
        stages=(),
        decision=GateDecision(verdict=Verdict.COMMIT_DEGRADED, reasons=("probe not run",)),
        cost=Cost(
            estimated_input_tokens=UNKNOWN,
            estimated_usd=UNKNOWN,
            used_input_tokens=0,
            used_cached_input_tokens=UNKNOWN,
            used_output_tokens=3,
            used_usd=Decimal("0.0300"),
            cap_usd=Decimal(5),
        ),
        policy=Policy(),
        policy_digest=Policy().digest,
        software="0.1.0",
        started_at=INSTANT,
        ended_at=later(5),
    )


def a_call(job: str, member: MemberCard = CARD, ordinal: int = 0, stage: str = "fan_out") -> Call:
    return Call(job=job, stage=stage, member=member, ordinal=ordinal, prompt=STAMP, asked_at=INSTANT)


def an_answer(member: MemberCard = CARD, reply: Reply = REPLY) -> Answer:
    claim = StatedClaim(section=Section.KNOWN, text="the café opens at 9")
    signature = Signature(sentences=0, first_person_share=UNKNOWN, present_tense_share=0.5, forbidden_phrases=())
    parsed = ParsedReply(
        answer_class=AnswerClass.PARTIAL,
        claims=(claim,),
        sections_found=(Section.KNOWN,),
        problems=("missing: EDGES",),
        signature=signature,
        parser_version="1",
    )
    return Answer(member=member, reply=reply, parsed=parsed, late=False, latency_s=0.1 + 0.2)


TALK = a_conversation("we open at 9", "noted: 9 it is", "the budget is 40 EUR", "fine", name="talk")
