"""How long a whole job takes in one process beside its critical path: what no scheduling could shorten.

usage: python -m benchmarks.inline_time [--jobs 12] [--at-once 3]

Real HTTP to simulated models that answer by script after log-normal latencies, those of four models of
benchmarks/data/fleets/steady.toml. Each job has models and a database of its own, and runs fan-out, register, question
bank, history arm, review and candidate arm. Its critical path is summed from the latencies that its models drew: the
longest chain of stages, in each the slowest call of what can be asked together. Nothing is allowed for embedding,
grouping, rows and HTTP. Prints one JSON document.
"""

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, cast

from benchmarks.drill_rehearsal import DATA, Script
from benchmarks.load_run.flight import critical_path_s
from devtools.loopback import LoopbackProvider, _Playing, tokens_of
from devtools.loopback_dialects import Asked, Counted, Dialect
from devtools.loopback_http import Response, json_response
from devtools.loopback_roster import roster_text
from devtools.loopback_spec import LoopbackAct, LoopbackSpec, load_loopback_spec
from dissolution.answers import Call, PromptMessage, PromptStamp, RenderedPrompt
from dissolution.clock import SystemClock
from dissolution.conversation import Conversation
from dissolution.framing import FramePolicy
from dissolution.job import JobStatus
from dissolution.policy.gate import GatePolicy
from dissolution.policy.job_policy import Policy
from dissolution.policy.probe import ProbePolicy
from dissolution.settings import Settings
from language.intake.options import ReadingOptions
from language.intake.read import read_file
from triggers.submit import Request, submit
from workers.bootstrap import ROSTER, load_gateway, open_services, settled_policy
from workers.members.stage_calls import place_of
from workers.pipeline import STAGE_NAMES
from workers.runtime.inline import NoBell, run_job

STEADY = DATA / "fleets" / "steady.toml"
TALK = "op-flask-sessions"
LIKE = {"m1": "aster-1", "m2": "begonia-1", "m3": "clover-1", "reader": "dahlia-1"}
"""Whose latencies the models of the script have; all are log-normal around 2 s."""

POLICY = Policy(
    probe=ProbePolicy(
        writer="m1",
        reader="reader",
        judge="m2",
        batch=60,
        gate=GatePolicy(name="timed", questions=28, accept_loss=0.08, reject_loss=0.2, repair_rounds=0),
    ),
    frame=FramePolicy(reviewers=("m1", "m2", "m3"), extractor=("m3",)),
)

WRITING = frozenset({"probe_writing", "probe_further"})
"""Prompts that ask for questions: the first begins the bank, each later one a round more, after all before it."""

WAVES: Mapping[str, tuple[frozenset[str], ...]] = {
    "question_bank": (
        WRITING,
        frozenset({"probe_answers", "probe_evidence"}),
        frozenset({"probe_judging"}),
    ),
    "history_arm": (frozenset({"probe_answers"}), frozenset({"probe_judging"})),
}
"""What of a stage needs what came before in it, by prompts; all calls of any other stage can be asked together."""

IN_TURN = frozenset({"candidate_arm"})
"""Each call needs the one before: batch after batch until the gate is settled, and the second judge after the first."""


class Timed(NamedTuple):
    """One job."""

    seconds: float
    path_s: float
    processor_s: float  # of everything in this process, the models too
    calls: int
    status: JobStatus


class ScriptedModels(LoopbackProvider):
    """Models that answer by script after the latencies they draw, which are remembered by model and prompt."""

    def __init__(self, spec: LoopbackSpec, script: Script) -> None:
        super().__init__(spec)
        self._script = script
        self.drawn: dict[tuple[str, int], float] = {}

    async def _play(self, dialect: Dialect, model: _Playing, asked: Asked) -> Response:
        messages = cast("list[dict[str, str]]", self.bodies.pop()["messages"])
        seconds = self.drawn[asked.model, place_of_messages(messages)] = model.latency_s()
        await asyncio.sleep(seconds)
        words = self._script.says(asked.model, messages[-1]["content"])
        tokens = Counted(tokens_of(asked.prompt), model.cached_tokens(asked.prompt), tokens_of(words))
        model.count(LoopbackAct.ANSWER, tokens)
        return json_response(200, dialect.answer(asked, LoopbackAct.ANSWER, words, tokens, model.served.requests))


class ModelsThread:
    """The models in a thread of their own. Use it in a `with` block."""

    def __init__(self, models: ScriptedModels) -> None:
        self.models = models
        self._ready: Future[asyncio.AbstractEventLoop] = Future()
        self._over = asyncio.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="models", daemon=True)

    def __enter__(self) -> ScriptedModels:
        self._thread.start()
        self._ready.result(10)
        return self.models

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self._ready.result().call_soon_threadsafe(self._over.set)
        self._thread.join(10)

    async def _serve(self) -> None:
        async with self.models:
            self._ready.set_result(asyncio.get_running_loop())
            await self._over.wait()


