"""Jobs of a cassette, run step by step as workers would run them, and what each of them took."""

import sqlite3
import time
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

from benchmarks.drill_run import read_turns
from benchmarks.live_drill import planned
from cli.shared.fleet_choice import described_fleet, stored_policy
from dissolution.conversation import Conversation
from dissolution.job import ENDED, Job, Lane
from dissolution.outbox import Ring
from dissolution.policy.file import load_policy
from dissolution.policy.job_policy import Policy
from dissolution.settings import load_settings
from dissolution.values import Frozen
from fleet.cassette_members import CassetteMember
from language.tokens import ApproximateTokenCounter
from triggers.submit import Request, submit
from workers.bootstrap import open_services, settled_policy
from workers.execution.steps import run_step
from workers.pipeline import STAGE_NAMES, first_queues
from workers.services import Services

COUNTER = ApproximateTokenCounter()


class Asked(Frozen):
    """Calls of one prompt."""

    calls: float = 0
    failed: float = 0
    input_tokens: float = 0
    cacheable_tokens: float = 0  # of the input: what the same member was sent before in the job, from the first byte on
    output_tokens: float = 0


class Means(Frozen):
    """What a job took, the mean of all that were replayed."""

    jobs: int
    conversations: int
    embedder: str
    turns: float
    snapshot_tokens: float
    asked: dict[str, Asked]  # by prompt
    rows: dict[str, float]  # by table
    database_bytes: float
    rings: float  # messages to Celery, one for each step that became ready
    processor_s: dict[str, float]  # by stage
    queue_processor_s: dict[str, float]  # by class of queue

    def total(self, what: str) -> float:
        """The sum of one figure over all prompts."""
        return sum(float(getattr(one, what)) for one in self.asked.values())


class Bell:
    """Keeps the rings in order; they are what Celery would be sent."""

    def __init__(self) -> None:
        self.waiting: deque[Ring] = deque()
        self.rung = 0

    def ring(self, ring: Ring) -> None:
        """One message."""
        self.waiting.append(ring)
        self.rung += 1


class Tally:
    """Sums over jobs."""

    def __init__(self) -> None:
        self.jobs = 0
        self.asked: dict[str, Counter[str]] = {}
        self.rows: Counter[str] = Counter()
        self.plain: Counter[str] = Counter()
        self.stages: dict[str, float] = {}
        self.queues: dict[str, float] = {}


def replayed(cassette: Path, talks: int, least_cached: int, folder: Path) -> Means:
    """Replay the first `talks` conversations of a cassette with all their cycles. Raises DissolutionError."""
    fleet = described_fleet("extractive", recorded=cassette, cassette=None)
    stored = stored_policy(cassette)
    wanted = Policy() if stored is None else load_policy(stored)
    named = "embedder" in wanted.consensus.model_fields_set
    settings = load_settings(embedder=wanted.consensus.embedder if named else None)
    policy, embedder = settled_policy(wanted, settings, fleet), settings.embedder
    tally = Tally()
    files = planned(cassette)[:talks]
    for place, talk in enumerate(files):
        file = folder / f"{place}.sqlite3"
        bell = Bell()
        opened = load_settings(db=f"sqlite:///{file}", embedder=embedder)
        with open_services(opened, bell=bell) as services:
            services.embedder().embed(["its weights are loaded before anything is timed"])
            whole = read_turns(talk.file, services)
            for end in talk.through or (len(whole.turns),):
                cut = whole.model_copy(update={"turns": whole.turns[:end]})
                one_job(services, bell, Work(cut, fleet, policy, file, least_cached), tally)
    return means_of(tally, len(files), embedder)


class Work:
    """One job to be replayed."""

    def __init__(self, talk: Conversation, fleet: str, policy: Policy, file: Path, least_cached: int) -> None:
        self.talk = talk
        self.request = Request(conversation=talk, fleet=fleet, policy=policy, lane=Lane.INTERACTIVE)
        self.file = file
        self.least_cached = least_cached


