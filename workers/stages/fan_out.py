"""The fan-out step: ask every member that has not landed, store each call before it is made and the moment it lands."""

from collections.abc import Sequence
from typing import NamedTuple

from dissolution.answers import Call, MemberCard, MemberKind, MemberTask, Reply
from dissolution.conversation import Snapshot
from dissolution.errors import MemberWindowExceeded
from dissolution.job import Job
from dissolution.policy.job_policy import QuorumPolicy
from dissolution.ports.models import Member
from dissolution.room import Room
from fleet.budget import check, estimate, total
from fleet.fan_out import fan_out
from prompts.chosen import parse_chosen
from prompts.held import HeldState
from prompts.parse import parse_reply
from workers.concurrency.in_flight import IN_FLIGHT
from workers.concurrency.step_memory import is_first_run
from workers.concurrency.tenant_concurrency import job_seat, seated
from workers.estimates.estimate import expected_of_job
from workers.members.boundary_room import room_about
from workers.members.call_rows import STAGE, CallBook
from workers.members.context_windows import Asker, Counting, InWindows, Unfit, plan
from workers.members.cycles import cycle_on, cycle_version, prior_boundary, rebased, refuse_behind
from workers.members.named_members import who_accounts
from workers.services import Services
from workers.spending import closing, reserve
from workers.stages.early_stop import agreeing
from workers.step_results import FanOutReport, StepResult


def ask_fleet(services: Services, job: Job) -> StepResult:
    """Ask the fleet.

    In a cycle members see the boundary that stands when the first of them is asked.

    Raises, before anybody is asked, TenantBusy when the tenant has as many jobs at work as it may have, BudgetExceeded
    when what was spent and what is expected are over the cap or over what is left of the day, and BehindBoundary when a
    boundary through a later turn was committed since the job was submitted.
    """
    with job_seat(services, job):
        try:
            return ask_seated(services, job)
        finally:
            IN_FLIGHT.clear(job.id, STAGE)


def ask_seated(services: Services, job: Job) -> StepResult:
    """As `ask_fleet`, for a job that has a seat."""
    job, snapshot, calls, asker, chosen_until = prepared(services, job)
    task = asker.task(snapshot, asker.whole(snapshot), None)
    book = CallBook(services, job, task, calls, asker.key)
    fleet = who_accounts(job.policy, services.fleet(job))
    readers = (in_windows(member, snapshot, asker, book) for member in fleet)
    members = tuple(seated(services, job, STAGE, reader) for reader in readers)
    landed = book.results(members)
    unasked = [member for member in members if member.card.name not in landed]
    missing = estimate(unasked, task)
    check(total([*book.spent(), missing]) if book.spent() else missing, job.policy.budget)
    reserve(services, job, STAGE, unasked, task)
    outcome = services.run_async(
        fan_out(
            members,
            lambda member: task_of(member, task, chosen_until),
            patient(job.policy.quorum, members),
            usable=lambda card, reply: usable_of(card, reply, snapshot, asker.cycle),
            on_asked=book.noted,
            on_asking=book.asking,
            on_landed=book.landed,
            on_ended=book.ended,
            landed=landed,
            landed_late=[call.member.name for call in calls if call.late],
            refusal_of=book.refusal_of,
            agree=agreeing(job, asker.cycle),
        )
    )
    answered = sum(isinstance(landing.result, Reply) for landing in outcome.landings)
    report = FanOutReport(
        asked=len(members),
        answered=answered,
        estimate=estimate(members, task),
        counters={member.card.name: member.counter_name for member in fleet if isinstance(member, Counting)},
        shown_version=0 if asker.cycle is None else job.expected_version,
        since=asker.since,
        expected=expected_of_job(services, job, snapshot),
    )
    since = f" about the turns since turn {asker.since}" if asker.cycle else ""
    note = f"{answered} of {len(members)} members answered{since}"
    return StepResult(output=report, note=note, effect=closing(services, job, STAGE))


def patient(quorum: QuorumPolicy, members: Sequence[Member]) -> QuorumPolicy:
    """The quorum as it holds of these members: those that compute here are all waited for, until the hard deadline.

    What is chosen of a file would else hang on how busy the machine is: one method loads the embedding model first.
    """
    if any(member.card.kind is not MemberKind.EXTRACTIVE for member in members):
        return quorum
    return quorum.model_copy(update={"soft_deadline_s": quorum.hard_deadline_s})


class Prepared(NamedTuple):
    """What a fan-out begins with: the job on the version its members see, and what was asked in an earlier run."""

    job: Job
    snapshot: Snapshot
    calls: tuple[Call, ...]
    asker: Asker
    since: int  # the last turn that the excerpts of the boundary before were chosen from


def prepared(services: Services, job: Job) -> Prepared:
    """Read what the fleet is asked about, and settle on the boundary it sees. Raises BehindBoundary."""
    with services.unit_of_work() as work:
        snapshot = work.conversations.snapshot(job.conversation, job.through, job.snapshot_digest)
        calls = () if is_first_run(job, STAGE) else work.jobs.calls(job.id, STAGE)
        refuse_behind(work, job)
        if not calls:
            job = rebased(services, work, job)
        prior = prior_boundary(work, job)
        cycle = cycle_on(prior, job, snapshot, services)
        key = work.installation_key()
        work.commit()  # the key may have been made just now
    since = prior.through if prior is not None and prior.through < snapshot.through else 0
    room = room_about(job.policy, snapshot, services.counter, since=0 if cycle is None else cycle.through)
    return Prepared(job, snapshot, calls, asker_of(job, key, cycle, room), since)


def task_of(member: Member, task: MemberTask, since: int) -> MemberTask:
    """The task of one member: of a cycle, extraction methods choose from the turns that none has chosen from."""
    return task.model_copy(update={"since": since}) if member.card.kind is MemberKind.EXTRACTIVE else task


def asker_of(job: Job, key: bytes, cycle: HeldState | None, room: Room) -> Asker:
    """What the job's prompts are rendered with."""
    return Asker(
        version=job.policy.prompt_version,
        key=key,
        deadline_s=job.policy.quorum.hard_deadline_s,
        room=room,
        cycle=cycle,
        cycle_version=cycle_version(job),
    )


def usable(reply: Reply, through: int, cycle: HeldState | None) -> bool:
    """Whether a reply has been understood well enough to count."""
    held = None if cycle is None else cycle.ids
    return parse_reply(reply.text, reply.finish, through=through, held=held).usable


def usable_of(card: MemberCard, reply: Reply, snapshot: Snapshot, cycle: HeldState | None) -> bool:
    """Whether the reply of a member counts: what an extraction method chose, or what anybody else states."""
    if card.kind is MemberKind.EXTRACTIVE:
        return parse_chosen(reply.text, snapshot).usable
    return usable(reply, snapshot.through, cycle)


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
        usable=lambda reply, through: usable(reply, through, asker.cycle),
        reserve=book.reserve_window,
        on_asked=book.window_asked,
        on_landed=book.window_landed,
    )
