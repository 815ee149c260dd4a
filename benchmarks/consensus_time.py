"""Part of benchmarks/consensus.py: the time of a job of the size users run, six answers of 65 claims.

The answers are recorded ones: each writer's last answer about a conversation and its earlier checkpoints, up to 65
claims. Every run starts as a fresh process would, with nothing remembered of any text. Wall time is what a user waits;
CPU time tells what the job itself costs when other work shares the machine.
"""

import functools
import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from consensus.build import build_consensus
from dissolution.answers import FinishReason
from dissolution.claims import Statement
from dissolution.conversation import Snapshot
from dissolution.policy.job_policy import ConsensusPolicy
from dissolution.ports.models import Embedder
from prompts.parse import parse_reply

CLAIMS = 65  # of each answer
CHECKPOINTS = ("dissolve", "roll-4", "roll-3", "roll-2", "roll-1")  # latest first
REPEATS = 3
ROOMS = frozenset({"consensus", "dissolution", "prompts", "language"})


@dataclass(frozen=True)
class Job:
    """What one job is given."""

    snapshot: Snapshot
    statements: list[Statement]
    answers: dict[str, str]


def forget() -> None:
    """Empty everything that the rooms remember of texts, so that the next run starts cold."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in ROOMS:
            for kept in list(vars(module).values()):
                if isinstance(kept, functools._lru_cache_wrapper):  # noqa: SLF001 - the only name of its type
                    kept.cache_clear()


def job_of(folder: Path, snapshot: Snapshot) -> Job:
    """The job of one conversation's recordings; each writer's claims in order, at most 65."""
    statements: list[Statement] = []
    answers: dict[str, str] = {}
    for path in sorted(folder.glob("*.dissolve.json")):
        writer = path.name.partition(".")[0]
        records = [_record(folder / f"{writer}.{checkpoint}.json") for checkpoint in CHECKPOINTS]
        parsed = [parse_reply(record["answer"], FinishReason.STOP, through=snapshot.through) for record in records]
        claims = [claim for one in parsed if one.usable for claim in one.claims][:CLAIMS]
        answers[writer] = "\n".join(record["answer"] for record in records)
        family: str = records[0]["family"]
        statements.extend(
            Statement(member=writer, family=family, ordinal=place, claim=claim) for place, claim in enumerate(claims)
        )
    return Job(snapshot, statements, answers)


def _record(path: Path) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return record


def seconds(job: Job, embedder: Embedder) -> tuple[float, float]:
    """Wall and CPU time (s) of one cold job: the least of three runs each, as other work only adds."""
    walls: list[float] = []
    costs: list[float] = []
    for _ in range(REPEATS):
        forget()
        wall, cost = time.perf_counter(), time.process_time()
        build_consensus(job.statements, job.snapshot, embedder, ConsensusPolicy(), job="benchmark", answers=job.answers)
        walls.append(time.perf_counter() - wall)
        costs.append(time.process_time() - cost)
    return min(walls), min(costs)


def show(data: Path, read: Callable[[str], Snapshot], embedder: Embedder, remembering: Embedder) -> dict[str, Any]:
    """Print and return the times of every conversation with enough recordings.

    Args:
        data: benchmarks/data.
        read: A planted conversation's snapshot by its name.
        embedder: Meaning as vectors, already loaded, on one thread.
        remembering: The same, which embeds each text once only: what is left is everything but the embedding.
    """
    print(f"\nTime of one job of 6 answers of {CLAIMS} claims, nothing remembered, least of {REPEATS} runs (s);")
    print(f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f} before.")
    print(
        "\n| conversation | claims | wall | CPU | wall without embedding | CPU without embedding |"
        "\n|---|---|---|---|---|---|"
    )
    results: dict[str, Any] = {"load_before": os.getloadavg()[0], "cores": os.cpu_count()}
    for folder in sorted((data / "recordings").iterdir()):
        if not (folder / f"writer-a.{CHECKPOINTS[-1]}.json").is_file():
            continue
        job = job_of(folder, read(folder.name))
        seconds(job, remembering)  # embeds each text
        wall, cost = seconds(job, embedder)
        bare_wall, bare_cost = seconds(job, remembering)
        results[folder.name] = {"wall": wall, "cpu": cost, "wall_without": bare_wall, "cpu_without": bare_cost}
        times = " | ".join(f"{value:.2f}" for value in (wall, cost, bare_wall, bare_cost))
        print(f"| {folder.name} | {len(job.statements)} | {times} |")
    results["load_after"] = os.getloadavg()[0]
    print(f"\nLoad average {results['load_after']:.1f} after.")
    return results
