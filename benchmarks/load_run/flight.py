"""Jobs in flight on real workers, a constant number at a time, and what the tables say of them afterwards."""

import statistics
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from benchmarks.chaos_run.world import conversation
from benchmarks.load_run.provider import TimedProvider, ideal_s
from dissolution.answers import Call
from dissolution.clock import SystemClock
from dissolution.framing import FramePolicy
from dissolution.job import Job, JobStatus, Lane, Step
from dissolution.policy.job_policy import Policy, QuorumPolicy
from dissolution.ports.store import UnitOfWorkFactory
from dissolution.settings import Settings
from triggers.submit import Request, submit
from workers.bootstrap import settled_policy
from workers.celery.app import make_app
from workers.celery.queue import CeleryQueue
from workers.pipeline import STAGE_NAMES, STAGES, first_queues

QUORUM = QuorumPolicy(min_members=5, min_families=3, soft_deadline_s=0.05, hard_deadline_s=1800.0)
"""Five of nine answers of three families; waiting ends as soon as they are there."""

LOOK_S = 0.1


@dataclass
class Flight:
    """What one run at a constant number of jobs in flight came to."""

    in_flight: int
    seconds: float = 0.0
    overheads: list[float] = field(default_factory=list[float])  # of time to quorum over its ideal, as a share
    step_overheads: list[float] = field(default_factory=list[float])  # of the whole fan-out step over the ideal
    paths: list[float] = field(default_factory=list[float])  # whole-job time over its critical path
    ideals: list[float] = field(default_factory=list[float])  # s
    failed: int = 0

    @property
    def jobs(self) -> int:
        """Jobs that committed."""
        return len(self.paths)

    def document(self) -> dict[str, object]:
        """The figures."""
        return {
            "in_flight": self.in_flight,
            "jobs": self.jobs,
            "failed": self.failed,
            "jobs_per_minute": round(60 * self.jobs / self.seconds, 1),
            "ideal_quorum_median_s": round(statistics.median(self.ideals), 2),
            "quorum_overhead_median": rounded(self.overheads, 0.5),
            "quorum_overhead_p95": rounded(self.overheads, 0.95),
            "fan_out_step_overhead_median": rounded(self.step_overheads, 0.5),
            "job_over_critical_path_median": rounded(self.paths, 0.5),
            "job_over_critical_path_p95": rounded(self.paths, 0.95),
        }


class Stored(NamedTuple):
    """One job as the tables have it."""

    job: Job
    steps: tuple[Step, ...]
    calls: tuple[Call, ...]


def rounded(values: Sequence[float], share: float) -> float:
    """A quantile by the nearest rank, three places."""
    ordered = sorted(values)
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 3)


def fly(
    store: UnitOfWorkFactory, settings: Settings, fleet: str, provider: TimedProvider, *, cases: range, in_flight: int
) -> Flight:
    """Run one job a case, `in_flight` of them at a time, and read what came of them."""
    bell = CeleryQueue(make_app(settings))
    policy = settled_policy(Policy(quorum=QUORUM, frame=FramePolicy(review_families=0)), settings, fleet)
    left, running, done = list(cases), dict[str, int](), dict[str, int]()
    tick = threading.Event()  # never set
    started = time.monotonic()
    while left or running:
        while left and len(running) < in_flight:
            case = left.pop(0)
            job = submit(
                Request(conversation=conversation(case), fleet=fleet, policy=policy, lane=Lane.INTERACTIVE),
                unit_of_work=store,
                clock=SystemClock(),
                queue=bell,
                stages=STAGE_NAMES,
                ready=first_queues(fleet, Lane.INTERACTIVE),
            ).job
            running[job.id] = case
        tick.wait(LOOK_S)
        with store() as work:
            ended = work.jobs.ended(running)
        for job in ended:
            done[job] = running.pop(job)
    flight = Flight(in_flight, seconds=time.monotonic() - started)
    for name, case in done.items():
        with store() as work:
            stored = Stored(work.jobs.get(name), work.jobs.steps(name), work.jobs.calls(name, "fan_out"))
        add(flight, stored, ideal_s(provider.drawn[case], QUORUM))
    return flight


def add(flight: Flight, stored: Stored, ideal: float) -> None:
    """Measure one job that has ended."""
    if stored.job.status is not JobStatus.COMMITTED or stored.job.ended_at is None:
        flight.failed += 1
        return
    flight.ideals.append(ideal)
    flight.overheads.append(to_quorum_s(stored.calls) / ideal - 1)
    took = {step.stage: span_s(step.started_at, step.ended_at) for step in stored.steps}
    flight.step_overheads.append(took["fan_out"] / ideal - 1)
    flight.paths.append(span_s(stored.job.created_at, stored.job.ended_at) / critical_path_s(took))


def to_quorum_s(calls: Sequence[Call]) -> float:
    """From the first question to the answer that completed the quorum (s), as the tables have it."""
    asked = min(call.asked_at for call in calls)
    landed = sorted((call.landed_at, call.member.family) for call in calls if call.landed_at and call.reply)
    families: set[str] = set()
    for count, (at, family) in enumerate(landed, start=1):
        families.add(family)
        if count >= QUORUM.min_members and len(families) >= QUORUM.min_families:
            return (at - asked).total_seconds()
    message = "a committed job without a quorum"
    raise ValueError(message)


def span_s(start: datetime | None, end: datetime | None) -> float:
    """Seconds between; 0 for a step that never ran."""
    return 0.0 if start is None or end is None else (end - start).total_seconds()


def critical_path_s(took: dict[str, float]) -> float:
    """The longest way through the stages (s), each as long as it ran: what no scheduling could shorten."""
    ends: dict[str, float] = {}
    for stage in STAGES:
        ends[stage.name] = max((ends[one] for one in stage.after), default=0.0) + took.get(stage.name, 0.0)
    return max(ends.values())
