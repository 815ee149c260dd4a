"""The tools as agents meet them: real processes, asked by the protocol's own client, over stdio and over HTTP."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import httpx2
import pytest
from mcp import Client, ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp.types import CallToolResult, TextContent, Tool

from dissolution.clock import SystemClock
from dissolution.service import KeyScope
from store.sql.unit_of_work import sql_unit_of_work_factory
from tests.acceptance.test_api import answers
from tests.databases import migrated
from tests.environments import unmeasured
from tests.polling import LONGEST_S, eventually
from tests.ports import free_port
from workers.tenants.api_keys import new_key

PROGRAM = [sys.executable, "-m", "cli.main", "mcp"]
NAMES = ["dissolve", "import", "status", "context", "recall", "frame"]
PASSWORD = "hunter2horse99"
MESSAGES = [
    {"role": "user", "content": "We use Postgres. The deadline is March 15. We decided to launch in Oslo."},
    {"role": "assistant", "content": "Understood: we use Postgres, the deadline is March 15, and we launch in Oslo."},
    {"role": "user", "content": f"Never deploy on Fridays. password={PASSWORD}"},
    {"role": "assistant", "content": "I will never deploy on Fridays."},
]
MORE = [{"role": "user", "content": "We decided to hire Mira in May."}]


def settings_of(folder: Path) -> dict[str, str]:
    return {
        "HOME": str(folder),
        "DISSOLVE_DB": f"sqlite:///{folder / 'ledger.sqlite3'}",
        "DISSOLVE_EMBEDDER": "hashing",
        "DISSOLVE_LOG_LEVEL": "DEBUG",
    }


def words_of(result: CallToolResult) -> str:
    return " ".join(part.text for part in result.content if isinstance(part, TextContent))


async def use(session: ClientSession | Client, tool: str, **arguments: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    result = await session.call_tool(tool, arguments)
    assert not result.is_error, words_of(result)
    assert json.loads(words_of(result)) == result.structured_content  # for hosts that read text alone
    return result.structured_content


async def refused(session: ClientSession | Client, tool: str, **arguments: Any) -> str:  # noqa: ANN401 - JSON
    result = await session.call_tool(tool, arguments)
    assert result.is_error, words_of(result)
    assert result.structured_content is None
    return words_of(result)


@dataclass
class Seen:
    """What one agent saw of one server over stdio."""

    tools: list[Tool] = field(default_factory=list[Tool])
    instructions: str = ""
    progress: list[tuple[float, float | None, str | None]] = field(
        default_factory=list[tuple[float, float | None, str | None]]
    )
    told: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    refused: dict[str, str] = field(default_factory=dict[str, str])
    unknown: str = ""
    stdout: list[str] = field(default_factory=list[str])
    stderr: str = ""


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Seen:
    folder = tmp_path_factory.mktemp("stdio")
    found = Seen()
    asyncio.run(asyncio.wait_for(tell_stdio(folder, found), LONGEST_S))
    found.stdout = (folder / "stdout").read_text(encoding="utf-8").splitlines()
    found.stderr = (folder / "stderr").read_text(encoding="utf-8")
    return found


async def tell_stdio(folder: Path, found: Seen) -> None:
    async def note(progress: float, total: float | None, message: str | None) -> None:
        found.progress.append((progress, total, message))

    program = f"{' '.join(PROGRAM)} 2>{folder}/stderr | tee {folder}/stdout"
    server = StdioServerParameters(command="/bin/sh", args=["-c", program], env=settings_of(folder))
    async with stdio_client(server) as (incoming, outgoing), ClientSession(incoming, outgoing) as session:
        found.instructions = (await session.initialize()).instructions or ""
        found.tools = (await session.list_tools()).tools
        asked = {"messages": MESSAGES, "conversation": "talk"}
        found.told["asked"] = await use(session, "dissolve", **asked)
        found.told["repeated"] = await use(session, "dissolve", **asked)
        waiting = {"job": found.told["asked"]["job"], "wait_s": LONGEST_S}
        waited = await session.call_tool("status", waiting, progress_callback=note)
        found.told["ended"] = waited.structured_content
        found.told["context"] = await use(session, "context", conversation="talk", budget=2000, recent=1)
        found.told["text"] = await use(session, "context", conversation="talk", format="text", recent=0)
        found.told["anthropic"] = await use(session, "context", conversation="talk", format="anthropic", recent=2)
        found.told["recall"] = await use(session, "recall", conversation="talk", query="Oslo")
        found.told["frame"] = await use(session, "frame", conversation="talk", limit=2)
        found.told["grown"] = await use(
            session, "dissolve", messages=MESSAGES + MORE, conversation="talk", wait_s=LONGEST_S
        )
        found.told["later"] = await use(session, "recall", conversation="talk", query="Mira", section="DECIDED")
        changed = [{"role": "user", "content": "Something else."}]
        for name, tool, arguments in (
            ("nothing", "dissolve", {}),
            ("past", "dissolve", {"messages": changed, "conversation": "talk"}),
            ("fleet", "dissolve", {"conversation": "talk", "fleet": "gpt"}),
            ("policy", "dissolve", {"conversation": "talk", "policy": "wild"}),
            ("turn", "dissolve", {"conversation": "talk", "through": 99}),
            ("form", "dissolve", {"messages": "hello"}),
            ("job", "status", {"job": "j0"}),
            ("both", "status", {"job": "j0", "conversation": "talk"}),
            ("name", "context", {"conversation": "nø"}),
            ("slash", "context", {"conversation": "a/b"}),
            ("budget", "context", {"conversation": "talk", "budget": 5}),
            ("more", "recall", {"conversation": "talk", "words": "Oslo"}),
            ("section", "recall", {"conversation": "talk", "section": "GUESSED"}),
            ("frame", "frame", {"conversation": "no"}),
        ):
            found.refused[name] = await refused(session, tool, **arguments)
        with pytest.raises(MCPError) as unknown:
            await session.call_tool("forget", {})
        found.unknown = str(unknown.value)


def test_the_tools_are_described_for_whoever_has_never_seen_them(seen: Seen) -> None:
    assert [tool.name for tool in seen.tools] == NAMES
    assert all(name in seen.instructions for name in NAMES)
    for tool in seen.tools:
        assert tool.title
        assert len(tool.description or "") > 100
        for name, told in tool.input_schema["properties"].items():
            assert told.get("description"), f"{tool.name}: {name} is not described"
        assert tool.input_schema["additionalProperties"] is False
        assert tool.output_schema is not None
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint is (tool.name not in {"dissolve", "import"})


def test_a_job_is_taken_at_once_runs_by_itself_and_is_not_taken_twice(seen: Seen) -> None:
    asked, repeated, ended = (seen.told[name] for name in ("asked", "repeated", "ended"))
    assert (asked["conversation"], asked["new_turns"], asked["ended"], asked["repeated"]) == ("talk", 4, False, False)
    assert (repeated["job"], repeated["new_turns"]) == (asked["job"], 0)
    assert repeated["repeated"] is True
    assert (ended["job"], ended["status"], ended["ended"]) == (asked["job"], "committed", True)
    assert "context" in ended["advice"]
    assert {stage["stage"] for stage in ended["stages"]} >= {"fan_out", "consensus", "gate", "commit"}
    assert any("password" in warning for warning in asked["warnings"])


def test_whoever_waits_is_told_how_far_it_is(seen: Seen) -> None:
    done = [progress for progress, _, _ in seen.progress]
    assert done
    assert done == sorted(set(done))  # it never runs back, nor stands still
    assert all(total == len(seen.told["ended"]["stages"]) and message for _, total, message in seen.progress)


def test_the_context_stands_in_place_of_the_history(seen: Seen) -> None:
    context, text, anthropic = (seen.told[name] for name in ("context", "text", "anthropic"))
    assert (context["source"], context["boundary_version"], context["through"]) == ("history", 1, 4), "it is shorter"
    assert any("launch in Oslo" in one["content"] for one in context["messages"])
    assert context["messages"][-1]["content"] == MESSAGES[-1]["content"]
    assert 0 < context["tokens"] <= context["budget_tokens"] == 2000
    assert text["messages"] == []
    assert "launch in Oslo" in text["text"]
    assert any("launch in Oslo" in str(one["content"]) for one in anthropic["messages"])
    assert {one["role"] for one in anthropic["messages"]} == {"user", "assistant"}


def test_what_nobody_has_read_is_no_claim_and_is_quoted_in_the_context(seen: Seen) -> None:
    assert seen.told["recall"]["claims"] == []
    assert "nobody has read this" in seen.told["ended"]["reason"]
    assert "Oslo" in seen.told["text"]["text"]


def test_the_frame_has_the_premises_that_matter_most_and_says_why_nothing_was_reviewed(seen: Seen) -> None:
    frame = seen.told["frame"]
    assert frame["job"] == seen.told["asked"]["job"]
    assert frame["findings"] is None
    assert "assert nothing" in frame["not_run"]
    assert len(frame["premises"]) == 2 < frame["premises_total"]
    rests = [premise["rests_on_it"] for premise in frame["premises"]]
    assert rests == sorted(rests, reverse=True)


def test_a_grown_conversation_adds_what_is_new(seen: Seen) -> None:
    grown = seen.told["grown"]
    assert (grown["new_turns"], grown["through"], grown["status"]) == (1, 5, "committed")
    later = seen.told["later"]
    assert (later["conversation"], later["boundary_version"], later["claims"]) == ("talk", 2, [])  # nobody asserts any


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ("nothing", ["messages", "conversation"]),
        ("past", ["'talk'", "turn 1", "new ones behind them"]),
        ("fleet", ["'gpt'", "use 'extractive'"]),
        ("policy", ["'wild'", "use 'default'"]),
        ("turn", ["99", "from 1 to 5"]),
        ("form", ["'messages'", "'hello'", "list"]),
        ("job", ["'j0'", "`dissolve` returned"]),
        ("both", ["either `job` or `conversation`"]),
        ("name", ["'nø'", "name of a conversation"]),
        ("budget", ["'budget'", "5", "200"]),
        ("slash", ["'a/b'", "without slashes"]),
        ("more", ["'words'", "query"]),
        ("section", ["'section'", "'GUESSED'", "KNOWN"]),
        ("frame", ["'no'", "name of a conversation"]),
    ],
)
def test_what_cannot_be_done_is_said_with_its_value_and_a_way_out(seen: Seen, case: str, words: list[str]) -> None:
    said = seen.refused[case]
    assert [word for word in words if word not in said] == [], said
    assert "\n" not in said
    assert "--" not in said  # an agent has no command line


def test_a_tool_that_is_not_there_is_an_error_of_the_protocol(seen: Seen) -> None:
    assert "forget" in seen.unknown
    assert "dissolve" in seen.unknown


def test_stdout_has_the_protocol_alone_and_nothing_tells_content(seen: Seen) -> None:
    assert seen.stdout
    for line in seen.stdout:
        assert json.loads(line)["jsonrpc"] == "2.0"
    assert PASSWORD not in "".join(seen.stdout)  # replaced before it was stored
    assert "tool dissolve: done" in seen.stderr
    for content in ("Oslo", "Postgres", "Friday", PASSWORD, "Mira", "hello", "Something else"):
        assert content not in seen.stderr


def test_over_stdio_a_key_twice_is_refused_and_a_host_that_says_stop_ends_it_at_once(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "api.mcp"],
        env={**unmeasured(), **settings_of(tmp_path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        params: dict[str, Any] = {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "host", "version": "1"},
        }
        hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
        process.stdin.write(b"this is no message\n" + json.dumps(hello).encode() + b"\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["result"]["serverInfo"]["name"] == "dissolution-fleet"
        process.stdin.write(b'{"jsonrpc": "2.0", "id": 2, "method": "ping", "params": {}, "params": {"a": 1}}\n')
        process.stdin.write(b'{"jsonrpc": "2.0", "id": 3, "method": "ping"}\n')
        process.stdin.flush()
        answered = {one["id"]: one for one in (json.loads(process.stdout.readline()) for _ in range(2))}
        assert "'params' is given twice" in answered[2]["error"]["message"]
        assert answered[3]["result"] == {}
        process.send_signal(signal.SIGTERM)  # while it reads, and its host's end is still open
        assert process.wait(LONGEST_S) == 0
        assert process.stdout.read() == b""
        assert process.stderr is not None
        told = process.stderr.read()
    assert b"Traceback" not in told
    assert b"no message" not in told


class Served:
    """`dissolve mcp --http` on a database of its own, with keys of two tenants."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.url = f"http://127.0.0.1:{self.port}/mcp"
        self.environment = {**os.environ, **settings_of(folder)}
        migrated(folder / "ledger.sqlite3")
        store = sql_unit_of_work_factory(self.environment["DISSOLVE_DB"])
        self.keys: dict[str, str] = {}
        for name, tenant, scope in (
            ("acme", "acme", KeyScope.WRITE),
            ("other", "other", KeyScope.WRITE),
            ("reader", "acme", KeyScope.READ),
        ):
            with store() as work:
                made, self.keys[name] = new_key(tenant, name, [scope], SystemClock().now())
                work.service.keys.add(made)
                work.commit()
        store.close()

    def healthy(self) -> bool:
        return answers(self.url.replace("/mcp", "/health"))

    def post(self, **headers: str) -> httpx.Response:
        """One request by hand."""
        body: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
        accept = {"accept": "application/json, text/event-stream"}
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        return httpx.post(self.url, json=body, headers={**accept, **given}, timeout=LONGEST_S)

    @asynccontextmanager
    async def session(self, key: str | None = None) -> AsyncGenerator[ClientSession]:
        """A client of the protocol with a handshake."""
        headers = {} if key is None else {"authorization": f"Bearer {self.keys[key]}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=LONGEST_S) as http,
            streamable_http_client(self.url, http_client=http) as (incoming, outgoing),
            ClientSession(incoming, outgoing) as session,
        ):
            await session.initialize()
            yield session

    @asynccontextmanager
    async def client(self, key: str) -> AsyncGenerator[Client]:
        """A client of the protocol's newest version, which needs no handshake."""
        headers = {"authorization": f"Bearer {self.keys[key]}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=LONGEST_S) as http,
            Client(streamable_http_client(self.url, http_client=http)) as client,
        ):
            yield client


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    made = Served(tmp_path_factory.mktemp("http"))
    words = ["--http", "--host", "127.0.0.1", "--port", str(made.port)]
    with (made.folder / "log").open("ab") as log:
        process = subprocess.Popen([*PROGRAM, *words], env=made.environment, stdout=log, stderr=log)
    try:
        eventually(lambda: made.healthy() or process.poll() is not None, what="the server")
        assert process.poll() is None, (made.folder / "log").read_text(encoding="utf-8")
        yield made
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(LONGEST_S) in {0, -signal.SIGTERM}
    told = (made.folder / "log").read_text(encoding="utf-8")
    assert "Traceback" not in told
    assert "Oslo" not in told


