"""The fan-out step: ask every member that has not landed, store each call before it is made and the moment it lands."""

from collections.abc import Sequence

from dissolution.answers import Call, MemberFailure, MemberTask, Reply, Usage
from dissolution.job import Job
from dissolution.ports import Member
from fleet.budget import check, estimate, may_ask
from fleet.fan_out import fan_out
from prompts.parse import parse_reply
from prompts.render import render
from workers.outcomes import FanOutReport, StepResult
from workers.services import Services

STAGE = "fan_out"
PROMPT = "four_part"


def ask_fleet(services: Services, job: Job) -> StepResult:
    """Ask the fleet. Raises BudgetExceeded before anybody is asked when the estimate is over the cap."""
    with services.unit_of_work() as work:
        snapshot = work.conversations.get(job.conversation).snapshot(job.through)
        calls = work.jobs.calls(job.id, STAGE)
        key = work.installation_key()
        work.commit()  # the key may have been made just now
    prompt = render(PROMPT, job.policy.prompt_version, snapshot, key=key)
    task = MemberTask(snapshot=snapshot, prompt=prompt, deadline_s=job.policy.quorum.hard_deadline_s)
    members = services.fleet(job)
    landed = {call.member.name: result for call in calls if (result := call.reply or call.failure) is not None}
    expected = estimate([member for member in members if member.card.name not in landed], task)
    check(expected, job.policy.budget)
    book = CallBook(services, job, task, calls)
    outcome = services.run_async(
        fan_out(
            members,
            lambda _member: task,
            job.policy.quorum,
            usable=lambda reply: parse_reply(reply.text, reply.finish, through=job.through).usable,
            on_asked=book.asked,
            on_landed=book.landed,
            landed=landed,
            landed_late=[call.member.name for call in calls if call.late],
            may_ask=book.may_ask,
        )
    )
    answered = sum(isinstance(landing.result, Reply) for landing in outcome.landings)
    report = FanOutReport(asked=len(members), answered=answered, estimate=expected)
    return StepResult(output=report, note=f"{answered} of {len(members)} members answered")


class CallBook:
    """Keeps the calls of one fan-out: their rows, and what they have used so far against the cap."""

    def __init__(self, services: Services, job: Job, task: MemberTask, earlier: Sequence[Call]) -> None:
        self._services = services
        self._job = job
        self._task = task
        self._spending: dict[str, Usage] = {call.member.name: call.reply.usage for call in earlier if call.reply}

    def may_ask(self, member: Member) -> MemberFailure | None:
        """Why this member must not be asked now, or None; calls in flight count as spent."""
        return may_ask(self._spending.values(), member.estimate(self._task), self._job.policy.budget)

    def asked(self, member: Member) -> None:
        """Write the call's row before the call is made: an attempt that dies is visible."""
        self._spending[member.card.name] = member.estimate(self._task)
        with self._services.unit_of_work() as work:
            work.jobs.begin_call(self._call(member))
            work.commit()
        self._services.progress.member(self._job.id, member.card.name, "asked")

    def landed(self, member: Member, result: Reply | MemberFailure, late: bool) -> None:  # noqa: FBT001 - a callback's fact
        """Store a result the moment it lands, in a transaction of its own."""
        if isinstance(result, Reply):
            self._spending[member.card.name] = result.usage
        call = self._call(member)
        with self._services.unit_of_work() as work:
            work.jobs.begin_call(call)  # a member that the budget refused has no row yet
            work.jobs.land_call(
                job=call.job,
                stage=call.stage,
                member=call.member.name,
                ordinal=call.ordinal,
                at=call.asked_at,
                result=result,
                late=late,
            )
            work.commit()
        state = result.error_class.value if isinstance(result, MemberFailure) else "answered"
        self._services.progress.member(self._job.id, member.card.name, f"{state}, late" if late else state)

    def _call(self, member: Member) -> Call:
        return Call(
            job=self._job.id,
            stage=STAGE,
            member=member.card,
            ordinal=0,
            prompt=self._task.prompt.stamp,
            asked_at=self._services.clock.now(),
        )
