"""The care of an installation as an operator meets it: what runs is found, what does not says so in one line."""

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from pydantic import SecretStr

from cli.main import main
from dissolution.settings import Settings
from tests.acceptance.terminals import Terminal
from tests.acceptance.test_up import TALK, Home
from tests.contract.redis_server import a_redis
from tests.polling import LONGEST_S, eventually, kill_group
from tests.ports import free_port
from workers.checks.health import BEAT
from workers.redis.queue_state import redis_client
from workers.runtime.up_state import STATE_FILE

Command = Callable[..., tuple[int, str, str]]
"""A command by the URL of its Redis and its words: its exit code, and what it wrote to stdout and stderr."""

BEATS, READS = "beats", "reads"
"""How a command is known to be at work that says nothing: its relay's beat in Redis, or a line that it takes."""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return at_home(tmp_path)


def at_home(folder: Path) -> Home:
    """A home whose every port is its own, and with no settings but these."""
    made = Home(folder)
    ours = {name: value for name, value in made.environment.items() if not name.startswith("DISSOLVE_")}
    made.environment = {
        **ours,
        "DISSOLVE_EMBEDDER": "hashing",
        "DISSOLVE_UP_PORT": str(made.port),
        "DISSOLVE_STOP_GRACE_S": "5",
        "DISSOLVE_FLOWER_PORT": str(free_port()),
        "DISSOLVE_API_PORT": str(free_port()),
        "DISSOLVE_METRICS_PORT": str(free_port()),
        "DISSOLVE_MCP_PORT": str(free_port()),
        "PYTHONUNBUFFERED": "1",
    }
    made.file = folder / ".dissolution" / "ledger.sqlite3"
    return made


Ask = Callable[..., tuple[int, str, str]]
"""A command by its words: its exit code, and what it wrote to stdout and stderr."""