def test_over_http_tenants_see_their_own_and_nothing_of_each_other(http: Served) -> None:
    async def tell() -> None:
        told: list[float] = []

        async def note(progress: float, total: float | None, message: str | None) -> None:
            assert total
            assert message
            told.append(progress)

        async with http.client("acme") as acme, http.session("other") as other:
            assert [tool.name for tool in (await acme.list_tools()).tools] == NAMES
            asked = {"messages": MESSAGES, "conversation": "talk", "wait_s": LONGEST_S}
            result = await acme.call_tool("dissolve", asked, progress_callback=note)
            job = result.structured_content
            assert job is not None
            assert (job["status"], job["conversation"]) == ("committed", "talk")
            assert told
            assert (await use(acme, "recall", conversation="talk", query="Oslo"))["boundary_version"] == 1
            for tool, arguments in (
                ("context", {"conversation": "talk"}),
                ("recall", {"conversation": "talk"}),
                ("frame", {"job": job["job"]}),
                ("status", {"job": job["job"]}),
                ("dissolve", {"conversation": "talk"}),
            ):
                said = await refused(other, tool, **arguments)
                assert said.startswith("no "), said
                assert "acme" not in said
            own = await use(other, "dissolve", messages=MORE, conversation="talk")
            assert own["new_turns"] == 1
            held = await refused(acme, "dissolve", messages=MORE, conversation="talk")
            assert "'talk'" in held  # the name as its tenant gave it, without the tenant's mark

    asyncio.run(asyncio.wait_for(tell(), LONGEST_S))


