"""The loopback provider itself, asked by a plain socket: shapes, quotas, caches, counts, and bad callers."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from devtools.loopback import LoopbackProvider, main, tokens_of
from devtools.loopback_spec import (
    Fixed,
    LogNormal,
    LoopbackAct,
    LoopbackSpec,
    LoopbackStep,
    ModelScript,
    Outage,
    Price,
    Quota,
)
from dissolution.errors import InvalidRoster
from tests.integration.fleet.parts import a_provider, a_script

RECORDING = Path(__file__).parents[3] / "benchmarks/data/recordings/op-flask-sessions/writer-a.dissolve.json"


async def send(provider: LoopbackProvider, data: bytes) -> bytes:
    """Everything that comes back on one connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(provider.base_url.rpartition(":")[2]))
    writer.write(data)
    writer.write_eof()
    received = await reader.read()
    writer.close()
    await writer.wait_closed()
    return received


async def call(
    provider: LoopbackProvider, body: object, path: str = "/v1/chat/completions", headers: str = ""
) -> tuple[int, Mapping[str, str], Any]:
    """Status, headers and body (JSON where it is JSON) of one call."""
    content = json.dumps(body).encode() if not isinstance(body, bytes) else body
    head = f"POST {path} HTTP/1.1\r\ncontent-length: {len(content)}\r\n{headers}\r\n"
    top, _, rest = (await send(provider, head.encode() + content)).partition(b"\r\n\r\n")
    lines = top.decode().split("\r\n")
    fields = dict(line.split(": ", 1) for line in lines[1:])
    try:
        return int(lines[0].split()[1]), fields, json.loads(rest)
    except ValueError:
        return int(lines[0].split()[1]), fields, rest


def question(model: str = "m", text: str = "hello") -> dict[str, object]:
    return {"model": model, "messages": [{"role": "user", "content": text}]}


def test_both_dialects_answer_from_the_template() -> None:
    async def run() -> None:
        async with a_provider({"m": ModelScript(template="{model} {request} {turns} {other}")}) as provider:
            _, _, openai = await call(provider, question(text="a\nb"))
            assert openai["choices"][0]["message"]["content"] == "m 1 2 {other}"
            blocks = {"model": "m", "system": [{"type": "text", "text": "s"}], "messages": question()["messages"]}
            _, _, anthropic = await call(provider, blocks, "/v1/messages")
            assert anthropic["content"] == [{"type": "text", "text": "m 2 2 {other}"}]
            assert anthropic["usage"]["input_tokens"] == tokens_of("s\nhello")

    asyncio.run(run())


def test_a_recording_is_replayed() -> None:
    async def run() -> None:
        async with a_provider({"m": ModelScript(recording=RECORDING)}) as provider:
            _, _, body = await call(provider, question())
            assert body["choices"][0]["message"]["content"] == json.loads(RECORDING.read_text())["answer"]

    asyncio.run(run())


@pytest.mark.parametrize(
    ("content", "message"), [("{}", "no text in field 'answer'"), ("[1]", "no text"), ("x", "cannot")]
)
def test_a_recording_without_an_answer_is_refused(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "r.json").write_text(content, encoding="utf-8")
    with pytest.raises(InvalidRoster, match=message):
        a_provider({"m": ModelScript(recording=tmp_path / "r.json")})


def test_quotas_refuse_and_say_when_the_window_ends() -> None:
    async def run() -> None:
        quota = Quota(requests=2, window_s=30)
        async with a_provider({"m": ModelScript(quota=quota)}) as provider:
            replies = [await call(provider, question()) for _ in range(3)]
            assert [status for status, _, _ in replies] == [200, 200, 429]
            assert 1 <= int(replies[2][1]["retry-after"]) <= 30
        async with a_provider({"m": ModelScript(quota=Quota(requests=1, window_s=0.01))}) as provider:
            first, _, _ = await call(provider, question())
            await asyncio.sleep(0.02)
            second, _, _ = await call(provider, question())
            assert (first, second) == (200, 200)

    asyncio.run(run())


