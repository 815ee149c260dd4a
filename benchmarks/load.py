"""Load: what a machine carries when models take two seconds and some of them much longer.

usage: python -m benchmarks.load [--quick] [--level 200] [--slower 30] [--json FILE]
       [--fleet benchmarks/data/fleets/steady.toml]

Real workers, relay, Redis and PostgreSQL on this machine; models are simulated over HTTP. Prints one JSON document:
jobs a minute; processor time a job, by program; time to quorum against the order statistic of the very latencies that
were drawn; whole-job time against its critical path; calls a second of one io process against bare `asyncio.gather`;
memory; the relay over ten thousand queued jobs; and the same fleet asked by a Celery chord and one call after the
other. On a quiet machine under ten minutes; --quick two.
"""

import argparse
import json
import logging
import os
import secrets
import statistics
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from benchmarks.chaos_run.clock import JumpingClock
from benchmarks.chaos_run.databases import Postgresql, database
from benchmarks.chaos_run.world import Group, World, conversation, free_port
from benchmarks.load_run.comparison import chord_s, chord_worker, gathered_s, sequential_s
from benchmarks.load_run.crowd import fan_outs_s, load_average, memory_mb, relay_under
from benchmarks.load_run.flight import fly
from benchmarks.load_run.processor import Meter
from benchmarks.load_run.provider import ProviderThread
from benchmarks.load_run.statements import statements_section
from devtools.loopback_spec import LoopbackSpec, load_loopback_spec
from dissolution.settings import Settings
from workers.bootstrap import ROSTER, open_store
from workers.concurrency.loop_thread import LoopThread
from workers.redis.server import RedisServer

STEADY = Path(__file__).parent / "data" / "fleets" / "steady.toml"
MANY = 100
"""With more jobs in flight than these two rounds are enough."""

REST_LIMIT_S = 120.0
"""How long what runs here may be busy with its own start before a flight (s)."""

ROUND_SPEED = 4.0
"""The rounds of the comparisons of one process run so much faster than the jobs, so that they fit into minutes."""


def main() -> int:
    """Run it and print what came of it."""
    given = arguments()
    logging.basicConfig(level=logging.ERROR, stream=sys.stderr)
    os.environ.update({"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_MODE": "PRODUCTION"})
    spec = load_loopback_spec(given.fleet)
    spec = spec.model_copy(update={"speed": spec.speed / given.slower})
    started = time.monotonic()
    report: dict[str, object] = {
        "fleet": given.fleet.name,
        "models": len(spec.models),
        "slower": given.slower,
        "quick": given.quick,
        "load_average_before": load_average(),
    }
    folder = Path(tempfile.mkdtemp(prefix="load-"))
    with machine(folder, spec, steps=max(given.in_flight)) as made:
        report["flights"] = flights(made, given)
        say(report)
        report["memory"] = {group.name: memory_mb(group.process.pid) for group in made.groups if group.process}
    say(report)
    report["statements_per_job"] = statements_section(folder, spec.model_copy(update={"speed": ROUND_SPEED}))
    say(report)
    if given.level is None:
        others(report, folder, spec, given)
    report["load_average_after"] = load_average()
    report["seconds"] = round(time.monotonic() - started)
    text = json.dumps(report, indent=2)
    print(text)
    if given.json:
        given.json.write_text(text + "\n", encoding="utf-8")
    return 0


def others(report: dict[str, object], folder: Path, spec: LoopbackSpec, given: argparse.Namespace) -> None:
    """What is measured beside jobs in flight."""
    report["relay"] = relay_section(folder, given)
    say(report)
    report["one_io_process"] = process_section(folder, spec, rounds=given.rounds)
    say(report)
    report["comparison"] = comparison_section(folder, spec, rounds=given.rounds)
    say(report)


