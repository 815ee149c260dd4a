"""Where experiments run: real jobs in a database that is thrown away, and members asked for other prompts besides."""

import asyncio
import tempfile
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from dissolution.answers import MemberKind, MemberTask, Reply
from dissolution.boundary import BoundaryState
from dissolution.conversation import Conversation, Snapshot
from dissolution.errors import BudgetExceeded, InputError, MemberError
from dissolution.job import Job
from dissolution.policy.job_policy import Policy
from dissolution.ports.models import Member
from dissolution.receipt.job_receipt import Receipt
from dissolution.settings import Settings
from dissolution.values import NotMeasured
from prompts.render import render
from stability.experiments.data import NAMING, DataFolder, Planted
from triggers.submit import Request, submit
from workers.bootstrap import EXTRACTIVE, ROSTER, check_fleet, open_services, settled_policy
from workers.members.recordings import RECORDED, ROLLED
from workers.pipeline import STAGE_NAMES
from workers.runtime.inline import run_job
from workers.services import NoBell, Services

RECORDINGS = "recorded"
"""The fleet that is asked when none is named: the recorded writers of the data folder."""

NO_PROSE = NotMeasured(not_measured="this fleet writes no prose")


@dataclass(frozen=True)
class Choice:
    """What an experiment runs on."""

    data: DataFolder
    fleet: str = RECORDINGS  # `recorded`, `extractive`, or the path of a roster (TOML)
    conversations: tuple[str, ...] = ()  # empty: all that the experiment can use
    replicates: int = 1
    seed: int = 0
    told: Callable[[str], None] = lambda _: None
    policy: Policy = Policy()  # noqa: RUF009 - a frozen value

    @property
    def name(self) -> str:
        """The fleet as reports name it: of a roster the file's name alone."""
        return Path(self.fleet).name

    @property
    def is_recorded(self) -> bool:
        """Whether the members replay what is in the data folder."""
        return self.fleet == RECORDINGS

    @property
    def writes(self) -> bool:
        """Whether the members are language models, or recordings of such."""
        return self.fleet != EXTRACTIVE

    def description(self, conversation: str, *, rolled: bool = False) -> str:
        """The fleet as a job stores it. Raises InputError for what is no fleet."""
        if self.is_recorded:
            return f"{ROLLED if rolled else RECORDED}{self.data.recordings(conversation).resolve()}"
        if self.fleet == EXTRACTIVE:
            return EXTRACTIVE
        path = Path(self.fleet)
        if path.suffix != ".toml" or not path.is_file():
            raise InputError(f"fleet {self.fleet!r}", "give `recorded`, `extractive` or a roster file (TOML)")
        return f"{ROSTER}{path.resolve()}"


@dataclass(frozen=True)
class Dissolved:
    """What one job made of a conversation."""

    boundary: BoundaryState
    receipt: Receipt
    answers: dict[str, str]  # raw, by member


@contextmanager
def workspace(settings: Settings) -> Generator[Services]:
    """Services over a database of their own, which is gone afterwards: nothing of an experiment is left in a ledger."""
    with tempfile.TemporaryDirectory(prefix="dissolve-experiment-") as folder:
        own = settings.model_copy(update={"db": f"sqlite:///{Path(folder) / 'ledger.sqlite3'}"})
        with open_services(own) as services:
            yield services


def dissolved(services: Services, choice: Choice, one: Planted) -> Dissolved | NotMeasured:
    """Dissolve a whole conversation by the whole path; NotMeasured with the reason where nothing was committed."""
    ended, answers = _ran(services, choice, one)
    with services.unit_of_work() as work:
        boundary = work.boundaries.by_job(ended.id)
        receipt = work.boundaries.receipt(ended.id)
    if boundary is None or receipt is None:
        return NotMeasured(not_measured=f"{one.name}: no boundary was committed ({ended.reason or ended.status.value})")
    return Dissolved(boundary, receipt, answers)