@pytest.fixture
def ask(home: Home, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    """The command line in this process, with no settings but the home's: for what looks at programs that run."""
    for name, value in home.environment.items():
        if name == "HOME" or name.startswith("DISSOLVE_"):
            monkeypatch.setenv(name, value)

    def ask(*words: str | Path) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["dissolve", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        return int(ended.value.code or 0), said.out, said.err

    return ask


def checks(ask: Ask) -> dict[str, dict[str, Any]]:
    """What the doctor finds, by check."""
    return {one["check"]: one for one in json.loads(ask("doctor", "--json")[1])}


def states(ask: Ask, parts: Sequence[str]) -> set[str]:
    """How these parts stand."""
    found = checks(ask)
    return {found[part]["state"] for part in parts}


def answered(ask: Ask, *words: str) -> str:
    """What a command says when it ends well; nothing when it does not."""
    code, out, _ = ask(*words)
    return "" if code else out


def test_doctor_and_health_find_the_parts_of_up_and_say_when_it_has_gone(home: Home, ask: Ask) -> None:
    state = home.folder / ".dissolution" / "up" / STATE_FILE
    parts = ("up", "redis", "worker-io", "worker-cpu", "worker-giant", "relay", "metrics")
    with home.up("--metrics-port", home.environment["DISSOLVE_METRICS_PORT"]) as process:
        # A worker has three seconds to answer, and a busy machine may take longer: so it is asked until it does.
        eventually(lambda: states(ask, parts) == {"well"}, what="every part of `up` to be well")
        told = json.loads(eventually(lambda: answered(ask, "health", "--json"), what="health"))
        assert set(told) == {"database", "redis", "relay", "worker-io", "worker-cpu", "worker-giant", "metrics"}
        code, _, said = ask("doctor", "--dir", home.folder)
        assert (code, "no `dissolve up` runs in" in said) == (2, True)
        os.kill(process.pid, signal.SIGKILL)
        process.wait(LONGEST_S)
        eventually(lambda: not home.redis_listens(), what="its Redis to end with it")
        left = checks(ask)
        assert (left["up"]["state"], left["redis"]["state"]) == ("doubtful", "wrong")
        assert "`dissolve up`" in left["redis"]["remedy"]
    assert state.exists(), "nobody could take it away"
    with home.up() as process:
        process.terminate()
        assert process.wait(LONGEST_S) == 0
    assert not state.exists()


@pytest.mark.parametrize("command", ["worker --queue io", "relay", "flower", "metrics"])
@pytest.mark.parametrize(
    ("url", "ending"),
    [
        ("redis://127.0.0.1:{nobody}/0", (4, "does not answer (connection refused): start it, or put")),
        ("redis://:wrong@127.0.0.1:{redis}/0", (4, "wants another password")),
        ("redis://127.0.0.1:no-port/0", (2, "cannot be read")),
        ("http://127.0.0.1/", (2, "use one of redis")),
        ("redis://127.0.0.1:{page}/0", (4, "what listens there is no Redis")),
    ],
)
def test_what_needs_redis_says_in_one_line_that_there_is_none(
    run: Command, ports: Mapping[str, int], command: str, url: str, ending: tuple[int, str]
) -> None:
    code, out, err = run(url.format(**ports), *command.split())
    assert (code, out, err.count("\n")) == (ending[0], "", 1), err
    assert ending[1] in err
    assert "wrong@" not in err


@pytest.fixture
def run(home: Home, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The command line in this process, for what ends before it does anything."""
    for name, value in home.environment.items():
        if name == "HOME" or name.startswith("DISSOLVE_"):
            monkeypatch.setenv(name, value)

    def run(url: str, *words: str) -> tuple[int, str, str]:
        monkeypatch.setenv("DISSOLVE_REDIS_URL", url)
        monkeypatch.setattr(sys, "argv", ["dissolve", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        assert not home.file.exists(), "nothing was made"
        return int(ended.value.code or 0), said.out, said.err

    return run


@pytest.fixture(scope="module")
def ports(redis_url: str, page_port: int) -> Mapping[str, int]:
    """Of nobody, of a Redis with a password, and of a web server."""
    return {"nobody": free_port(), "redis": urlsplit(redis_url).port or 0, "page": page_port}


@pytest.fixture(scope="module")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Generator[str]:
    with a_redis(tmp_path_factory.mktemp("redis")) as server:
        yield server.url.get_secret_value()


@pytest.fixture(scope="module")
def page_port(tmp_path_factory: pytest.TempPathFactory) -> Generator[int]:
    """A port on which a web server answers."""
    port = free_port()
    command = [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1"]
    process = subprocess.Popen(
        command, cwd=tmp_path_factory.mktemp("page"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )

    def listens() -> bool:
        with socket.socket() as trial:
            return trial.connect_ex(("127.0.0.1", port)) == 0

    eventually(listens, what="the web server")
    yield port
    process.kill()
    process.wait()


@pytest.mark.parametrize("command", ["api", "mcp --http", "flower", "metrics"])
def test_a_port_in_use_is_one_line_and_a_code(home: Home, command: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = home.dissolve(*command.split(), "--port", str(port))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert f"port {port} of 127.0.0.1 is taken" in done.stderr
    assert "--port" in done.stderr


@pytest.mark.parametrize(
    "command", ["run talk.txt", "status", "enqueue talk.txt", "relay", "metrics", "api", "mcp", "keys list", "resume"]
)
def test_a_database_of_a_newer_version_is_one_line_and_a_code(home: Home, redis_url: str, command: str) -> None:
    (home.folder / "talk.txt").write_text(TALK, encoding="utf-8")
    home.file.parent.mkdir()
    with closing(sqlite3.connect(home.file)) as newer:
        newer.execute("CREATE TABLE schema_revision (version_num VARCHAR(32) NOT NULL)")
        newer.execute("INSERT INTO schema_revision VALUES ('9999')")
        newer.commit()
    words = [str(home.folder / one) if one == "talk.txt" else one for one in command.split()]
    home.environment["DISSOLVE_REDIS_URL"] = redis_url
    done = home.dissolve(*words)
    assert (done.returncode, done.stdout) == (4, ""), done.stderr
    assert "has schema revision '9999'" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("words", "token"),
    [
        ("up --no-flower --no-api --no-metrics", "worker-giant: process"),
        ("worker --queue io", "ready."),
        ("worker --queue cpu", "ready."),
        ("relay", BEATS),
        ("metrics", "metrics at"),
        ("flower", "Flower on"),
        ("api", "startup complete"),
        ("mcp", READS),
        ("mcp --http", "startup complete"),
        ("status --watch", "jobs:"),
        ("run -", READS),
        ("classify -", READS),
    ],
)
def test_ctrl_c_ends_what_runs_or_waits_with_one_line_and_130(
    home: Home, redis_url: str, words: str, token: str
) -> None:
    assert home.dissolve("migrate").returncode == 0
    if not words.startswith("up"):
        home.environment["DISSOLVE_REDIS_URL"] = redis_url
    terminal = Terminal(words.split(), home.environment)
    try:
        wait_for(token, terminal, redis_url)
        before = len(terminal.said)
        terminal.ctrl_c()
        assert terminal.end() == 130, terminal.said
    finally:
        for leader in leaders_in(terminal.said):
            kill_group(leader)
        terminal.close()
    said = terminal.said[before:]
    told = [line for line in said.replace("^C", "").splitlines() if line.startswith("dissolve: ")]
    assert told in (["dissolve: stopped"], ["dissolve: interrupted"]), said
    assert "Traceback" not in terminal.said


def wait_for(token: str, terminal: Terminal, redis_url: str) -> None:
    """Wait until a command is at work."""
    if token == BEATS:
        client: Any = redis_client(Settings(redis_url=SecretStr(redis_url)))
        with closing(client):
            eventually(lambda: client.keys(f"{BEAT}*.{terminal.process.pid}"), what="the relay's beat")
    elif token == READS:
        terminal.type("hello\n")
        terminal.until("hello")  # as the terminal echoes it: from then on it waits to be taken
        eventually(terminal.has_read_all, what="the line to be taken")
    else:
        terminal.until(token)


def leaders_in(said: str) -> list[int]:
    """The processes that `up` said it started."""
    return [int(line.split(": process ")[1].split(",")[0]) for line in said.splitlines() if ": process " in line]