def place_of_messages(messages: Sequence[Mapping[str, str]]) -> int:
    """The place that a call with these messages has in the tables."""
    said = tuple(PromptMessage(role=one["role"], content=one["content"]) for one in messages)
    return place_of(RenderedPrompt(stamp=PromptStamp(name="any", version=1, digest="0" * 64), messages=said))


def spec_of(fleet: LoopbackSpec, seed: int) -> LoopbackSpec:
    """The models of the script, as slow as those of the fleet that they are like."""
    models = {name: fleet.models[like].model_copy(update={"family": name}) for name, like in LIKE.items()}
    return fleet.model_copy(update={"models": models, "outages": (), "seed": seed})


def stages_s(calls: Sequence[Call], drawn: Mapping[tuple[str, int], float]) -> dict[str, float]:
    """How long each stage takes at least (s): wave after wave, each as long as its slowest call."""
    by_place = {(call.member.name, call.ordinal) for call in calls}
    rounds: dict[str, list[list[tuple[str, float]]]] = {
        "fan_out": [[("four_part", seconds) for place, seconds in drawn.items() if place not in by_place]]
    }
    for call in sorted(calls, key=lambda call: call.asked_at):
        if call.stage != "fan_out":
            told = rounds.setdefault(call.stage, [[]])
            if call.prompt.name in WRITING and any(name not in WRITING for name, _ in told[-1]):
                told.append([])
            told[-1].append((call.prompt.name, drawn[call.member.name, call.ordinal]))
    return {stage: sum(stage_s(stage, told) for told in each) for stage, each in rounds.items()}


def stage_s(stage: str, took: Sequence[tuple[str, float]]) -> float:
    """The least time (s) of a stage whose calls, by the name of their prompt, took so long."""
    if stage in IN_TURN:
        return sum(seconds for _, seconds in took)
    waves = WAVES.get(stage) or (frozenset(name for name, _ in took),)
    return sum(max((seconds for name, seconds in took if name in wave), default=0.0) for wave in waves)


def timed(fleet: LoopbackSpec, talk: Conversation, seed: int) -> Timed:
    """One job, in this process."""
    spec = spec_of(fleet, seed)
    with tempfile.TemporaryDirectory() as folder, ModelsThread(ScriptedModels(spec, Script(TALK))) as models:
        roster = Path(folder) / "roster.toml"
        roster.write_text(roster_text(spec, models.base_url, max_attempts=1), encoding="utf-8")
        settings = Settings(db=f"sqlite:///{folder}/ledger.sqlite3", embedder="hashing")
        with open_services(settings) as services:
            named = f"{ROSTER}{roster}"
            request = Request(conversation=talk, fleet=named, policy=settled_policy(POLICY, settings, named))
            job = submit(
                request, unit_of_work=services.unit_of_work, clock=services.clock, queue=NoBell(), stages=STAGE_NAMES
            ).job
            began, used = time.monotonic(), time.process_time()
            ended = run_job(services, job.id)
            seconds, processor_s = time.monotonic() - began, time.process_time() - used
            with services.unit_of_work() as work:
                calls = [call for stage in STAGE_NAMES for call in work.jobs.calls(job.id, stage)]
    path_s = critical_path_s(stages_s(calls, models.drawn))
    return Timed(seconds, path_s, processor_s, len(calls), ended.status)


def warmed(fleet: LoopbackSpec, talk: Conversation) -> None:
    """Import what a job imports, and fill what is kept between jobs, by a job among models that answer at once."""
    load_gateway()
    timed(fleet.model_copy(update={"speed": 1000.0}), talk, 0)


def main() -> int:
    """Run the jobs and print what they took."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--jobs", type=int, default=12, help="how many")
    parser.add_argument("--at-once", type=int, default=3, help="of them at the same time, each for itself")
    parser.add_argument("--fleet", type=Path, default=STEADY, help="whose latencies (TOML)")
    given = parser.parse_args()
    file = DATA / "planted" / f"{TALK}.json"
    talk = read_file(file, ReadingOptions(), key=bytes(32), clock=SystemClock()).conversation
    fleet = load_loopback_spec(given.fleet)
    with ProcessPoolExecutor(
        max_workers=given.at_once, mp_context=get_context("spawn"), initializer=warmed, initargs=(fleet, talk)
    ) as pool:
        jobs = list(pool.map(partial(timed, fleet, talk), range(1, given.jobs + 1)))
    ratios = sorted(job.seconds / job.path_s for job in jobs)
    document = {
        "jobs": len(jobs),
        "ended": sorted({job.status.value for job in jobs}),
        "calls_a_job": statistics.median(job.calls for job in jobs),
        "seconds_median": round(statistics.median(job.seconds for job in jobs), 2),
        "critical_path_median_s": round(statistics.median(job.path_s for job in jobs), 2),
        "processor_median_s": round(statistics.median(job.processor_s for job in jobs), 2),
        "load_average": [round(one, 1) for one in os.getloadavg()],
        "over_critical_path_median": round(statistics.median(ratios), 3),
        "over_critical_path_most": round(ratios[-1], 3),
    }
    print(json.dumps(document, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
