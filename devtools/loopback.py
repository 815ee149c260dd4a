"""A provider on this machine: OpenAI chat and completions, Anthropic messages; over real HTTP, scripted, with no model.

Drills, load and chaos runs and tests drive the whole path through it. It keeps count of what it served. Run it alone
with `python -m fleet.loopback SPEC.toml --port 8080`; `GET /stats` tells its counts.
"""

import argparse
import asyncio
import hashlib
import json
import math
import random
from collections.abc import Mapping
from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from types import TracebackType
from typing import Self, cast

from devtools.loopback_dialects import ANSWERED, DIALECTS, ILL_MADE, Asked, Counted, Dialect, ill_made
from devtools.loopback_http import (
    MAX_HEADER_BYTES,
    BadRequest,
    Request,
    Response,
    json_response,
    read_request,
    write_response,
)
from devtools.loopback_roster import roster_text
from devtools.loopback_spec import (
    LoopbackAct,
    LoopbackSpec,
    LoopbackStep,
    ModelScript,
    load_loopback_spec,
    recorded_answer,
)
from dissolution.values import Frozen

CHARS_PER_TOKEN = 4
"""Every provider counts its own way; four code points a token is the usual rule of thumb for English."""

CACHE_BLOCK_CHARS = 512
"""Prompt beginnings are remembered in blocks of this size (128 tokens, as OpenAI documents for its increments)."""

MILLION = Decimal(1_000_000)


class Served(Frozen):
    """What one model served so far."""

    requests: int = 0
    answered: int = 0
    by_act: Mapping[LoopbackAct, int] = {}
    input_tokens: int = 0
    cached_input_tokens: int = 0
    output_tokens: int = 0
    usd: Decimal = Decimal(0)
    most_in_flight: int = 0


