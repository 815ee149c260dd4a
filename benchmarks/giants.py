"""What very long conversations cost, stage by stage, and how soon a cancel takes effect.

usage: python -m benchmarks.giants [--turns 1000 2000 5000 20000] [--chars 256] [--embedder all-MiniLM-L6-v2]
       python -m benchmarks.giants --cancel [--turns 20000]

Three scripted members answer about a generated conversation; each size runs in a process of its own. Prints processor
time and wall time of each stage (s) and the peak resident memory (MB, 10^6 bytes). With `--cancel` the job is cancelled
one second into each stage, and the seconds until the stage has ended are printed.
"""

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from devtools.scripted import Say, ScriptedMember
from dissolution.answers import MemberCard, MemberKind
from dissolution.conversation import Conversation, Language, Role, Turn
from dissolution.job import ENDED, Job, JobStatus
from dissolution.policy.job_policy import Policy
from dissolution.settings import Settings
from triggers.submit import Request, submit
from workers.bootstrap import open_services
from workers.pipeline import STAGE_NAMES
from workers.runtime.inline import NoBell, run_job
from workers.services import Services, Silent

BEGAN = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
THINGS = (
    "the export service", "the session table", "the nightly backup", "the billing queue", "the search index",
    "the login page", "the report worker", "the audit trail", "the image cache", "the mail relay",
)  # fmt: skip
FORMS = (
    "We keep {thing} {number} on the second node because {other} {further} needs it within {value} seconds.",
    "I think {thing} {number} fails when {other} {further} restarts before {value} requests are through.",
    "Please move {thing} {number} behind {other} {further} and give it {value} MB of memory.",
    "Yes, that works for {thing} {number}, as long as {other} {further} stays under {value} errors a day.",
    "Should {thing} {number} wait for {other} {further}, or is a limit of {value} minutes enough?",
    "No, {thing} {number} must never write to {other} {further}, whatever its {value} tests say.",
)
CANCEL_AFTER_S = 1.0
CANCELLED_STAGES = ("fan_out", "parse", "register", "consensus", "frame_audit")


def sentences(seed: int) -> Iterator[str]:
    """Sentences without end: few subjects, many numbers, so that words come again and sentences hardly do."""
    draw = random.Random(seed)  # noqa: S311 - a benchmark that can be repeated
    while True:
        thing, other = draw.sample(THINGS, 2)
        yield draw.choice(FORMS).format(
            thing=thing,
            other=other,
            number=draw.randrange(40),
            further=draw.randrange(40),
            value=draw.randrange(2, 9000),
        )


def conversation_of(turns: int, chars: int, seed: int = 1) -> Conversation:
    """A conversation of so many turns of about so many characters."""
    said = sentences(seed)
    made: list[Turn] = []
    for number in range(1, turns + 1):
        content = next(said)
        while len(content) < chars:
            content = f"{content} {next(said)}"
        role, speaker = (Role.USER, "user") if number % 2 else (Role.ASSISTANT, "assistant")
        made.append(Turn(number=number, role=role, speaker=speaker, content=content[:chars], recorded_at=BEGAN))
    return Conversation(id=f"giant-{turns}", language=Language(code="en", confidence=1.0), turns=tuple(made))