def _ran(services: Services, choice: Choice, one: Planted) -> tuple[Job, dict[str, str]]:
    """A job about a whole conversation, run to its end, and its members' raw answers."""
    job = _submitted(services, choice, one.conversation, choice.description(one.name))
    choice.told(f"{one.name}: job {job.id}, fleet {choice.name}")
    ended = run_job(services, job.id)
    with services.unit_of_work() as work:
        return ended, {answer.member.name: answer.reply.text for answer in work.jobs.answers(job.id)}


def _submitted(services: Services, choice: Choice, conversation: Conversation, fleet: str) -> Job:
    check_fleet(fleet, conversation.snapshot())
    policy = settled_policy(choice.policy, services.settings, fleet)
    return submit(
        Request(conversation=conversation, fleet=fleet, policy=policy),
        unit_of_work=services.unit_of_work,
        clock=services.clock,
        queue=NoBell(),
        stages=STAGE_NAMES,
    ).job


def answers_to_dissolve(services: Services, choice: Choice, one: Planted) -> dict[str, str] | NotMeasured:
    """Each member's raw answer to the four-part prompt: recorded, or asked for by a job, whatever it came to."""
    if choice.is_recorded:
        return {said.member: said.answer for said in choice.data.recorded(one.name, "dissolve")}
    ended, answers = _ran(services, choice, one)
    why = ended.reason or ended.status.value
    return answers or NotMeasured(not_measured=f"{one.name}: nobody answered ({why})")


def summaries(services: Services, choice: Choice, one: Planted) -> dict[str, str] | NotMeasured:
    """Each member's prose summary: recorded, or asked for with the control prompt. A member that fails is left out.

    Raises BudgetExceeded when asking could cost more than the policy's cap.
    """
    if choice.is_recorded:
        found = {said.member: said.answer for said in choice.data.recorded(one.name, "summarise")}
        return found or NotMeasured(not_measured=f"no summary of {one.name} was recorded")
    if not choice.writes:
        return NO_PROSE
    with services.unit_of_work() as work:
        work.conversations.extend(one.conversation)
        work.commit()
    job = _standing_for(services, choice, one)
    members = [member for member in services.fleet(job) if member.card.kind is not MemberKind.EXTRACTIVE]
    task = _summary_task(one.snapshot, choice.policy)
    _refuse_over_cap(members, task, choice.policy)
    said = services.run_async(_ask(members, task))
    return {name: reply.text for name, reply in said.items()} or NotMeasured(
        not_measured=f"no member summarised {one.name}"
    )


def _standing_for(services: Services, choice: Choice, one: Planted) -> Job:
    """A job that stands for the asking where a fleet is built: nothing of it is stored."""
    return Job(
        id="jexperiment",
        conversation=one.name,
        through=one.snapshot.through,
        snapshot_digest=one.snapshot.digest,
        fleet=choice.description(one.name),
        policy=choice.policy,
        created_at=services.clock.now(),
    )


def _summary_task(snapshot: Snapshot, policy: Policy) -> MemberTask:
    prompt = render("summary", 1, snapshot, key=NAMING)
    return MemberTask(snapshot=snapshot, prompt=prompt, deadline_s=policy.quorum.hard_deadline_s)


def _refuse_over_cap(members: Sequence[Member], task: MemberTask, policy: Policy) -> None:
    known = [cost for member in members if not isinstance(cost := member.estimate(task).cost_usd, NotMeasured)]
    if sum(known) > policy.budget.max_usd:
        raise BudgetExceeded("USD", str(sum(known)), str(policy.budget.max_usd))


async def _ask(members: Sequence[Member], task: MemberTask) -> dict[str, Reply]:
    found = await asyncio.gather(*(_reply(member, task) for member in members))
    return {member.card.name: reply for member, reply in zip(members, found, strict=True) if reply is not None}


async def _reply(member: Member, task: MemberTask) -> Reply | None:
    try:
        return await member.answer(task)
    except MemberError:
        return None  # a failed member is a value (rule 7): it has no summary
