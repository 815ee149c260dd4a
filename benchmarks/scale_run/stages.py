"""One job, stage after stage in this process: what each stage takes, and the most memory so far."""

import resource
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from dissolution.conversation import Conversation
from dissolution.job import ENDED, Job, JobStatus, StepStatus
from dissolution.policy.job_policy import BudgetPolicy, Policy
from dissolution.ports.models import Member
from dissolution.settings import Settings
from triggers.submit import Request, submit
from workers.bootstrap import open_services
from workers.execution.steps import run_step
from workers.pipeline import STAGE_NAMES, ready
from workers.services import NoBell, Services

UNCAPPED = Policy(budget=BudgetPolicy(max_input_tokens=10**9))
"""The default policy, without a cap on tokens that cost nothing here."""


class Spent(NamedTuple):
    """Time of one stage (s), and the most memory that the process had until its end (MB, 10^6 bytes)."""

    processor: float
    wall: float
    peak_mb: float


class Clocked:
    """Measures a stretch of this process's work."""

    def __init__(self) -> None:
        self._began = (time.process_time(), time.perf_counter())

    def spent(self) -> Spent:
        """What it took until now."""
        processor, wall = self._began
        return Spent(round(time.process_time() - processor, 3), round(time.perf_counter() - wall, 3), round(peak_mb()))


def peak_mb() -> float:
    """The most memory this process has had (MB)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


@contextmanager
def services_over(folder: Path, embedder: str, members: Sequence[Member]) -> Generator[Services]:
    """Services over a SQLite file in the folder, whose every fleet is these members."""
    settings = Settings(db=f"sqlite:///{folder / 'scale.sqlite3'}", embedder=embedder)

    def fleet(_job: Job) -> tuple[Member, ...]:
        return tuple(members)

    with open_services(settings) as opened:
        yield replace(opened, fleet=fleet)


def run_staged(services: Services, conversation: Conversation) -> tuple[Job, Mapping[str, Spent]]:
    """Submit a job and run its stages one after the other, so that each has its own time; `submit` comes first.

    Raises RuntimeError when the job ends without a boundary.
    """
    clock = Clocked()
    request = Request(conversation=conversation, fleet="scripted", policy=UNCAPPED)
    job = submit(
        request, unit_of_work=services.unit_of_work, clock=services.clock, queue=NoBell(), stages=STAGE_NAMES
    ).job
    spent = {"submit": clock.spent()}
    while job.status not in ENDED:
        with services.unit_of_work() as work:
            done = frozenset(one.stage for one in work.jobs.steps(job.id) if one.status is StepStatus.DONE)
        stage = ready(done)[0].name
        clock = Clocked()
        run_step(services, job.id, stage)
        spent[stage] = clock.spent()
        with services.unit_of_work() as work:
            job = work.jobs.get(job.id)
    if job.status is not JobStatus.COMMITTED:
        message = f"the job ended as {job.status.value}: {job.reason}"
        raise RuntimeError(message)
    return job, spent
