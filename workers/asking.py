"""The fan-out step: ask every member that has not landed, store each call before it is made and the moment it lands."""

from dissolution.answers import Reply
from dissolution.conversation import Snapshot
from dissolution.errors import MemberWindowExceeded, VersionConflict
from dissolution.job import Job
from dissolution.ports import Member
from fleet.budget import check, estimate, total
from fleet.fan_out import fan_out
from prompts.parse import parse_reply
from workers.calls import STAGE, CallBook
from workers.outcomes import FanOutReport, StepResult
from workers.services import Services
from workers.windows import Asker, Counting, InWindows, Unfit, Window, plan


def ask_fleet(services: Services, job: Job) -> StepResult:
    """Ask the fleet.

    Raises, before anybody is asked, BudgetExceeded when what was spent and what is expected are over the cap, and
    VersionConflict when another boundary was committed since the job was submitted.
    """
    with services.unit_of_work() as work:
        snapshot = work.conversations.get(job.conversation).snapshot(job.through)
        calls = work.jobs.calls(job.id, STAGE)
        standing = work.boundaries.version(job.conversation)
        key = work.installation_key()
        work.commit()  # the key may have been made just now
    if standing != job.expected_version:
        raise VersionConflict(job.conversation, job.expected_version, standing)
    asker = Asker(version=job.policy.prompt_version, key=key, deadline_s=job.policy.quorum.hard_deadline_s)
    task = asker.task(snapshot, Window(since=0, through=snapshot.through), None)
    book = CallBook(services, job, task, calls, key)
    fleet = services.fleet(job)
    members = tuple(in_windows(member, snapshot, asker, book) for member in fleet)
    landed = book.results(members)
    missing = estimate([member for member in members if member.card.name not in landed], task)
    check(total([*book.spent(), missing]) if book.spent() else missing, job.policy.budget)
    outcome = services.run_async(
        fan_out(
            members,
            lambda _member: task,
            job.policy.quorum,
            usable=lambda reply: usable(reply, job.through),
            on_asked=book.asked,
            on_landed=book.landed,
            landed=landed,
            landed_late=[call.member.name for call in calls if call.late],
            may_ask=book.may_ask,
        )
    )
    answered = sum(isinstance(landing.result, Reply) for landing in outcome.landings)
    counters = {member.card.name: member.counter_name for member in fleet if isinstance(member, Counting)}
    report = FanOutReport(asked=len(members), answered=answered, estimate=estimate(members, task), counters=counters)
    return StepResult(output=report, note=f"{answered} of {len(members)} members answered")


def usable(reply: Reply, through: int) -> bool:
    """Whether a reply has been understood well enough to count."""
    return parse_reply(reply.text, reply.finish, through=through).usable


def in_windows(member: Member, snapshot: Snapshot, asker: Asker, book: CallBook) -> Member:
    """The member itself when it can read the snapshot at once, else one that reads it window by window."""
    try:
        windows = plan(member, snapshot, asker)
    except MemberWindowExceeded as error:
        return Unfit(member.card, error)
    if len(windows) == 1:
        return member
    book.last_ordinals[member.card.name] = len(windows) - 1
    return InWindows(
        member,
        windows,
        snapshot=snapshot,
        asker=asker,
        landed=book.earlier_replies(member),
        usable=usable,
        may_ask=book.may_ask_window,
        on_asked=book.window_asked,
        on_landed=book.window_landed,
    )
