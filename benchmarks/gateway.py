"""What the gateway costs: calls a second through it and by bare `litellm.acompletion`, on a provider of this machine.

usage: python benchmarks/gateway.py [--calls 400] [--in-flight 100] [--runs 5] [--json FILE]

The loopback provider runs in a process of its own and answers at once with a recorded answer. Each run asks `--calls`
questions with `--in-flight` of them open at a time; runs of both arms alternate, and who goes first alternates too. The
bare arm gives the library what the gateway gives it: messages, key, address, timeout, `max_retries=0`, `max_tokens`.
"""

import argparse
import asyncio
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from dissolution.answers import PromptMessage, PromptStamp, RenderedPrompt
from fleet.litellm_gateway import LiteLLMChatModel, load_litellm
from fleet.roster import RosterMember

RECORDING = ROOT / "benchmarks" / "data" / "recordings" / "op-flask-sessions" / "writer-a.dissolve.json"
CONVERSATION = ROOT / "benchmarks" / "data" / "planted" / "op-flask-sessions.json"
MODEL, KEY, MAX_TOKENS, TIMEOUT_S, DEADLINE_S = "bench", "benchmark-key", 4000, 60.0, 120.0
GOAL = 0.85

Ask = Callable[[], Awaitable[str]]


@contextmanager
def a_provider() -> Generator[str]:
    """The address of a loopback provider in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        spec = Path(folder) / "provider.toml"
        spec.write_text(f'[models.{MODEL}]\nrecording = "{RECORDING}"\n', encoding="utf-8")
        process = subprocess.Popen(  # noqa: S603 - this project's own module
            [sys.executable, "-m", "fleet.loopback", str(spec), "--port", "0"],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            address = re.search(r"http://\S+", process.stdout.readline() if process.stdout else "")
            if address is None:
                raise SystemExit("the loopback provider did not start; run `python -m fleet.loopback` to see why")
            yield address[0]
        finally:
            process.terminate()
            process.communicate(timeout=30)


def a_prompt() -> RenderedPrompt:
    """A whole planted conversation as one user message."""
    turns = json.loads(CONVERSATION.read_text(encoding="utf-8"))["turns"]
    content = "\n\n".join(f"{turn['role']}: {turn['content']}" for turn in turns)
    return RenderedPrompt(
        stamp=PromptStamp(name="benchmark", version=1, digest="0" * 64),
        messages=(PromptMessage(role="user", content=content),),
    )


def bare(base: str, prompt: RenderedPrompt) -> Ask:
    """The library alone."""
    litellm = load_litellm()
    messages = [{"role": message.role, "content": message.content} for message in prompt.messages]

    async def ask() -> str:
        response = await litellm.acompletion(
            model=f"openai/{MODEL}",
            messages=messages,
            api_base=f"{base}/v1",
            api_key=KEY,
            timeout=TIMEOUT_S,
            max_retries=0,
            max_tokens=MAX_TOKENS,
        )
        return str(response.choices[0].message.content)

    return ask


def through_the_gateway(base: str, prompt: RenderedPrompt) -> tuple[LiteLLMChatModel, Ask]:
    """The gateway, and a call through it."""
    member = RosterMember(
        name="bench",
        model=f"openai/{MODEL}",
        family="bench",
        api_base=f"{base}/v1",
        api_key_env="KEY",
        timeout_s=TIMEOUT_S,
    )
    model = LiteLLMChatModel(member, environ={"KEY": KEY})

    async def ask() -> str:
        reply = await model.complete(prompt, max_output_tokens=MAX_TOKENS, deadline_s=DEADLINE_S)
        return reply.text

    return model, ask


async def calls_a_second(ask: Ask, calls: int, in_flight: int) -> float:
    """How many calls a second come back, with `in_flight` open at a time."""
    left = iter(range(calls))

    async def one_after_the_other() -> None:
        for _ in left:
            if not await ask():
                raise SystemExit("an empty answer: the provider is not what this benchmark expects")

    started = time.perf_counter()
    await asyncio.gather(*(one_after_the_other() for _ in range(in_flight)))
    return calls / (time.perf_counter() - started)


async def measured(base: str, calls: int, in_flight: int, runs: int) -> dict[str, list[float]]:
    """Calls a second of each run, by arm."""
    prompt = a_prompt()
    model, gateway = through_the_gateway(base, prompt)
    arms: dict[str, Ask] = {"bare": bare(base, prompt), "gateway": gateway}
    found: dict[str, list[float]] = {name: [] for name in arms}
    for ask in arms.values():  # imports, connections, caches
        await calls_a_second(ask, in_flight, in_flight)
    for run in range(runs):
        for name in list(arms) if run % 2 else list(reversed(arms)):
            found[name].append(await calls_a_second(arms[name], calls, in_flight))
    await model.aclose()
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=400, help="calls of one run")
    parser.add_argument("--in-flight", type=int, default=100, help="calls open at a time")
    parser.add_argument("--runs", type=int, default=5, help="runs of each arm")
    parser.add_argument("--json", type=Path, help="write every figure here")
    options = parser.parse_args()
    if min(options.calls, options.in_flight, options.runs) < 1:
        parser.error("--calls, --in-flight and --runs must be 1 or more")
    with a_provider() as base:
        found = asyncio.run(measured(base, options.calls, options.in_flight, options.runs))
    medians = {name: statistics.median(rates) for name, rates in found.items()}
    ratio = medians["gateway"] / medians["bare"]
    print(f"{options.runs} runs of {options.calls} calls, {options.in_flight} in flight; calls a second")
    for name, rates in found.items():
        print(f"{name:8} median {medians[name]:6.1f}   " + " ".join(f"{rate:.1f}" for rate in rates))
    print(f"ratio of medians {ratio:.3f} (goal {GOAL} or more)")
    if options.json:
        options.json.write_text(json.dumps({"runs": found, "medians": medians, "ratio": ratio}, indent=1), "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