def test_a_key_that_only_reads_dissolves_nothing(http: Served) -> None:
    async def tell() -> str:
        async with http.session("reader") as reader:
            return await refused(reader, "dissolve", messages=MORE, conversation="mine")

    assert "'write'" in asyncio.run(asyncio.wait_for(tell(), LONGEST_S))


def test_without_a_key_this_machine_alone_is_let_in(http: Served) -> None:
    assert http.post().status_code == 200
    assert http.post(authorization=f"Bearer {http.keys['acme']}").status_code == 200
    wrong = http.post(authorization="Bearer dsk_0_wrong")
    assert (wrong.status_code, wrong.json()["code"]) == (401, "unauthenticated")
    assert wrong.headers["www-authenticate"] == "Bearer"
    rebound = http.post(host=f"evil.example:{http.port}")
    assert (rebound.status_code, rebound.json()["code"]) == (401, "unauthenticated")
    page = http.post(origin="https://evil.example", authorization=f"Bearer {http.keys['acme']}")
    assert (page.status_code, page.json()["code"]) == (403, "forbidden")
    assert http.post(origin=f"http://localhost:{http.port}").status_code == 200


def test_it_has_the_tools_and_nothing_else_of_the_service(http: Served) -> None:
    assert httpx.get(http.url.replace("/mcp", "/v1/conversations"), timeout=LONGEST_S).status_code == 404
    looked = httpx.get(http.url, headers={"accept": "text/event-stream"}, timeout=LONGEST_S)
    assert (looked.status_code, looked.headers["allow"]) == (405, "POST")
