"""The world of a chaos run: jobs, workers and relays as real processes, Redis, a database, models."""

import os
import secrets
import signal
import socket
import subprocess
import sys
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.chaos_run.clock import JumpingClock
from benchmarks.chaos_run.databases import Database, database
from benchmarks.chaos_run.provider import ProviderThread
from benchmarks.giants import conversation_of
from dissolution.clock import SystemClock
from dissolution.conversation import Conversation, Language, Role, Turn
from dissolution.framing import FramePolicy
from dissolution.job import Job, Lane
from dissolution.policy.job_policy import Policy, QuorumPolicy
from dissolution.ports.store import UnitOfWorkFactory
from dissolution.settings import Settings
from dissolution.sizes import GIANT_WORK
from dissolution.values import NotMeasured
from triggers.submit import Request, submit
from workers.bootstrap import ROSTER, open_store, settled_policy
from workers.pipeline import STAGE_NAMES, first_queues
from workers.redis.server import RedisServer
from workers.services import NoBell

TURNS = (
    "This is case number {case}. The orders service runs on three servers.",
    "We use PostgreSQL for the orders database. That is decided.",
    "The nightly export takes 40 minutes.",
    "The release goes out on March 15.",
    "Who watches the nightly export on weekends is open.",
    "You review every migration before it runs.",
)

TIMINGS: Mapping[str, str] = {
    "DISSOLVE_LEASE_S": "5",
    "DISSOLVE_RESEND_S": "3",
    "DISSOLVE_RELAY_S": "0.2",
    "DISSOLVE_BUSY_TIMEOUT_S": "3",
    "DISSOLVE_STOP_GRACE_S": "2",
    "DISSOLVE_QUEUE_WINDOW": "50",
    "DISSOLVE_MAX_ATTEMPTS": "20",
    "DISSOLVE_EMBEDDER": "hashing",
}
"""Shorter than the defaults, so that minutes show what days would; attempts are many: kills are no fault of a job."""

POLICY = Policy(quorum=QuorumPolicy(soft_deadline_s=1.5, hard_deadline_s=12.0), frame=FramePolicy(review_families=0))


@dataclass
class Group:
    """One worker or relay with all of its processes."""

    name: str
    command: list[str]
    process: subprocess.Popen[bytes] | None = None
    starts: int = 0


