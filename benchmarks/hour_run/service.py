"""The hour's part with a service: `dissolve up`, health, a dissolution over HTTP, down; and an agent's handshake."""

import asyncio
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import httpx
from mcp import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client

from benchmarks.chaos_run.world import free_port
from benchmarks.hour_run.stranger import ROOT, Came, Outcome, Step, Stranger, tried

READY_S = 180.0
"""How long `dissolve up` may take to answer, and a dissolution over HTTP to end (s)."""
LOOK_S = 0.2
STOP_S = 90.0
TALK = ROOT / "examples" / "launch.json"
ENDED = frozenset({"committed", "history_kept", "failed", "cancelled", "discarded"})


def service_steps(stranger: Stranger) -> list[Outcome]:
    """Start everything, look at it, use it over HTTP, stop it."""
    key = stranger.types(("keys", "create", "hour"))[0].stdout
    secret = next((word for word in key.split() if word.startswith("dsk_")), "")
    ports = {name: free_port() for name in ("redis", "api", "flower", "metrics")}
    stranger.settings |= {
        "DISSOLVE_UP_PORT": str(ports["redis"]),
        "DISSOLVE_FLOWER_PORT": str(ports["flower"]),
        "DISSOLVE_METRICS_PORT": str(ports["metrics"]),
    }
    log = stranger.home / "up.log"
    words = ("up", "--api-port", str(ports["api"]))
    with log.open("w", encoding="utf-8") as said:
        process = subprocess.Popen(  # noqa: S603 - this project's own command
            [sys.executable, "-m", "cli.main", *words],
            cwd=ROOT,
            env=stranger.environment(),
            stdout=said,
            stderr=said,
        )
    try:
        outcomes = [tried("start it all", "dissolve " + " ".join(words), lambda: ready(ports["api"], process, log))]
        if outcomes[0].came is Came.WELL:
            outcomes += [
                once_started(stranger, Step("health while it runs", ("health",))),
                stranger.takes(Step("doctor while it runs", ("doctor",))),
                tried("dissolve over HTTP", "POST /v1/dissolutions", lambda: over_http(ports["api"], secret)),
                stranger.takes(Step("status", ("status",))),
            ]
    finally:
        outcomes_of_stop = tried("stop it all", "Ctrl-C", lambda: stopped(process))
    return [*outcomes, outcomes_of_stop]


def once_started(stranger: Stranger, step: Step) -> Outcome:
    """What came of a step when it went well, or at last: the service answers before the slowest worker has started."""
    outcomes: list[Outcome] = []

    def look() -> bool:
        outcomes.append(stranger.takes(step))
        return outcomes[-1].came is Came.WELL

    with suppress(RuntimeError):
        waited_for(look, "no health")
    return outcomes[-1]


def ready(port: int, process: "subprocess.Popen[bytes]", log: Path) -> str:
    """What was printed until the service answers. Raises RuntimeError when it ends, or does not within `READY_S`."""

    def answers() -> bool:
        if process.poll() is not None:
            raise RuntimeError(f"it ended with {process.returncode}: {log.read_text(encoding='utf-8')[-300:]}")
        try:
            return httpx.get(f"http://127.0.0.1:{port}/health", timeout=5).is_success
        except httpx.TransportError:
            return False

    waited_for(answers, "the service did not answer")
    return log.read_text(encoding="utf-8")


def over_http(port: int, secret: str) -> str:
    """From messages to a context, as a program would; the context's JSON. Raises for any answer but a good one."""
    headers = {"Authorization": f"Bearer {secret}"}
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", headers=headers, timeout=60) as client:
        messages = json.loads(TALK.read_text(encoding="utf-8"))
        client.post("/v1/conversations", json={"name": "hour", "messages": messages}).raise_for_status()
        job = client.post("/v1/dissolutions", json={"conversation": "hour"}).raise_for_status().json()["id"]
        waited_for(
            lambda: client.get(f"/v1/dissolutions/{job}").raise_for_status().json()["status"] in ENDED,
            "the dissolution did not end",
        )
        context = client.get("/v1/conversations/hour/context", params={"budget": 1500}).raise_for_status()
    return json.dumps(context.json(), indent=1)


def stopped(process: "subprocess.Popen[bytes]") -> str:
    """Stop it as Ctrl-C does. Raises RuntimeError when it does not end well, or not within `STOP_S`."""
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise
    if process.returncode not in {0, 130}:
        raise RuntimeError(f"it ended with {process.returncode}")
    return f"ended with {process.returncode}"


def waited_for(look: Callable[[], bool], what: str) -> None:
    """Look until it is so. Raises RuntimeError with `what` after `READY_S`."""
    deadline = time.monotonic() + READY_S
    while not look():
        if time.monotonic() > deadline:
            raise RuntimeError(f"{what} within {READY_S:g} s")
        time.sleep(LOOK_S)


def handshake(stranger: Stranger) -> Outcome:
    """Start `dissolve mcp` as an agent's host does, and list its tools."""

    async def tools() -> str:
        environment = {**stranger.environment(), "DISSOLVE_LOG_LEVEL": "ERROR"}
        server = StdioServerParameters(command=sys.executable, args=["-m", "cli.main", "mcp"], env=environment)
        with (stranger.home / "mcp.log").open("w", encoding="utf-8") as log:
            async with stdio_client(server, errlog=log) as (read, write), ClientSession(read, write) as session:
                await session.initialize()
                return "\n".join(tool.name for tool in (await session.list_tools()).tools)

    return tried("an agent's handshake", "dissolve mcp", lambda: asyncio.run(tools()))
