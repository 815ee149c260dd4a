"""The parse step: stored replies become answers; the quorum is counted on what is stored."""

from collections.abc import Sequence

from dissolution.answers import Answer, AnswerClass, Call, MemberKind
from dissolution.conversation import Snapshot
from dissolution.job import Job
from dissolution.ports.store import UnitOfWork
from fleet.quorum import count_quorum, require_quorum, voters
from prompts.chosen import parse_chosen
from prompts.held_marks import Held
from prompts.parse import parse_reply
from workers.concurrency.step_memory import is_first_run
from workers.members.call_rows import STAGE as FAN_OUT
from workers.members.call_rows import answering_calls
from workers.members.cycles import shown_cycle
from workers.services import Services
from workers.step_results import ParseReport, StepResult

STAGE = "parse"


def read_call(call: Call, snapshot: Snapshot, held: Held | None = None, before: Sequence[Call] = ()) -> Answer | None:
    """What a landed call says, or None when it failed or has not landed. An extraction method says nothing: it chooses.

    In a cycle (`held`) each window says what its own turns establish, so the claims of the windows `before` count too.
    """
    if call.reply is None or call.landed_at is None:
        return None
    through = snapshot.through
    if call.member.kind is MemberKind.EXTRACTIVE:
        parsed = parse_chosen(call.reply.text, snapshot)
    else:
        parsed = parse_reply(call.reply.text, call.reply.finish, through=through, held=held)
    if held is not None and before:
        earlier = [
            parse_reply(one.reply.text, one.reply.finish, through=through, held=held) for one in before if one.reply
        ]
        claims = [claim.model_copy(update={"place": None}) for reply in earlier for claim in reply.claims]
        parsed = parsed.model_copy(update={"claims": (*claims, *parsed.claims)})
    return Answer(
        member=call.member,
        reply=call.reply,
        parsed=parsed,
        late=call.late,
        latency_s=max(0.0, (call.landed_at - call.asked_at).total_seconds()),
    )


def parse_answers(services: Services, job: Job) -> StepResult:
    """Parse every stored reply and count the quorum. Raises QuorumNotMet; the answers are stored all the same."""
    with services.unit_of_work() as work:
        snapshot = work.conversations.snapshot(job.conversation, job.through, job.snapshot_digest)
        cycle = shown_cycle(services, work, job, snapshot)
        held = None if cycle is None else cycle.ids
        calls = work.jobs.calls(job.id, FAN_OUT)
        read = (
            read_call(call, snapshot, held, [one for one in calls if one.member == call.member and one is not call])
            for call in answering_calls(calls)
        )
        answers = tuple(answer for answer in read if answer is not None)
        work.jobs.save_answers(job.id, answers, first=is_first_run(job, STAGE))
        work.commit()
    counted = tuple(answer for answer in answers if answer.parsed.usable and not answer.late)
    quorum = count_quorum(voters([answer.member for answer in counted]), job.policy.quorum)
    require_quorum(quorum, job.policy.quorum)
    report = ParseReport(
        usable=quorum.members,
        families=quorum.families,
        statements=sum(len(answer.parsed.claims) for answer in counted),
        chosen=sum(len(answer.parsed.chosen) for answer in counted),
    )
    partial = sum(answer.parsed.answer_class is AnswerClass.PARTIAL for answer in counted)
    note = f"{report.statements} statements from {report.usable} answers of {len(report.families)} families"
    if report.chosen:
        note = f"{report.chosen} passages chosen" + (f", {note}" if report.statements else "")
    return StepResult(output=report, note=f"{note}, {partial} of them partial" if partial else note)


def counted_answers(work: UnitOfWork, job: Job) -> tuple[Answer, ...]:
    """The answers that count: usable and not late."""
    return tuple(answer for answer in work.jobs.answers(job.id) if answer.parsed.usable and not answer.late)
