"""The parse step: stored replies become answers; the quorum is counted on what is stored."""

from dissolution.answers import Answer, AnswerClass, Call
from dissolution.job import Job
from dissolution.store_ports import UnitOfWork
from fleet.quorum import count_quorum, require_quorum
from prompts.parse import parse_reply
from workers.calls import STAGE as FAN_OUT
from workers.calls import answering_calls
from workers.outcomes import ParseReport, StepResult
from workers.services import Services


def read_call(call: Call, through: int) -> Answer | None:
    """What a landed call says, or None when it failed or has not landed."""
    if call.reply is None or call.landed_at is None:
        return None
    return Answer(
        member=call.member,
        reply=call.reply,
        parsed=parse_reply(call.reply.text, call.reply.finish, through=through),
        late=call.late,
        latency_s=max(0.0, (call.landed_at - call.asked_at).total_seconds()),
    )


def parse_answers(services: Services, job: Job) -> StepResult:
    """Parse every stored reply and count the quorum. Raises QuorumNotMet; the answers are stored all the same."""
    with services.unit_of_work() as work:
        calls = answering_calls(work.jobs.calls(job.id, FAN_OUT))
        answers = tuple(answer for call in calls if (answer := read_call(call, job.through)) is not None)
        work.jobs.save_answers(job.id, answers)
        work.commit()
    counted = tuple(answer for answer in answers if answer.parsed.usable and not answer.late)
    quorum = count_quorum([answer.member for answer in counted], job.policy.quorum)
    require_quorum(quorum, job.policy.quorum)
    report = ParseReport(
        usable=quorum.members,
        families=quorum.families,
        statements=sum(len(answer.parsed.claims) for answer in counted),
    )
    partial = sum(answer.parsed.answer_class is AnswerClass.PARTIAL for answer in counted)
    note = f"{report.statements} statements from {report.usable} answers of {len(report.families)} families"
    return StepResult(output=report, note=f"{note}, {partial} of them partial" if partial else note)


def counted_answers(work: UnitOfWork, job: Job) -> tuple[Answer, ...]:
    """The answers that count: usable and not late."""
    return tuple(answer for answer in work.jobs.answers(job.id) if answer.parsed.usable and not answer.late)