class _Playing:
    """One model with its state: place in the script, random numbers, quota window, remembered prompts, counts."""

    def __init__(self, name: str, script: ModelScript, spec: LoopbackSpec) -> None:
        self.script = script
        self.started = 0.0  # on the loop's clock, set when the provider starts
        self._speed = spec.speed
        self._outages = [(one, spec.family_of(name)) for one in spec.outages]
        self._name = name
        self.served = Served()
        self.in_flight = 0
        self.rng = random.Random(f"{spec.seed}/{name}")  # noqa: S311 - a reproducible simulation, no secret
        self._queue = [step for step in script.steps for _ in range(step.times)]
        self._window_ends = -math.inf
        self._in_window = 0
        self._blocks: set[str] = set()
        self._answer = recorded_answer(script.recording) if script.recording else None

    def next_step(self, asked: Asked, now: float) -> LoopbackStep:
        """What happens to this request; `now` in seconds of the loop's clock."""
        quota = self.script.quota
        if quota is not None:
            if now >= self._window_ends:
                self._window_ends, self._in_window = now + quota.window_s / self._speed, 0
            self._in_window += 1
            if self._in_window > quota.requests:
                return LoopbackStep(
                    act=LoopbackAct.RATE_LIMIT, retry_after=str(max(1, math.ceil(self._window_ends - now)))
                )
        if self.script.window_tokens is not None and tokens_of(asked.prompt) > self.script.window_tokens:
            return LoopbackStep(act=LoopbackAct.CONTEXT)
        since_s = (now - self.started) * self._speed
        for outage, family in self._outages:
            if outage.strikes(self._name, family, since_s) and self.rng.random() < outage.share:
                return LoopbackStep(act=outage.act)
        if self._queue:
            return self._queue.pop(0)
        if self.script.mix:
            return LoopbackStep(act=self.rng.choices(list(self.script.mix), list(self.script.mix.values()))[0])
        return LoopbackStep(act=LoopbackAct.ANSWER)

    def latency_s(self) -> float:
        """How long this request takes (s of real time)."""
        return self.script.latency.draw(self.rng) / self._speed

    def text(self, asked: Asked, act: LoopbackAct) -> str:
        """The words of an answer; half of them when it is cut off at a limit."""
        text = self._answer
        if text is None:
            slots = {"model": asked.model, "request": self.served.requests, "turns": asked.prompt.count("\n") + 1}
            text = self.script.template
            for name, value in slots.items():
                text = text.replace(f"{{{name}}}", str(value))
        return text[: len(text) // 2] if act is LoopbackAct.LENGTH else text

    def cached_tokens(self, prompt: str) -> int:
        """Tokens of the prompt's beginning that an earlier prompt had too; remembers this one."""
        if not self.script.cache_prompts:
            return 0
        digest, cached, unbroken = hashlib.sha256(), 0, True
        for start in range(0, len(prompt) - CACHE_BLOCK_CHARS + 1, CACHE_BLOCK_CHARS):
            digest.update(prompt[start : start + CACHE_BLOCK_CHARS].encode())
            known = digest.hexdigest()
            unbroken = unbroken and known in self._blocks
            cached += CACHE_BLOCK_CHARS // CHARS_PER_TOKEN if unbroken else 0
            self._blocks.add(known)
        return cached

    def whole_blocks(self, prompt: str) -> int:
        """Tokens of the prompt that can be cached: whole blocks of it, where prompts are cached."""
        return (
            len(prompt) // CACHE_BLOCK_CHARS * CACHE_BLOCK_CHARS // CHARS_PER_TOKEN if self.script.cache_prompts else 0
        )

    def count(self, act: LoopbackAct, tokens: Counted | None) -> None:
        """Add one request to the counts; `tokens` when it was billed."""
        before, price = self.served, self.script.price
        spent = tokens or Counted(0, 0, 0)
        usd = (
            (spent.prompt - spent.cached) * price.input_usd
            + spent.cached * price.cached_input_usd
            + spent.output * price.output_usd
        ) / MILLION
        self.served = before.model_copy(
            update={
                "answered": before.answered + (act is LoopbackAct.ANSWER),
                "by_act": {**before.by_act, act: before.by_act.get(act, 0) + 1},
                "input_tokens": before.input_tokens + spent.prompt,
                "cached_input_tokens": before.cached_input_tokens + spent.cached,
                "output_tokens": before.output_tokens + spent.output,
                "usd": before.usd + usd,
            }
        )

    def enter(self) -> None:
        """One more request in flight."""
        self.in_flight += 1
        most = max(self.served.most_in_flight, self.in_flight)
        self.served = self.served.model_copy(update={"requests": self.served.requests + 1, "most_in_flight": most})


def tokens_of(text: str) -> int:
    """Tokens as this provider counts them: code points by four, rounded up."""
    return -(-len(text) // CHARS_PER_TOKEN)


class LoopbackProvider:
    """The server. Use it in `async with`; `base_url` is known inside.

    Args:
        spec: What it plays.
        host: Address to listen on.
        port: TCP port, 0 for any free one.
    """

    def __init__(self, spec: LoopbackSpec, *, host: str = "127.0.0.1", port: int = 0) -> None:
        self._spec = spec
        self._host = host
        self._port = port
        self._models = {name: _Playing(name, script, spec) for name, script in spec.models.items()}
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()
        self.bodies: list[Mapping[str, object]] = []  # request bodies in order of arrival
        self.received = asyncio.Event()  # set once a request for a model has arrived

    @property
    def base_url(self) -> str:
        """Where it listens, without a path: `http://127.0.0.1:PORT`."""
        return f"http://{self._host}:{self._port}"

    @property
    def served(self) -> Mapping[str, Served]:
        """What each model served so far."""
        return {name: model.served for name, model in self._models.items()}

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, self._host, self._port, limit=MAX_HEADER_BYTES)
        self._port = self._server.sockets[0].getsockname()[1]
        now = asyncio.get_running_loop().time()
        for model in self._models.values():
            model.started = now
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        if self._server is not None:  # entered
            self._server.close()
        for task in tuple(self._connections):
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def serve_forever(self) -> None:
        """Serve until cancelled."""
        if self._server is not None:
            await self._server.serve_forever()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(self._converse(reader, writer))
        self._connections.add(task)
        task.add_done_callback(self._connections.discard)
        with suppress(asyncio.CancelledError, ConnectionError):
            await task

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            go_on = True
            while go_on:
                try:
                    request = await read_request(reader)
                except BadRequest as error:
                    await write_response(writer, json_response(400, {"error": {"message": str(error)}}))
                    return
                if request is None:
                    return
                go_on = await write_response(writer, await self._respond(request))
        finally:
            writer.close()
            with suppress(ConnectionError, asyncio.CancelledError):
                await writer.wait_closed()

    async def _respond(self, request: Request) -> Response:
        if request.path == "/stats":
            return json_response(200, {name: s.model_dump(mode="json") for name, s in self.served.items()})
        dialect = next((d for ending, d in DIALECTS.items() if request.path.endswith(ending)), None)
        if dialect is None or request.method != "POST":
            return json_response(404, {"error": {"message": f"no {request.method} {request.path}"}})
        try:
            content: object = json.loads(request.body)
        except ValueError:
            content = None
        if not isinstance(content, dict):
            return json_response(400, {"error": {"message": "the body is no JSON object"}})
        body = cast("dict[str, object]", content)
        self.bodies.append(body)
        self.received.set()
        asked = dialect.asked(request, body)
        model = self._models.get(asked.model)
        if model is None or (self._spec.key is not None and asked.key != self._spec.key):
            status, error = dialect.error(asked, LoopbackAct.NOT_FOUND if model is None else LoopbackAct.AUTH, 0, 0)
            return json_response(status, error)
        model.enter()
        try:
            return await self._play(dialect, model, asked)
        finally:
            model.in_flight -= 1

    async def _play(self, dialect: Dialect, model: _Playing, asked: Asked) -> Response:
        step = model.next_step(asked, asyncio.get_running_loop().time())
        await asyncio.sleep(model.latency_s())
        if step.act is LoopbackAct.HANG:
            model.count(step.act, None)
            await asyncio.get_running_loop().create_future()
        prompt = tokens_of(asked.prompt)
        if step.act not in ANSWERED | ILL_MADE:
            status, error = dialect.error(asked, step.act, prompt, model.script.window_tokens or prompt)
            model.count(step.act, None)
            headers = {} if step.retry_after is None else {"retry-after": step.retry_after}
            return json_response(status, error, headers)
        text = model.text(asked, step.act)
        part = asked.prompt[: asked.cacheable]
        cached = model.cached_tokens(part)
        written = 0 if asked.cacheable is None else model.whole_blocks(part) - cached
        tokens = Counted(prompt, cached, tokens_of(text), written)
        good = dialect.answer(asked, step.act, text, tokens, model.served.requests)
        model.count(step.act, tokens)
        return json_response(200, good) if step.act in ANSWERED else ill_made(step.act, good, step.drip_s)


async def run(spec: LoopbackSpec, host: str, port: int, roster: Path | None = None) -> None:
    """Serve until cancelled, saying where; the roster that asks it is written first, if it is wanted."""
    async with LoopbackProvider(spec, host=host, port=port) as provider:
        if roster is not None:
            await asyncio.to_thread(roster.write_text, roster_text(spec, provider.base_url), encoding="utf-8")
        print(f"loopback provider at {provider.base_url} plays {', '.join(spec.models)}", flush=True)  # noqa: T201 - the command's output
        await provider.serve_forever()


def main(arguments: list[str] | None = None) -> None:
    """The command line: SPEC, --host, --port."""
    parser = argparse.ArgumentParser(prog="python -m fleet.loopback", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("spec", type=Path, help="TOML file, see docs/fleet.md")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--speed", type=float, help="how fast its time runs, in place of the file's")
    parser.add_argument("--roster", type=Path, help="write the roster that asks these models there")
    given = parser.parse_args(arguments)
    with suppress(KeyboardInterrupt):
        asyncio.run(run(load_loopback_spec(given.spec, speed=given.speed), given.host, given.port, given.roster))


if __name__ == "__main__":
    main()