def test_prompts_beyond_the_window_are_refused_in_words_clients_know() -> None:
    async def run() -> None:
        async with a_provider({"m": ModelScript(window_tokens=10)}) as provider:
            status, _, body = await call(provider, question(text="x" * 100))
            assert (status, body["error"]["code"]) == (400, "context_length_exceeded")
            assert "maximum context length is 10 tokens" in body["error"]["message"]
            assert "resulted in 25 tokens" in body["error"]["message"]

    asyncio.run(run())


def test_the_counts_add_up_with_cache_and_money() -> None:
    async def run() -> None:
        price = Price(input_usd=Decimal(1), cached_input_usd=Decimal("0.5"), output_usd=Decimal(2))
        script = ModelScript(template="x" * 40, price=price, steps=(LoopbackStep(act=LoopbackAct.SERVER_ERROR),))
        async with a_provider({"m": script, "plain": ModelScript(cache_prompts=False)}) as provider:
            for _ in range(3):
                await call(provider, question(text="y" * 1024))
            served = provider.served["m"]
            assert (served.requests, served.answered) == (3, 2)
            assert served.by_act == {LoopbackAct.SERVER_ERROR: 1, LoopbackAct.ANSWER: 2}
            assert (served.input_tokens, served.cached_input_tokens, served.output_tokens) == (512, 256, 20)
            # 256 fresh * 1 + 256 cached * 0.5 + 20 * 2 = 424 millionths of a dollar
            assert served.usd == Decimal("0.000424")
            _, _, stats = await call(provider, b"", "/stats")
            assert stats["m"]["input_tokens"] == 512
            for _ in range(2):
                await call(provider, question("plain", "y" * 1024))
            assert provider.served["plain"].cached_input_tokens == 0

    asyncio.run(run())


def test_one_seed_gives_one_course_of_events() -> None:
    async def course(seed: int) -> list[int]:
        script = ModelScript(
            mix={LoopbackAct.ANSWER: 1.0, LoopbackAct.SERVER_ERROR: 1.0},
            latency=LogNormal(kind="lognormal", median_s=1e-4),
        )
        async with a_provider({"m": script}, seed=seed) as provider:
            return [(await call(provider, question()))[0] for _ in range(12)]

    async def run() -> None:
        first, again, other = await course(1), await course(1), await course(2)
        assert first == again
        assert first != other
        assert set(first) == {200, 500}

    asyncio.run(run())


def test_bad_callers_get_an_error_and_the_server_lives() -> None:
    async def run() -> None:
        async with a_provider({"m": ModelScript()}, key="right") as provider:
            assert (await call(provider, b"not json"))[0] == 400
            assert (await call(provider, [1]))[0] == 400
            assert (await call(provider, question("other")))[0] == 404
            assert (await call(provider, question(), "/nowhere"))[0] == 404
            assert b"404" in await send(provider, b"GET /v1/chat/completions HTTP/1.1\r\n\r\n")
            assert b"400" in await send(provider, b"rubbish\r\n\r\n")
            assert await send(provider, b"") == b""
            wrong = await call(provider, question(), headers="authorization: Bearer wrong\r\n")
            assert (wrong[0], "wrong" in wrong[2]["error"]["message"]) == (401, True)
            odd = {"model": "m", "messages": [1, {"role": "user", "content": [3, {"text": "x"}]}, {"content": None}]}
            assert (await call(provider, odd, headers="authorization: Bearer right\r\n"))[0] == 200
            assert (await call(provider, {"model": "m"}, "/v1/messages", "x-api-key: right\r\n"))[0] == 200

    asyncio.run(run())


