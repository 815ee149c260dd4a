"""The receipt of a job, put together from its rows."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal

from dissolution import __version__
from dissolution.answers import Answer, Call, FailureClass, MemberKind, Usage
from dissolution.boundary_size import BoundarySize, size_of_boundary
from dissolution.claims import Mark, Section
from dissolution.conversation import Conversation
from dissolution.estimates import PathEstimate, histories
from dissolution.findings import Consensus, GateDecision, StageReport, StageState
from dissolution.job import Job, Step, StepStatus
from dissolution.ledger import ChangeKind
from dissolution.money import Reservation
from dissolution.ports.store import UnitOfWork
from dissolution.receipt.job_receipt import ConsensusReport, Cost, CostLine, MemberReport, QuorumReport, Receipt
from dissolution.values import Counted, Measured, NotMeasured
from fleet.budget import total
from fleet.extractive.roster import NOTE
from fleet.quorum import count_quorum, voters
from language.tokens import ApproximateTokenCounter
from workers.members.call_rows import STAGE as FAN_OUT
from workers.members.call_rows import answering_calls
from workers.pipeline import STAGE_NAMES
from workers.probe.summary import probe_summary
from workers.results.candidate import candidate_of, current_candidate
from workers.results.frame_summary import frame_summary
from workers.step_results import FanOutReport, not_run_of

KIND_WORDS = {
    MemberKind.LANGUAGE_MODEL: "language models",
    MemberKind.EXTRACTIVE: NOTE,
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
    elif step.output is not None and (absent := not_run_of(step.output)) is not None:
        state, reason = StageState.NOT_RUN, absent.not_run
    return StageReport(stage=step.stage, state=state, reason=reason, started_at=step.started_at, ended_at=step.ended_at)


def member_report(calls: Sequence[Call], answer: Answer | None, counter: str | None = None) -> MemberReport:
    """What one member was asked and what came of it; `calls` are all of its calls, the last holds answer or failure."""
    last = max(calls, key=lambda call: call.ordinal)
    failure = last.failure
    replied = [call.reply.usage for call in calls if call.reply is not None]
    no_reply = NotMeasured(not_measured="no reply")
    latency: float | NotMeasured = NotMeasured(not_measured="the call has not landed")
    if last.landed_at is not None:
        latency = max(0.0, (last.landed_at - min(call.asked_at for call in calls)).total_seconds())
    return MemberReport(
        card=last.member,
        windows=last.ordinal + 1,
        answer_class=answer.parsed.answer_class if answer else None,
        failure=None if answer or failure is None else failure.error_class,
        detail="; ".join(answer.parsed.problems) if answer else failure.detail if failure else str(latency),
        statements=len(answer.parsed.claims) if answer else 0,
        chosen=len(answer.parsed.chosen) if answer else 0,
        late=answer.late if answer else False,
        latency_s=latency,
        usage=whole_usage(replied) if replied else no_reply,
        signature=answer.parsed.signature if answer else no_reply,
        counter=counter or NotMeasured(not_measured="this member counts no prompts"),
    )


def whole_usage(usages: Sequence[Usage]) -> Usage:
    """The usage of one call as it is, of several added up."""
    if len(usages) == 1:
        return usages[0]
    used = total(usages)
    return Usage(
        input_tokens=used.input_tokens,
        cached_input_tokens=used.cached_input_tokens,
        output_tokens=used.output_tokens,
        cost_usd=used.cost_usd,
    )


def member_reports(
    calls: Sequence[Call], answers: Mapping[str, Answer], counters: Mapping[str, str]
) -> tuple[MemberReport, ...]:
    """One report for each member of a fan-out, by its calls, its answer and how its prompts were counted."""
    return tuple(
        member_report(
            [call for call in calls if call.member.name == last.member.name],
            answers.get(last.member.name),
            counters.get(last.member.name),
        )
        for last in answering_calls(calls)
    )


FREE_FAILURES = frozenset(
    {
        FailureClass.AUTH,
        FailureClass.BILLING,
        FailureClass.RATE_LIMIT,
        FailureClass.BAD_REQUEST,
        FailureClass.CONTEXT_WINDOW,
        FailureClass.BUDGET,
    }
)
"""Failures that bought nothing: the provider refused before any work, or nothing was sent."""

NO_CONSENSUS = NotMeasured(not_measured="the job ended before its consensus")
NOT_EXPECTED = NotMeasured(not_measured="nobody is asked in words, or the fan-out did not end")

UNTOLD = NotMeasured(not_measured="the call ended without a reply; the provider may still charge for it")


def usage_of_call(call: Call) -> Usage | None:
    """What a call used; None when it bought nothing for sure, NotMeasured figures when nobody knows (rule 12)."""
    if call.reply is not None:
        return call.reply.usage
    if call.member.kind is not MemberKind.LANGUAGE_MODEL:
        return None
    if call.failure is not None and call.failure.error_class in FREE_FAILURES:
        return None
    return Usage(input_tokens=UNTOLD, cached_input_tokens=UNTOLD, output_tokens=UNTOLD, cost_usd=UNTOLD)


def consensus_report(consensus: Consensus) -> ConsensusReport:
    """A candidate in numbers."""
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
        prior_version=consensus.prior_version,
        changes=dict(Counter(change.kind for change in consensus.changes)),
        hints=consensus.hints,
        excerpts=len(consensus.excerpts),
        unread=consensus.unread,
        temporal_errors=tuple(change for change in consensus.changes if change.kind is ChangeKind.REPAIRED),
    )


def quorum_report(job: Job, calls: Sequence[Call], answers: Sequence[Answer]) -> QuorumReport | NotMeasured:
    """How the quorum came out."""
    if not calls:
        return NotMeasured(not_measured="nobody was asked")
    counted = [answer.member for answer in answers if answer.parsed.usable and not answer.late]
    quorum = count_quorum(voters(counted), job.policy.quorum)
    return QuorumReport(
        met=quorum.met,
        asked=len(calls),
        answered=quorum.members,
        families=quorum.families,
        min_members=job.policy.quorum.min_members,
        min_families=job.policy.quorum.min_families,
    )


def cost_report(
    job: Job,
    calls: Sequence[Call],
    estimated: Usage,
    snapshot_tokens: int = 0,
    expected: PathEstimate | NotMeasured = NOT_EXPECTED,
) -> Cost:
    """What the job was expected to use and what it used.

    Args:
        job: Its policy has the cap.
        calls: Those of all stages, in running order.
        estimated: What its accounts were estimated to use at most, for jobs whose whole path was not estimated.
        snapshot_tokens: Of the turns that were dissolved.
        expected: What the whole path was expected to use.
    """
    used = total([usage for call in calls if (usage := usage_of_call(call)) is not None])
    times, with_caches = sent(used, snapshot_tokens)
    path = None if isinstance(expected, NotMeasured) else expected.whole
    return Cost(
        estimated_input_tokens=estimated.input_tokens if path is None else path.input_tokens,
        estimated_usd=estimated.cost_usd if path is None else path.usd,
        histories=times,
        histories_with_caches=with_caches,
        expected=expected,
        used_input_tokens=used.input_tokens,
        used_cached_input_tokens=used.cached_input_tokens,
        used_output_tokens=used.output_tokens,
        used_usd=used.cost_usd,
        known_usd=used.known_cost_usd,
        cap_usd=job.policy.budget.max_usd,
        by_stage=tuple(
            cost_line(stage, [call for call in calls if call.stage == stage], snapshot_tokens)
            for stage in dict.fromkeys(call.stage for call in calls)
        ),
        by_member=tuple(
            cost_line(name, [call for call in calls if call.member.name == name], snapshot_tokens)
            for name in sorted({call.member.name for call in calls})
        ),
    )


def sent(used: Usage, snapshot_tokens: int) -> tuple[Measured, Measured]:
    """How often the history was sent, without caches and with; why not, where a provider reports nothing."""
    given, cached = used.input_tokens, used.cached_input_tokens
    if isinstance(given, NotMeasured):
        return given, given
    told = cached if isinstance(cached, NotMeasured) else histories(given, snapshot_tokens, cached)
    return histories(given, snapshot_tokens), told


def cost_line(of: str, calls: Sequence[Call], snapshot_tokens: int = 0) -> CostLine:
    """What these calls, one or more, used in all."""
    used = total([usage for call in calls if (usage := usage_of_call(call)) is not None])
    times, with_caches = sent(used, snapshot_tokens)
    return CostLine(
        of=of,
        calls=len(calls),
        replies=sum(call.reply is not None for call in calls),
        input_tokens=used.input_tokens,
        cached_input_tokens=used.cached_input_tokens,
        output_tokens=used.output_tokens,
        usd=used.cost_usd,
        histories=times,
        histories_with_caches=with_caches,
        cached_calls=cached_calls(calls),
    )


def cached_calls(calls: Sequence[Call]) -> Counted:
    """Replies with cached input; not known when a provider does not tell."""
    cached = [call.reply.usage.cached_input_tokens for call in calls if call.reply is not None]
    untold = sum(isinstance(count, NotMeasured) for count in cached)
    if untold:
        return NotMeasured(not_measured=f"the provider does not tell for {untold} of {len(cached)} replies")
    return sum(isinstance(count, int) and count > 0 for count in cached)


def money_of(reservations: Sequence[Reservation]) -> dict[str, Decimal]:
    """What was reserved and settled, as fields of the cost; none for a job that reserved nothing."""
    if not reservations:
        return {}
    return {
        "reserved_usd": sum((one.reserved_usd for one in reservations), Decimal(0)),
        "settled_usd": sum((one.settled_usd for one in reservations), Decimal(0)),
    }


def size_report(work: UnitOfWork, job: Job, conversation: Conversation, decision: GateDecision) -> BoundarySize:
    """The size of the candidate that the gate tested."""
    boundary = candidate_of(job, current_candidate(work, job), decision)
    return size_of_boundary(boundary, conversation.snapshot(job.through), ApproximateTokenCounter())


def snapshot_tokens(job: Job, conversation: Conversation) -> int:
    """Tokens of the turns that were dissolved."""
    counter = ApproximateTokenCounter()
    return sum(counter.count(turn.content) for turn in conversation.snapshot(job.through).turns)


def build_receipt(
    work: UnitOfWork, job: Job, decision: GateDecision, at: datetime, read: Sequence[Call] | None = None
) -> Receipt:
    """The whole account of `job` as of `at`, from its rows; its consensus is the candidate that the gate tested.

    `read` are all its calls where they are known already.
    """
    conversation: Conversation = work.conversations.get(job.conversation)
    steps = {step.stage: step for step in work.jobs.steps(job.id)}
    everything = sorted(
        work.jobs.calls(job.id) if read is None else read, key=lambda call: STAGE_NAMES.index(call.stage)
    )
    calls = [call for call in everything if call.stage == FAN_OUT]
    answering = answering_calls(calls)
    answers = {answer.member.name: answer for answer in work.jobs.answers(job.id)}
    heard = steps["consensus"].output
    size = size_report(work, job, conversation, decision) if heard else NO_CONSENSUS
    cost = cost_report(job, everything, estimate_of(steps), snapshot_tokens(job, conversation), expected_of(steps))
    return Receipt(
        job=job.id,
        conversation=job.conversation,
        through=job.through,
        snapshot_digest=job.snapshot_digest,
        language=conversation.language,
        redactions=dict(Counter(r.kind for r in conversation.redactions if r.turn <= job.through)),
        fleet=fleet_in_words(call.member.kind for call in answering),
        prompt=calls[0].prompt if calls else NotMeasured(not_measured="nobody was asked"),
        members=member_reports(calls, answers, counters_of(steps)),
        quorum=quorum_report(job, answering, tuple(answers.values())),
        consensus=consensus_report(current_candidate(work, job)) if heard else NO_CONSENSUS,
        stages=tuple(stage_report(steps[name]) for name in STAGE_NAMES),
        frame=frame_summary(work, job),
        probe=probe_summary(work, job),
        decision=decision,
        cost=cost.model_copy(update=money_of(work.money.of_job(job.id))),
        size=size,
        policy=job.policy,
        policy_digest=job.policy.digest,
        calibration_digest=job.policy.calibration,
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


def expected_of(steps: Mapping[str, Step]) -> PathEstimate | NotMeasured:
    """What the whole path was expected to use, before anybody was asked."""
    output = steps[FAN_OUT].output
    found = None if output is None else FanOutReport.model_validate_json(output).expected
    return NOT_EXPECTED if found is None else found


def counters_of(steps: Mapping[str, Step]) -> Mapping[str, str]:
    """How each member's prompts were counted, by name; empty when the fan-out did not end."""
    output = steps[FAN_OUT].output
    return {} if output is None else FanOutReport.model_validate_json(output).counters