def reply_about(conversation: Conversation, statements: int = 20) -> str:
    """So many statements from all over the conversation, in the form members answer in."""
    every = max(1, len(conversation.turns) // statements)
    lines = [
        f"- {turn.content.split('. ')[0].rstrip('.')}. [turn {turn.number}]" for turn in conversation.turns[::every]
    ]
    half = len(lines) // 2
    parts = ("KNOWN", *lines[:half], "", "DECIDED", *lines[half:], "", "EDGES", "none", "", "IDENTITY", "none", "")
    return "\n".join(parts)


class StageTimes(Silent):
    """Processor and wall time of each stage."""

    def __init__(self) -> None:
        self.spent: dict[str, tuple[float, float, float]] = {}
        self._began = (0.0, 0.0)

    def stage_started(self, job: str, stage: str) -> None:  # noqa: ARG002 - the port's shape
        """Remember when."""
        self._began = (time.process_time(), time.perf_counter())

    def stage_ended(self, job: str, stage: str, note: str) -> None:  # noqa: ARG002 - as above
        """Remember how long, and the peak of memory so far."""
        cpu, wall = self._began
        self.spent[stage] = (time.process_time() - cpu, time.perf_counter() - wall, peak_mb())


class CancelIn(StageTimes):
    """Cancels the job a second into one stage."""

    def __init__(self, services: Services, stage: str) -> None:
        super().__init__()
        self._services = services
        self._stage = stage
        self.cancelled_at: float | None = None

    def stage_started(self, job: str, stage: str) -> None:
        """Set the timer."""
        super().stage_started(job, stage)
        if stage == self._stage:
            threading.Timer(CANCEL_AFTER_S, self._cancel, (job,)).start()

    def _cancel(self, job: str) -> None:
        with self._services.unit_of_work() as work:
            if work.jobs.get(job).status not in ENDED:
                work.jobs.move(job, JobStatus.CANCELLED, self._services.clock.now())
            work.commit()
        self.cancelled_at = time.perf_counter()


def peak_mb() -> float:
    """The most memory this process has had (MB)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


def one(turns: int, chars: int, embedder: str, cancel: str | None) -> dict[str, object]:
    """Run one job in this process; what it cost."""
    conversation = conversation_of(turns, chars)
    reply = reply_about(conversation)
    cards = [MemberCard(name=n, family=n, kind=MemberKind.SCRIPTED, model="script") for n in ("ann", "ben", "cem")]
    members = tuple(ScriptedMember(card, [Say(reply)]) for card in cards)
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(db=f"sqlite:///{Path(folder) / 'giants.sqlite3'}", embedder=embedder)
        with open_services(settings) as opened:

            def fleet(_job: Job) -> tuple[ScriptedMember, ...]:
                return members

            services = replace(opened, fleet=fleet)
            watch = StageTimes() if cancel is None else CancelIn(services, cancel)
            cpu, wall = time.process_time(), time.perf_counter()
            request = Request(conversation=conversation, fleet="scripted", policy=Policy())
            job = submit(
                request,
                unit_of_work=services.unit_of_work,
                clock=services.clock,
                queue=NoBell(),
                stages=STAGE_NAMES,
            ).job
            submitted = time.process_time() - cpu
            ended, error = None, None
            try:
                ended = run_job(replace(services, progress=watch), job.id).status.value
            except Exception as found:  # noqa: BLE001 - told in the figures
                error = f"{type(found).__name__}: {found}"[:200]
            told: dict[str, object] = {
                "turns": turns,
                "chars": chars,
                "embedder": embedder,
                "ended": ended or error,
                "submit_cpu_s": round(submitted, 2),
                "cpu_s": round(time.process_time() - cpu, 1),
                "wall_s": round(time.perf_counter() - wall, 1),
                "peak_mb": round(peak_mb()),
                "stages": {name: [round(part, 2) for part in spent] for name, spent in watch.spent.items()},
            }
            if isinstance(watch, CancelIn):
                at = watch.cancelled_at
                told["cancel_s"] = None if at is None else round(time.perf_counter() - at, 2)
    return told


def main() -> None:
    """Run each size in a process of its own."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--turns", type=int, nargs="+", default=[1000, 2000, 5000, 20_000])
    parser.add_argument("--chars", type=int, default=256)
    parser.add_argument("--embedder", default="all-MiniLM-L6-v2")
    parser.add_argument("--cancel", nargs="?", const="every", default=None)
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.here:
        print(json.dumps(one(given.turns[0], given.chars, given.embedder, given.cancel)))
        return
    stages = CANCELLED_STAGES if given.cancel == "every" else (given.cancel,)
    for turns in given.turns:
        for stage in stages:
            words = [sys.executable, "-m", "benchmarks.giants", "--here", "--turns", str(turns)]
            words += ["--chars", str(given.chars), "--embedder", given.embedder]
            words += ["--cancel", stage] if stage else []
            found = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True)  # noqa: S603 - this file
            told = json.loads(found.stdout.splitlines()[-1])
            parts = told.pop("stages")
            print(json.dumps({"cancelled_in": stage, **told} if stage else told), flush=True)
            for name, (cpu, wall, peak) in parts.items() if not stage else ():
                print(f"    {name:<14} {cpu:8.2f} s processor {wall:8.2f} s wall {peak:7.0f} MB peak", flush=True)


if __name__ == "__main__":
    main()