def test_a_dripping_body_comes_whole_to_those_who_wait() -> None:
    async def run() -> None:
        script = ModelScript(steps=(LoopbackStep(act=LoopbackAct.DRIP, drip_s=0.0),), template="x")
        async with a_provider({"m": script}) as provider:
            status, _, body = await call(provider, question())
            assert (status, body["choices"][0]["message"]["content"]) == (200, "x")

    asyncio.run(run())


def test_one_connection_serves_many_requests_and_leaving_early_is_no_harm() -> None:
    async def run() -> None:
        async with a_provider({"m": ModelScript(latency=Fixed(seconds=0.05))}) as provider:
            content = json.dumps(question()).encode()
            one = f"POST /chat/completions HTTP/1.1\r\ncontent-length: {len(content)}\r\n\r\n".encode() + content
            assert (await send(provider, one * 3)).count(b"HTTP/1.1 200 OK") == 3
            _, writer = await asyncio.open_connection("127.0.0.1", int(provider.base_url.rpartition(":")[2]))
            writer.write(one)
            await writer.drain()
            writer.transport.abort()
            assert (await call(provider, question()))[0] == 200

    asyncio.run(run())


def test_leaving_while_a_call_hangs_ends_it() -> None:
    async def run() -> None:
        async with a_provider({"m": a_script(LoopbackAct.HANG)}) as provider:
            waiting = asyncio.create_task(call(provider, question()))
            await provider.received.wait()
        with pytest.raises((IndexError, ValueError, ConnectionError)):  # the connection closed without a reply
            await waiting

    asyncio.run(run())


def test_it_needs_to_be_entered_to_serve() -> None:
    asyncio.run(LoopbackProvider(LoopbackSpec(models={"m": ModelScript()})).serve_forever())


def test_it_runs_alone(tmp_path: Path) -> None:
    spec = tmp_path / "spec.toml"
    spec.write_text("[models.m]\n", encoding="utf-8")
    command = [sys.executable, "-m", "fleet.loopback", str(spec), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        process.terminate()
    assert line.startswith("loopback provider at http://127.0.0.1:")
    assert line.rstrip().endswith("plays m")


def test_its_command_line_ends_cleanly_when_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = tmp_path / "spec.toml"
    spec.write_text("[models.m]\n", encoding="utf-8")

    async def interrupted(self: LoopbackProvider) -> None:
        assert self.base_url.startswith("http://127.0.0.1:")
        raise KeyboardInterrupt

    monkeypatch.setattr(LoopbackProvider, "serve_forever", interrupted)
    main([str(spec), "--port", "0"])


def test_a_family_fails_as_one_and_time_runs_as_fast_as_it_is_told() -> None:
    models = {
        "a1": ModelScript(family="a", latency=Fixed(seconds=10)),
        "a2": ModelScript(family="a"),
        "b": ModelScript(),
    }
    outages = (Outage(families=("a",), until_s=2000, act=LoopbackAct.OVERLOADED),)

    async def run() -> None:
        loop = asyncio.get_running_loop()
        async with a_provider(models, outages=outages, speed=1000.0) as provider:
            started = loop.time()
            assert [(await call(provider, question(name)))[0] for name in models] == [529, 529, 200]
            assert loop.time() - started < 5, "ten seconds at a thousandfold"
            while (await call(provider, question("a2")))[0] != 200:
                assert loop.time() - started < 30
            assert loop.time() - started >= 1.9, "the outage lasts 2000 s at a thousandfold"
            assert provider.served["a1"].by_act == {LoopbackAct.OVERLOADED: 1}

    asyncio.run(run())


def test_a_share_of_the_requests_is_struck() -> None:
    outages = (Outage(until_s=3600, share=0.5),)

    async def run() -> None:
        async with a_provider({"m": ModelScript()}, outages=outages) as provider:
            codes = [(await call(provider, question()))[0] for _ in range(60)]
            assert 15 <= codes.count(503) <= 45
            assert codes.count(200) == 60 - codes.count(503)

    asyncio.run(run())
