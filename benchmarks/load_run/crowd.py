"""Ten thousand queued jobs and one relay: how long a look takes, and what the steps of one io process come to."""

import os
import statistics
import time
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

from sqlalchemy import create_engine, insert, select, text

from benchmarks.chaos_run.world import conversation
from benchmarks.load_run.flight import QUORUM
from dissolution.clock import SystemClock
from dissolution.framing import FramePolicy
from dissolution.job import Job, Lane
from dissolution.policy.job_policy import Policy, QuorumPolicy
from dissolution.ports.store import UnitOfWorkFactory
from dissolution.settings import Settings
from store.sql.places import parse_url
from store.tables.jobs import jobs, steps
from store.tables.queue import outbox
from triggers.submit import Request, submit
from workers.bootstrap import open_services, settled_policy
from workers.celery.app import make_app
from workers.celery.queue import CeleryQueue
from workers.celery.relay import Relay
from workers.concurrency.loop_thread import LoopThread
from workers.execution.steps import run_step
from workers.pipeline import STAGE_NAMES, first_queues
from workers.redis.queue_state import RedisDoorbell, redis_client
from workers.services import NoBell

LOOKS = 10
CHUNK = 1000


def a_job(store: UnitOfWorkFactory, fleet: str, policy: Policy, case: int) -> Job:
    """One queued job of the batch lane; nobody is rung for."""
    return submit(
        Request(conversation=conversation(case), fleet=fleet, policy=policy, lane=Lane.BATCH),
        unit_of_work=store,
        clock=SystemClock(),
        queue=NoBell(),
        stages=STAGE_NAMES,
        ready=first_queues(fleet, Lane.BATCH),
    ).job


def multiplied(url: str, job: str, numbers: range) -> None:
    """Copies of one queued job with its steps and rings, a millisecond apart: submitting so many would take minutes."""
    engine = create_engine(parse_url(url))
    with engine.begin() as connection:
        one = dict(connection.execute(select(jobs).where(jobs.c.id == job)).mappings().one())
        its_steps = [dict(row) for row in connection.execute(select(steps).where(steps.c.job == job)).mappings()]
        rings = [dict(row) for row in connection.execute(select(outbox).where(outbox.c.job == job)).mappings()]
        for start in range(0, len(numbers), CHUNK):
            names = [f"j{number:012x}" for number in numbers[start : start + CHUNK]]
            connection.execute(insert(jobs), [{**one, "id": name} for name in names])
            connection.execute(insert(steps), [{**row, "job": name} for name in names for row in its_steps])
            later = [timedelta(milliseconds=start + place) for place in range(len(names))]
            copies = [
                {**row, "job": name, "created_at": row["created_at"] + wait, "due_at": row["due_at"] + wait}
                for name, wait in zip(names, later, strict=True)
                for row in rings
            ]
            connection.execute(insert(outbox), [{k: v for k, v in row.items() if k != "id"} for row in copies])
    with engine.begin() as connection:
        connection.execute(text("ANALYZE"))  # the server does it by itself within a minute of such a flood
    engine.dispose()


def looks_ms(settings: Settings, store: UnitOfWorkFactory) -> dict[str, float]:
    """How long the relay's looks take (ms): those that send a full window, and those that find the windows full."""
    sender = CeleryQueue(make_app(settings))
    relay = Relay(settings, unit_of_work=store, clock=SystemClock(), doorbell=RedisDoorbell(settings), sender=sender)
    client = cast("Any", redis_client(settings))
    relay.look()
    sending: list[float] = []
    idle: list[float] = []
    sent = 0
    for _ in range(LOOKS):
        started = time.perf_counter()
        relay.look()
        idle.append(time.perf_counter() - started)
        client.flushall()
        client.set("dissolve.relay.mark", "kept")  # so that this is workers taking messages, not a loss
        started = time.perf_counter()
        sent += relay.look().sent
        sending.append(time.perf_counter() - started)
    client.flushall()
    client.close()
    return {
        "sending_look_median_ms": round(1000 * statistics.median(sending), 1),
        "idle_look_median_ms": round(1000 * statistics.median(idle), 1),
        "messages_per_look": round(sent / LOOKS),
    }


def relay_under(settings: Settings, store: UnitOfWorkFactory, fleet: str, counts: tuple[int, ...]) -> dict[str, object]:
    """Looks of the relay over so many queued jobs."""
    found: dict[str, object] = {}
    policy = settled_policy(Policy(quorum=QUORUM, frame=FramePolicy(review_families=0)), settings, fleet)
    first = a_job(store, fleet, policy, 900_000).id
    have = 1
    for count in sorted(counts):
        multiplied(settings.db, first, range(have, count))
        have = count
        found[f"{count}_queued"] = looks_ms(settings, store)
    return found


def fan_outs_s(settings: Settings, fleet: str, loop: LoopThread, cases: range, models: int) -> float:
    """Fan-out steps of one io process, one after the other, all answers waited for and each stored as it lands (s)."""
    everybody = QuorumPolicy(min_members=models, min_families=2, soft_deadline_s=100.0, hard_deadline_s=120.0)
    with open_services(settings, loop=loop) as services:
        policy = settled_policy(Policy(quorum=everybody, frame=FramePolicy(review_families=0)), settings, fleet)
        names = [a_job(services.unit_of_work, fleet, policy, case).id for case in cases]
        started = time.perf_counter()
        for name in names:
            run_step(services, name, "fan_out")
        return time.perf_counter() - started


def memory_mb(leader: int) -> dict[str, float]:
    """Memory of a worker's processes (MB): the sum of their shares (PSS), and the largest by itself (RSS)."""
    pss: list[int] = []
    rss: list[int] = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            group = int((place / "stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()[2])
            if group != leader:
                continue
            lines = dict(
                line.split(":", 1) for line in (place / "smaps_rollup").read_text(encoding="ascii").splitlines()[1:]
            )
        except (OSError, ValueError):
            continue
        pss.append(int(lines["Pss"].split()[0]))
        rss.append(int(lines["Rss"].split()[0]))
    return {
        "processes": len(pss),
        "all_pss_mb": round(sum(pss) * 1024 / 1e6),
        "each_pss_mb": round(sum(pss) * 1024 / 1e6 / max(1, len(pss))),
        "largest_rss_mb": round(max(rss, default=0) * 1024 / 1e6),
    }


def load_average() -> str:
    """Of the last minute; who reads the figures must know who else was at work."""
    return f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
