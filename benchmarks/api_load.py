"""Load on the HTTP API over loopback: how fast reads and submissions are answered, with how many at a time.

usage: python benchmarks/api_load.py [--seconds 10] [--clients 16] [--turns 40] [--port 8713]

Starts the service on a database of its own in a temporary folder (SQLite, hashing embedder, keys as in a deployment),
stores a conversation and dissolves it, then asks each route from several connections at once. The load comes from the
same machine, so its share of the processor is in the times: `load` says how busy the machine was. The processor's time
is the service's alone, and says what a request costs however busy the machine is.
"""

import argparse
import asyncio
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import httpx

sys.path[0] = str(Path(__file__).parent.parent)  # a script's own folder hides rooms of the same name

from benchmarks.api_fuzz import Running, service

WORDS = ("Postgres", "Oslo", "Maria", "the nightly export", "the March release", "the billing service", "Redis")


class Figures(NamedTuple):
    """What one route came to."""

    route: str
    answered: int
    per_s: float
    p50_ms: float
    p99_ms: float
    processor_ms: float  # of the service, a request
    refused: int


def talk(turns: int) -> list[dict[str, str]]:
    """A conversation of so many turns."""
    said = (
        f"In step {n} we decided to use {WORDS[n % len(WORDS)]} and to review {WORDS[(n + 3) % len(WORDS)]}."
        for n in range(turns)
    )
    return [{"role": ("user", "assistant")[n % 2], "content": text} for n, text in enumerate(said)]


def processor_s(process: int) -> float:
    """What a process has used of the processor so far (s)."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def load(
    client: httpx.AsyncClient,
    route: str,
    ask: Callable[[int], httpx.Request],
    options: argparse.Namespace,
    process: int,
) -> Figures:
    """Ask again and again from several tasks, for some seconds."""
    times: list[float] = []
    refused = 0
    end = time.monotonic() + options.seconds
    used = processor_s(process)

    async def one(number: int) -> None:
        nonlocal refused
        count = 0
        while time.monotonic() < end:
            began = time.perf_counter()
            reply = await client.send(ask(number * 1_000_000 + count))
            times.append(time.perf_counter() - began)
            refused += reply.status_code >= 400
            count += 1

    began = time.monotonic()
    await asyncio.gather(*(one(number) for number in range(options.clients)))
    spent = time.monotonic() - began
    cuts = statistics.quantiles(times, n=100)
    cost = 1000 * (processor_s(process) - used) / len(times)
    median = 1000 * statistics.median(times)
    return Figures(route, len(times), len(times) / spent, median, 1000 * cuts[98], cost, refused)


async def measure(running: Running, options: argparse.Namespace) -> list[Figures]:
    """The figures of every route; jobs submitted after the first are stored and not run."""
    limits = httpx.Limits(max_connections=options.clients, max_keepalive_connections=options.clients)
    headers = {"authorization": f"Bearer {running.key}"}
    async with httpx.AsyncClient(base_url=running.url, headers=headers, limits=limits, timeout=60) as client:
        body = {"name": "talk", "turns": talk(options.turns)}
        (await client.post("/v1/conversations", json=body)).raise_for_status()
        job = (await client.post("/v1/dissolutions", json={"conversation": "talk"})).json()["id"]
        while (await client.get(f"/v1/dissolutions/{job}")).json()["ended_at"] is None:  # noqa: ASYNC110 - of another process
            await asyncio.sleep(0.2)
        running.stop.set()
        etag = (await client.get("/v1/conversations/talk/boundary")).headers["etag"]
        gets: dict[str, tuple[str, dict[str, str]]] = {
            "GET /ready": ("/ready", {}),
            "GET /v1/conversations/{c}": ("/v1/conversations/talk", {}),
            "GET …/boundary": ("/v1/conversations/talk/boundary", {}),
            "GET …/boundary, unchanged (304)": ("/v1/conversations/talk/boundary", {"if-none-match": etag}),
            "GET …/context?budget=2000": ("/v1/conversations/talk/context?budget=2000", {}),
            "GET …/recall?q=Oslo": ("/v1/conversations/talk/recall?q=Oslo", {}),
            "GET /v1/dissolutions/{d}": (f"/v1/dissolutions/{job}", {}),
        }
        found: list[Figures] = []
        for route, (path, more) in gets.items():

            def ask(_: int, path: str = path, more: dict[str, str] = more) -> httpx.Request:
                return client.build_request("GET", path, headers=more)

            found.append(await load(client, route, ask, options, running.process))

        def append(number: int) -> httpx.Request:
            return client.build_request(
                "POST", "/v1/conversations/talk/turns", json={"turns": [{"role": "user", "content": f"turn {number}"}]}
            )

        def submit(number: int) -> httpx.Request:
            return client.build_request(
                "POST",
                "/v1/dissolutions",
                json={"conversation": "talk", "through": options.turns, "lane": "batch"},
                headers={"idempotency-key": f"load-{number}"},
            )

        found.append(await load(client, "POST …/turns (one turn)", append, options, running.process))
        found.append(await load(client, "POST /v1/dissolutions", submit, options, running.process))
    return found


def main() -> int:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--turns", type=int, default=40)
    parser.add_argument("--port", type=int, default=8713)
    options = parser.parse_args()
    with service(options.port) as running:
        figures = asyncio.run(measure(running, options))
    print(f"{options.clients} connections, {options.seconds:g} s a route, load {os.getloadavg()[0]:.1f}")
    print("| route | answered | a second | median (ms) | p99 (ms) | processor of the service (ms) | refused |")
    print("|---|---|---|---|---|---|---|")
    for one in figures:
        times = f"{one.per_s:.0f} | {one.p50_ms:.1f} | {one.p99_ms:.1f} | {one.processor_ms:.1f}"
        print(f"| `{one.route}` | {one.answered} | {times} | {one.refused} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
