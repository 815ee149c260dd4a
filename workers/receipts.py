"""The receipt of a job, put together from its rows."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from dissolution import __version__
from dissolution.answers import Answer, Call, MemberKind, Usage
from dissolution.claims import Mark, Section
from dissolution.conversation import Conversation
from dissolution.findings import Consensus, GateDecision, NotRun, StageReport, StageState
from dissolution.job import Job, Step, StepStatus
from dissolution.ports import UnitOfWork
from dissolution.receipt import ConsensusReport, Cost, CostLine, MemberReport, QuorumReport, Receipt
from dissolution.values import NotMeasured
from fleet.budget import total
from fleet.quorum import count_quorum
from workers.calls import STAGE as FAN_OUT
from workers.calls import answering_calls
from workers.outcomes import FanOutReport
from workers.pipeline import STAGE_NAMES

NO_MODEL = "extractive, no language model"
KIND_WORDS = {
    MemberKind.LANGUAGE_MODEL: "language models",
    MemberKind.EXTRACTIVE: NO_MODEL,
    MemberKind.RECORDED: "recorded answers of language models",
    MemberKind.SCRIPTED: "scripted members, no language model",
}


def fleet_in_words(kinds: Iterable[MemberKind]) -> str:
    """What stands behind the fleet, in words that every receipt shows."""
    present = set(kinds)
    return " and ".join(KIND_WORDS[kind] for kind in MemberKind if kind in present) or "nobody was asked"


def stage_report(step: Step) -> StageReport:
    """One line of the receipt about a step."""
    state, reason = StageState.RAN, step.reason
    if step.status is not StepStatus.DONE:
        state = StageState.FAILED if step.status is StepStatus.DEAD else StageState.NOT_RUN
        reason = reason or "the job ended before it"
    elif step.output is not None and step.output.startswith('{"not_run"'):
        state, reason = StageState.NOT_RUN, NotRun.model_validate_json(step.output).not_run
    return StageReport(stage=step.stage, state=state, reason=reason, started_at=step.started_at, ended_at=step.ended_at)


def member_report(call: Call, answer: Answer | None, counter: str | None = None) -> MemberReport:
    """What one member was asked and what came of it; `call` holds its answer or failure."""
    counted = counter or NotMeasured(not_measured="this member counts no prompts")
    latency: float | NotMeasured = NotMeasured(not_measured="the call has not landed")
    if call.landed_at is not None:
        latency = max(0.0, (call.landed_at - call.asked_at).total_seconds())
    if answer is None:
        failure = call.failure
        return MemberReport(
            card=call.member,
            windows=call.ordinal + 1,
            failure=failure.error_class if failure else None,
            detail=failure.detail if failure else "the call has not landed",
            latency_s=latency,
            usage=NotMeasured(not_measured="no reply"),
            signature=NotMeasured(not_measured="no reply"),
            counter=counted,
        )
    return MemberReport(
        card=call.member,
        windows=call.ordinal + 1,
        answer_class=answer.parsed.answer_class,
        detail="; ".join(answer.parsed.problems),
        statements=len(answer.parsed.claims),
        late=answer.late,
        latency_s=latency,
        usage=answer.reply.usage,
        signature=answer.parsed.signature,
        counter=counted,
    )


def consensus_report(consensus: Consensus) -> ConsensusReport:
    """The consensus in numbers."""
    marks = Counter(mark for claim in consensus.claims for mark in claim.marks)
    sections = Counter(claim.section for claim in consensus.claims)
    return ConsensusReport(
        statements=consensus.statements,
        groups=consensus.groups,
        kept={section: sections[section] for section in Section},
        single_source=marks[Mark.SINGLE_SOURCE],
        contested=marks[Mark.CONTESTED],
        dissent=dict(Counter(dissent.reason for dissent in consensus.dissent)),
        measures=consensus.measures,
        embedding=consensus.embedding,
        method=consensus.method,
    )


def quorum_report(job: Job, calls: Sequence[Call], answers: Sequence[Answer]) -> QuorumReport | NotMeasured:
    """How the quorum came out."""
    if not calls:
        return NotMeasured(not_measured="nobody was asked")
    counted = [answer.member for answer in answers if answer.parsed.usable and not answer.late]
    quorum = count_quorum(counted, job.policy.quorum)
    return QuorumReport(
        met=quorum.met,
        asked=len(calls),
        answered=quorum.members,
        families=quorum.families,
        min_members=job.policy.quorum.min_members,
        min_families=job.policy.quorum.min_families,
    )


def cost_report(job: Job, calls: Sequence[Call], estimated: Usage) -> Cost:
    """What the job was estimated to use and what it used; `calls` are those of all stages, in running order."""
    used = total([call.reply.usage for call in calls if call.reply is not None])
    return Cost(
        estimated_input_tokens=estimated.input_tokens,
        estimated_usd=estimated.cost_usd,
        used_input_tokens=used.input_tokens,
        used_cached_input_tokens=used.cached_input_tokens,
        used_output_tokens=used.output_tokens,
        used_usd=used.cost_usd,
        cap_usd=job.policy.budget.max_usd,
        by_stage=tuple(
            cost_line(stage, [call for call in calls if call.stage == stage])
            for stage in dict.fromkeys(call.stage for call in calls)
        ),
        by_member=tuple(
            cost_line(name, [call for call in calls if call.member.name == name])
            for name in sorted({call.member.name for call in calls})
        ),
    )


def cost_line(of: str, calls: Sequence[Call]) -> CostLine:
    """What these calls, one or more, used in all."""
    usages = [call.reply.usage for call in calls if call.reply is not None]
    used = total(usages)
    return CostLine(
        of=of,
        calls=len(calls),
        replies=len(usages),
        input_tokens=used.input_tokens,
        cached_input_tokens=used.cached_input_tokens,
        output_tokens=used.output_tokens,
        usd=used.cost_usd,
    )


def build_receipt(work: UnitOfWork, job: Job, decision: GateDecision, at: datetime) -> Receipt:
    """The whole account of `job` as of `at`, read from its rows."""
    conversation: Conversation = work.conversations.get(job.conversation)
    steps = {step.stage: step for step in work.jobs.steps(job.id)}
    calls = work.jobs.calls(job.id, FAN_OUT)
    answering = answering_calls(calls)
    answers = {answer.member.name: answer for answer in work.jobs.answers(job.id)}
    everything = [call for name in STAGE_NAMES for call in work.jobs.calls(job.id, name)]
    counters = counters_of(steps)
    heard = steps["consensus"].output
    return Receipt(
        job=job.id,
        conversation=job.conversation,
        through=job.through,
        snapshot_digest=job.snapshot_digest,
        language=conversation.language,
        redactions=dict(Counter(r.kind for r in conversation.redactions if r.turn <= job.through)),
        fleet=fleet_in_words(call.member.kind for call in answering),
        prompt=calls[0].prompt if calls else NotMeasured(not_measured="nobody was asked"),
        members=tuple(
            member_report(call, answers.get(call.member.name), counters.get(call.member.name)) for call in answering
        ),
        quorum=quorum_report(job, answering, tuple(answers.values())),
        consensus=consensus_report(Consensus.model_validate_json(heard))
        if heard
        else NotMeasured(not_measured="the job ended before its consensus"),
        stages=tuple(stage_report(steps[name]) for name in STAGE_NAMES),
        decision=decision,
        cost=cost_report(job, everything, estimate_of(steps)),
        policy=job.policy,
        policy_digest=job.policy.digest,
        software=__version__,
        started_at=job.created_at,
        ended_at=at,
    )


def estimate_of(steps: Mapping[str, Step]) -> Usage:
    """The estimate made before anybody was asked."""
    output = steps[FAN_OUT].output
    if output is None:
        absent = NotMeasured(not_measured="the fan-out did not end; a refused estimate stands in the decision")
        return Usage(input_tokens=absent, cached_input_tokens=absent, output_tokens=absent, cost_usd=absent)
    return FanOutReport.model_validate_json(output).estimate


def counters_of(steps: Mapping[str, Step]) -> Mapping[str, str]:
    """How each member's prompts were counted, by name; empty when the fan-out did not end."""
    output = steps[FAN_OUT].output
    return {} if output is None else FanOutReport.model_validate_json(output).counters