def say(report: dict[str, object]) -> None:
    """The newest section on stderr: a run that is stopped has not measured in vain."""
    name, found = list(report.items())[-1]
    print(f"{name}: {json.dumps(found)}", file=sys.stderr, flush=True)


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer jobs, 16 in flight alone")
    parser.add_argument("--fleet", type=Path, default=STEADY, help="the simulated fleet (TOML)")
    parser.add_argument(
        "--jobs", type=int, help="jobs of each flight [default: 4 for each in flight, quick and 200 in flight 2]"
    )
    parser.add_argument("--in-flight", type=int, nargs="+", help="jobs in flight [default: 16 50 200, quick 16]")
    parser.add_argument("--level", type=int, help="so many jobs in flight alone, and nothing else")
    parser.add_argument("--slower", type=float, default=1.0, help="times the latencies of the fleet [default: 1]")
    parser.add_argument("--rounds", type=int, help="rounds of the comparisons [default: 12, quick 5]")
    parser.add_argument("--queued", type=int, default=10_000, help="jobs that wait while the relay looks")
    parser.add_argument("--json", type=Path, help="write the document there too")
    given = parser.parse_args()
    given.in_flight = [given.level] if given.level else given.in_flight or ([16] if given.quick else [16, 50, 200])
    given.rounds = given.rounds or (5 if given.quick else 12)
    return given


@contextmanager
def machine(folder: Path, spec: LoopbackSpec, *, steps: int) -> Generator[World]:
    """Workers, relay, Redis, database and models; all of them are gone after the block."""
    with ProviderThread(spec) as models, database("postgresql", folder) as place:
        redis = RedisServer(folder / "redis", free_port(), secrets.token_hex(8))
        redis.start()
        (folder / "fleet.toml").write_text(models.roster(), encoding="utf-8")
        environment = {
            **os.environ,
            "DISSOLVE_DB": place.url,
            "DISSOLVE_REDIS_URL": redis.url.get_secret_value(),
            "DISSOLVE_SETTINGS": str(folder / "none.toml"),
            "DISSOLVE_EMBEDDER": "hashing",
            "DISSOLVE_TENANT_JOBS": "1000",
            "DISSOLVE_TENANT_CALLS": "100000",
        }
        settings = Settings(db=place.url, redis_url=redis.url, embedder="hashing")
        made = World(
            folder,
            settings,
            place,
            redis,
            models,  # pyright: ignore[reportArgumentType] - another provider in the same place
            open_store(settings),
            JumpingClock(folder),  # which never jumps, and which nobody reads
            environment,
        )
        program = [sys.executable, "-m", "cli.main"]
        made.groups = [
            Group("worker-io", [*program, "worker", "--queue", "io", "--steps", str(steps)]),
            Group("worker-cpu", [*program, "worker", "--queue", "cpu", "--processes", "1"]),
            Group("relay", [*program, "relay"]),
        ]
        try:
            for group in made.groups:
                made.start(group)
            yield made
        finally:
            made.stop()
            redis.stop()


def flights(made: World, given: argparse.Namespace) -> list[dict[str, object]]:
    """Every number of jobs in flight, after a round that lets each process import what it needs."""
    fleet = f"{ROSTER}{made.folder / 'fleet.toml'}"
    provider = made.models.provider  # one of ours, see `machine`
    found: list[dict[str, object]] = []
    first = 0
    warm = max(given.in_flight)
    meter = meter_of(made)
    fly(made.store, made.settings, fleet, provider, cases=range(first, first + warm), in_flight=warm)  # pyright: ignore[reportArgumentType] - as above
    first += warm
    for in_flight in given.in_flight:
        count = given.jobs or in_flight * (2 if given.quick or in_flight > MANY else 4)
        cases = range(first, first + count)
        first += count
        rested = meter.rest(REST_LIMIT_S)
        before, used = load_average(), meter.used_s()
        flight = fly(made.store, made.settings, fleet, provider, cases=cases, in_flight=in_flight)  # pyright: ignore[reportArgumentType] - as above
        spent = {name: seconds / count for name, seconds in meter.since_s(used).items()}
        processor = {name: round(seconds, 3) for name, seconds in {**spent, "all": sum(spent.values())}.items()}
        about = {"load_average_before": before, "own_programs_rested": rested, "processor_s_per_job": processor}
        found.append({**flight.document(), **about})
    return found


