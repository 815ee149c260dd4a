"""How many statements and transactions one job takes, counted where they are sent to the database."""

from collections import Counter, deque
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Engine, event

from benchmarks.chaos_run.databases import database
from benchmarks.load_run.crowd import a_job
from benchmarks.load_run.flight import QUORUM
from benchmarks.load_run.provider import ProviderThread
from devtools.loopback_spec import LoopbackSpec
from dissolution.framing import FramePolicy
from dissolution.job import Lane
from dissolution.outbox import Ring
from dissolution.policy.job_policy import Policy
from dissolution.settings import Settings
from workers.bootstrap import ROSTER, open_services, settled_policy
from workers.concurrency.loop_thread import LoopThread
from workers.execution.steps import run_step
from workers.pipeline import STAGE_NAMES, QueueClass, first_queues, queues_of
from workers.services import Services, Silent

SUBMIT, COMMITS = "submit", "transactions"
WARM = 2
"""Jobs before the one that is counted."""


@dataclass
class Messages:
    """Those that wait, in the order in which they were sent."""

    waiting: deque[Ring] = field(default_factory=deque[Ring])

    def ring(self, ring: Ring) -> None:
        """Keep one."""
        self.waiting.append(ring)


class Stage(Silent):
    """Which stage runs, or the submission of a job."""

    def __init__(self) -> None:
        self.name = SUBMIT

    def stage_started(self, job: str, stage: str) -> None:  # noqa: ARG002 - the port's shape
        """It runs."""
        self.name = stage


class Own(NamedTuple):
    """What a worker serves."""

    queues: tuple[str, ...]

    def __call__(self, ring: Ring) -> bool:
        """Whether a step is for it."""
        return ring.queue in self.queues


def statements_section(folder: Path, spec: LoopbackSpec) -> dict[str, object]:
    """Statements of one job by stage, its submission first, and its transactions that were committed.

    Each message is done by a worker of its queue's class, as it would be: where that goes on by itself, the next stage
    is claimed with the completion of the one before, and counts there. Renewals of leases are left out: they are one
    statement a process, whatever it holds.
    """
    counted: Counter[str] = Counter()
    at, bell = Stage(), Messages()

    def sent(*_: object) -> None:
        counted[at.name] += 1

    def committed(*_: object) -> None:
        counted[COMMITS] += 1

    with ProviderThread(spec) as models, database("postgresql", folder) as place, LoopThread() as loop:
        settings = Settings(db=place.url, embedder="hashing")
        (file := folder / "statements.toml").write_text(models.roster(), encoding="utf-8")
        fleet = f"{ROSTER}{file}"
        with open_services(settings, loop=loop, progress=at, bell=bell) as services:
            policy = settled_policy(Policy(quorum=QUORUM, frame=FramePolicy(review_families=0)), settings, fleet)
            for case in range(700_000, 700_000 + WARM + 1):
                if case == 700_000 + WARM:
                    event.listen(Engine, "before_cursor_execute", sent)
                    event.listen(Engine, "commit", committed)
                at.name = SUBMIT
                job = a_job(services.unit_of_work, fleet, policy, case)
                for stage, queue in first_queues(fleet, Lane.BATCH).items():
                    bell.ring(Ring(job=job.id, stage=stage, queue=queue))
                work_off(services, bell, at)
            event.remove(Engine, "before_cursor_execute", sent)
            event.remove(Engine, "commit", committed)
    by_stage = {name: counted[name] for name in (SUBMIT, *STAGE_NAMES)}
    return {"all": sum(by_stage.values()), COMMITS: counted[COMMITS], "by_stage": by_stage}


def work_off(services: Services, bell: Messages, at: Stage) -> None:
    """Do what the messages ask for, one after the other, and what follows from it."""
    while bell.waiting:
        ring = bell.waiting.popleft()
        own = next(queues_of(one) for one in QueueClass if ring.queue in queues_of(one))
        at.name = ring.stage
        run_step(replace(services, goes_on=Own(own)), ring.job, ring.stage)