@dataclass
class World:
    """Everything a disaster may touch."""

    folder: Path
    settings: Settings
    database: Database
    redis: RedisServer
    models: ProviderThread
    store: UnitOfWorkFactory
    clock: JumpingClock
    environment: dict[str, str]
    groups: list[Group] = field(default_factory=list[Group])
    jobs: dict[str, int] = field(default_factory=dict[str, int])  # the number of each job's conversation

    @property
    def workers(self) -> list[Group]:
        """The groups that run steps."""
        return [group for group in self.groups if group.name != "relay"]

    @property
    def processes(self) -> list[int]:
        """All processes of all groups, those that were forked among them."""
        leaders = {group.process.pid for group in self.groups if group.process is not None}
        found: list[int] = []
        for place in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if os.getpgid(int(place.name)) in leaders:
                    found.append(int(place.name))
        return found

    def start(self, group: Group) -> None:
        """Start a worker or relay, as a group of its own."""
        group.starts += 1
        with (self.folder / f"{group.name}.log").open("ab") as log:
            group.process = subprocess.Popen(  # noqa: S603 - our own command
                group.command,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def keep_running(self) -> None:
        """Start again what has ended, as any supervisor would."""
        for group in self.groups:
            if group.process is not None and group.process.poll() is not None:
                self.start(group)

    def signal(self, group: Group, number: signal.Signals) -> None:
        """Send a signal to every process of a group."""
        if group.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(group.process.pid, number)

    def stop(self) -> None:
        """End every process."""
        for group in self.groups:
            self.signal(group, signal.SIGKILL)
            if group.process is not None:
                group.process.wait()


@contextmanager
def world(folder: Path, *, kind: str, seed: int, processes: int) -> Generator[World]:
    """A world whose processes run; all of them are gone after the block."""
    with ProviderThread(seed) as models, database(kind, folder) as place:
        clock = JumpingClock(folder)
        redis = RedisServer(folder / "redis", free_port(), secrets.token_hex(8))
        redis.start()
        environment = {
            **os.environ,
            **TIMINGS,
            **clock.environment,
            "DISSOLVE_DB": place.url,
            "DISSOLVE_REDIS_URL": redis.url.get_secret_value(),
            "DISSOLVE_SETTINGS": str(folder / "none.toml"),
            "PYTHONUNBUFFERED": "1",
        }
        settings = Settings(db=place.url, redis_url=redis.url, embedder="hashing", busy_timeout_s=60)
        (folder / "fleet.toml").write_text(models.roster(), encoding="utf-8")
        made = World(folder, settings, place, redis, models, open_store(settings), clock, environment)
        made.groups = [Group(name, words) for name, words in commands(processes)]
        try:
            for group in made.groups:
                made.start(group)
            yield made
        finally:
            made.stop()
            redis.stop()


def commands(processes: int) -> Iterator[tuple[str, list[str]]]:
    """Two workers that wait, one that computes, one for giants, and a relay."""
    program = [sys.executable, "-m", "benchmarks.chaos_run.clock"]
    for number in (1, 2):
        yield f"io-{number}", [*program, "worker", "--queue", "io", "--steps", str(processes)]
    yield "cpu", [*program, "worker", "--queue", "cpu", "--processes", "1"]
    yield "giant", [*program, "worker", "--queue", "giant", "--processes", "1"]
    yield "relay", [*program, "relay"]


def free_port() -> int:
    """A port of the loopback address that nothing listens on.

    From below Linux's range for outgoing connections (32768 and above): a server that is stopped and started again
    would at times find that somebody who looked for it meanwhile has its port.
    """
    while True:
        port = 10_000 + secrets.randbelow(8000)
        with socket.socket() as trial, suppress(OSError):
            trial.bind(("127.0.0.1", port))
            return port


def enqueue(made: World, count: int, giants: int) -> None:
    """Store so many jobs, each on a conversation of its own; the first `giants` of them are very long."""
    clock = SystemClock()
    fleet = f"{ROSTER}{made.folder / 'fleet.toml'}"
    policy = settled_policy(POLICY, made.settings, fleet)
    for case in range(count):
        talk, lane, giant = conversation(case), list(Lane)[case % len(Lane)], case < giants
        if giant:
            talk = lengthened(talk)
        job = submit(
            Request(conversation=talk, fleet=fleet, policy=policy, lane=lane),
            unit_of_work=made.store,
            clock=clock,
            queue=NoBell(),
            stages=STAGE_NAMES,
            ready=first_queues(fleet, lane, giant=giant),
        ).job
        made.jobs[job.id] = case


def conversation(case: int) -> Conversation:
    """Six turns; the first says which case it is, so that the provider knows whom it is asked about."""
    now = SystemClock().now()
    turns = tuple(
        Turn(
            number=number,
            role=Role.USER if number % 2 else Role.ASSISTANT,
            speaker="ann" if number % 2 else "bo",
            content=words.format(case=case),
            recorded_at=now,
        )
        for number, words in enumerate(TURNS, start=1)
    )
    language = Language(code="en", confidence=NotMeasured(not_measured="made up"))
    return Conversation(id=f"case-{case:05}", turns=turns, language=language)


def lengthened(talk: Conversation) -> Conversation:
    """The same, and so many turns after it that workers for giants run its job."""
    more = conversation_of(GIANT_WORK, 256).turns
    after = (turn.model_copy(update={"number": turn.number + len(talk.turns)}) for turn in more)
    return talk.model_copy(update={"turns": (*talk.turns, *after)})


def jobs_of(made: World) -> list[Job]:
    """All jobs as they stand."""
    with made.store() as work:
        return [work.jobs.get(job) for job in made.jobs]
