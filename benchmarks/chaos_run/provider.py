"""Slow and lying models over real HTTP, and a log of every request they got, to hold the tables against."""

import asyncio
import json
import os
import re
import threading
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from devtools.loopback import LoopbackProvider, _Playing
from devtools.loopback_dialects import Asked, Dialect
from devtools.loopback_http import Response
from devtools.loopback_spec import Fixed, LogNormal, LoopbackAct, LoopbackSpec, ModelScript, load_loopback_spec

MILLION = Decimal(1_000_000)
INPUT_USD, CACHED_USD, OUTPUT_USD = Decimal(1), Decimal("0.1"), Decimal(4)
CASE = re.compile(r"case number (\d+)")

ANSWER = """KNOWN
- The orders service runs on three servers. [turns 1]
- The nightly export takes 40 minutes. [turns 3]

DECIDED
- We use PostgreSQL for the orders database. [turns 2]
- The release goes out on March 15. [turns 4]

EDGES
- Who watches the nightly export on weekends is open. [turns 5]

IDENTITY
- You review every migration before it runs. [turns 6]
"""

GARBAGE = "Sure! As you said, everything is fine. {model} has nothing to add; ask me anything else."

FOUR = {
    "alpha": ModelScript(
        template=ANSWER, latency=Fixed(seconds=0.02), mix={LoopbackAct.ANSWER: 30, LoopbackAct.SERVER_ERROR: 1}
    ),
    "beta": ModelScript(
        template=ANSWER, latency=Fixed(seconds=0.05), mix={LoopbackAct.ANSWER: 30, LoopbackAct.RATE_LIMIT: 1}
    ),
    "gamma": ModelScript(
        template=ANSWER,
        latency=LogNormal(kind="lognormal", median_s=0.3, sigma=1.0, max_s=6),
        mix={
            LoopbackAct.ANSWER: 12,
            LoopbackAct.UNAVAILABLE: 2,
            LoopbackAct.CUT: 1,
            LoopbackAct.DROP: 1,
            LoopbackAct.RATE_LIMIT: 2,
        },
    ),
    "delta": ModelScript(
        template=GARBAGE,
        latency=Fixed(seconds=0.01),
        mix={
            LoopbackAct.ANSWER: 4,
            LoopbackAct.WRONG_JSON: 1,
            LoopbackAct.HTML: 1,
            LoopbackAct.REFUSAL: 2,
            LoopbackAct.LENGTH: 1,
            LoopbackAct.BAD_GATEWAY: 1,
        },
    ),
}
"""Two that mostly answer, a slow one whose line is bad, and one that never says anything of use."""

FLEET_VARIABLE = "CHAOS_FLEET"
"""Names a file with another fleet, such as `benchmarks/data/fleets/storm.toml`, in place of those four."""

FLEET = os.environ.get(FLEET_VARIABLE)
SPEC = load_loopback_spec(Path(FLEET)) if FLEET else LoopbackSpec(models=FOUR)
MODELS = SPEC.models


@dataclass(frozen=True, kw_only=True)
class Billed:
    """One request, as the provider counts it."""

    model: str
    case: int  # which conversation it was about
    arrived: datetime
    usd: Decimal | None  # of an answer in words; None when nothing was said that could be stored


class CountingProvider(LoopbackProvider):
    """Remembers each request."""

    def __init__(self, spec: LoopbackSpec) -> None:
        super().__init__(spec)
        self.billed: list[Billed] = []

    async def _play(self, dialect: Dialect, model: _Playing, asked: Asked) -> Response:
        arrived = datetime.now(UTC)
        found = CASE.search(asked.prompt)
        case = int(found.group(1)) if found else -1
        usd: Decimal | None = None
        try:
            response = await super()._play(dialect, model, asked)
            usd = price_of(response)
            return response
        finally:
            self.bodies.clear()  # ten thousand prompts are not needed
            self.billed.append(Billed(model=asked.model, case=case, arrived=arrived, usd=usd))


def price_of(response: Response) -> Decimal | None:
    """What a whole, readable answer costs at the roster's prices; None for everything else."""
    if response.status != 200 or response.cut or response.drip_s is not None:
        return None
    try:
        usage: dict[str, Any] = json.loads(response.body)["usage"]
    except (ValueError, KeyError, TypeError):
        return None
    cached = usage.get("prompt_tokens_details", {}).get("cached_tokens", 0)
    fresh = usage["prompt_tokens"] - cached
    return (fresh * INPUT_USD + cached * CACHED_USD + usage["completion_tokens"] * OUTPUT_USD) / MILLION


class ProviderThread:
    """The provider in a thread of its own. Use it in a `with` block."""

    def __init__(self, seed: int) -> None:
        self.provider = CountingProvider(SPEC.model_copy(update={"seed": seed}))
        self._ready: Future[None] = Future()
        self._loop = asyncio.new_event_loop()
        self._over: asyncio.Event = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="provider", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.result(10)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(10)

    def _run(self) -> None:
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    async def _serve(self) -> None:
        async with self.provider:
            self._ready.set_result(None)
            await self._over.wait()

    def roster(self) -> str:
        """The roster that asks these models."""
        price = f"price = {{ input_usd = {INPUT_USD}, cached_input_usd = {CACHED_USD}, output_usd = {OUTPUT_USD} }}"
        members = (
            f'[[member]]\nname = "{name}"\nmodel = "openai/{name}"\nfamily = "{SPEC.family_of(name)}"\n'
            f'api_base = "{self.provider.base_url}"\ntimeout_s = 8\nmax_attempts = 2\n{price}\n'
            for name in MODELS
        )
        return "\n".join(members)