def meter_of(made: World) -> Meter:
    """Measures the processor time of everything that runs for the jobs."""
    programs = {group.name: group.process.pid for group in made.groups if group.process}
    if made.redis.process is not None:
        programs["redis"] = made.redis.process.pid
    if isinstance(made.database, Postgresql):
        programs["postgresql"] = made.database.process
    models = cast("ProviderThread", made.models)  # one of ours, see `machine`
    return Meter(programs, {"models": models.thread})


def relay_section(folder: Path, given: argparse.Namespace) -> dict[str, object]:
    """The relay over few and many queued jobs, with no worker to take them."""
    with database("postgresql", folder) as place, RedisServer(folder / "redis-2", free_port()) as redis:
        settings = Settings(db=place.url, redis_url=redis.url, embedder="hashing", resend_s=3600)
        fleet = f"{ROSTER}{folder / 'fleet.toml'}"
        return relay_under(settings, open_store(settings), fleet, (given.queued // 4, given.queued))


def process_section(folder: Path, spec: LoopbackSpec, *, rounds: int) -> dict[str, object]:
    """Calls a second of one io process and of bare gather: the same models, seeds and rounds."""
    fast = spec.model_copy(update={"speed": ROUND_SPEED})
    found: dict[str, list[float]] = {"gather": [], "io_process": []}
    with LoopThread() as loop:
        settings = Settings(db=f"sqlite:///{folder / 'one.sqlite3'}", embedder="hashing")
        for turn in range(2):  # the first warms up: imports, connections
            count = rounds if turn else 1
            with ProviderThread(fast) as models:
                prompt = "\n".join(one.content for one in conversation(0).turns)
                found["gather"].append(gathered_s(loop, models, [prompt] * count))
            with ProviderThread(fast) as models:
                (file := folder / "one.toml").write_text(models.roster(), encoding="utf-8")
                cases = range(500_000 + 1000 * turn, 500_000 + 1000 * turn + count)
                found["io_process"].append(fan_outs_s(settings, f"{ROSTER}{file}", loop, cases, len(spec.models)))
    calls = rounds * len(spec.models)
    rates = {name: calls / seconds[-1] for name, seconds in found.items()}
    return {
        "speed": ROUND_SPEED,
        "calls": calls,
        "gather_calls_per_s": round(rates["gather"], 2),
        "io_process_calls_per_s": round(rates["io_process"], 2),
        "ratio": round(rates["io_process"] / rates["gather"], 3),
    }


def comparison_section(folder: Path, spec: LoopbackSpec, *, rounds: int) -> dict[str, object]:
    """The same fleet asked by a Celery chord, and one model after the other."""
    prompt = "\n".join(one.content for one in conversation(0).turns)
    few = max(3, rounds // 2)
    with RedisServer(folder / "redis-3", free_port()) as redis, LoopThread() as loop:
        url = redis.url.get_secret_value()
        with chord_worker(url, folder / "chord.log"), ProviderThread(spec) as models:
            chord_s(url, models, prompt)  # imports
            chords = [chord_s(url, models, prompt) for _ in range(few)]
        fast = spec.model_copy(update={"speed": ROUND_SPEED})
        with ProviderThread(fast) as models:
            one_by_one = [sequential_s(loop, models, prompt) * ROUND_SPEED for _ in range(2)]
    return {
        "chord_to_body_median_s": round(statistics.median(chords), 2),
        "chord_rounds": few,
        "sequential_median_s": round(statistics.median(one_by_one), 2),
    }


if __name__ == "__main__":
    sys.exit(main())