def one_job(services: Services, bell: Bell, work: Work, tally: Tally) -> None:
    """Run one job to its end and add what it took. Raises RuntimeError when its rings do not bring it there."""
    rows, size, rung = rows_of(work.file), bytes_of(work.file), bell.rung
    members = [one for one in services.fleet(job_like(work.request)) if isinstance(one, CassetteMember)]
    served = {one.card.name: len(one.served) for one in members}
    job = submit(
        work.request,
        unit_of_work=services.unit_of_work,
        clock=services.clock,
        queue=bell,
        stages=STAGE_NAMES,
        ready=first_queues(work.request.fleet, Lane.INTERACTIVE),
    ).job
    while bell.waiting:
        run_ring(services, bell.waiting.popleft(), tally)
    with services.unit_of_work() as unit:
        ended = unit.jobs.get(job.id)
        calls = [call for stage in STAGE_NAMES for call in unit.jobs.calls(job.id, stage)]
    if ended.status not in ENDED:
        message = f"job {job.id} about {work.talk.id!r} stands as {ended.status.value}"
        raise RuntimeError(message)
    for call in calls:
        row = tally.asked.setdefault(call.prompt.name, Counter())
        row["calls"] += 1
        row["failed"] += call.failure is not None
        row["output_tokens"] += COUNTER.count(call.reply.text) if call.reply is not None else 0
    for member in members:
        prompts = [(one.prompt.stamp.name, one.prompt.text) for one in member.served[served[member.card.name] :]]
        count_prompts(prompts, work.least_cached, tally)
    tally.rows.update({name: count - rows.get(name, 0) for name, count in rows_of(work.file).items()})
    tally.jobs += 1
    tally.plain["bytes"] += bytes_of(work.file) - size
    tally.plain["rings"] += bell.rung - rung
    tally.plain["turns"] += len(work.talk.turns)
    tally.plain["tokens"] += sum(COUNTER.count(turn.content) for turn in work.talk.turns)


def job_like(request: Request) -> Job:
    """A job of the request, to ask which members it would have."""
    snapshot = request.conversation.snapshot(None)
    return Job(
        id="j0",
        conversation=snapshot.conversation,
        through=snapshot.through,
        snapshot_digest=snapshot.digest,
        fleet=request.fleet,
        policy=request.policy,
        created_at=snapshot.turns[-1].recorded_at,
    )


def run_ring(services: Services, ring: Ring, tally: Tally) -> None:
    """Do what a worker does with one message."""
    began = time.process_time()
    run_step(services, ring.job, ring.stage)
    spent = time.process_time() - began
    kind = ring.queue.split(".")[1]
    tally.stages[ring.stage] = tally.stages.get(ring.stage, 0.0) + spent
    tally.queues[kind] = tally.queues.get(kind, 0.0) + spent


def count_prompts(prompts: Sequence[tuple[str, str]], least_cached: int, tally: Tally) -> None:
    """The tokens of one member's prompts, in order, and those that begin as an earlier one did."""
    for place, (name, text) in enumerate(prompts):
        shared = max((shared_chars(text, other) for _, other in prompts[:place]), default=0)
        cached = COUNTER.count(text[:shared])
        row = tally.asked.setdefault(name, Counter())
        row["input_tokens"] += COUNTER.count(text)
        row["cacheable_tokens"] += cached if cached >= least_cached else 0


def shared_chars(one: str, other: str) -> int:
    """The characters of the beginning that both have, by bisection."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return low


def means_of(tally: Tally, conversations: int, embedder: str) -> Means:
    """All sums, a job."""

    def mean(values: Mapping[str, float]) -> dict[str, float]:
        return {name: round(value / tally.jobs, 3) for name, value in values.items() if value}

    plain = mean(tally.plain)
    return Means(
        jobs=tally.jobs,
        conversations=conversations,
        embedder=embedder,
        turns=plain["turns"],
        snapshot_tokens=plain["tokens"],
        asked={name: Asked.model_validate(mean(row)) for name, row in tally.asked.items()},
        rows=mean(tally.rows),
        database_bytes=plain["bytes"],
        rings=plain["rings"],
        processor_s=mean(tally.stages),
        queue_processor_s=mean(tally.queues),
    )


def rows_of(file: Path) -> dict[str, int]:
    """The rows of every table of a SQLite file."""
    with closing(sqlite3.connect(file)) as connection:
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in names}  # noqa: S608 - names of its own tables


def bytes_of(file: Path) -> int:
    """The bytes of a SQLite file's pages, those in its log too."""
    with closing(sqlite3.connect(file)) as connection:
        pages, size = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
    return int(pages) * int(size)
