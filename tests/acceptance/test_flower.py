"""Flower beside real workers: what it shows and refuses, and that nothing of a conversation leaves the database."""

import base64
import json
import re
import socket
import sqlite3
import stat
import subprocess
import threading
import urllib.error
import urllib.request
from collections.abc import Generator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote

import pytest
from redis import Redis
from redis.exceptions import ConnectionError as RedisGone

from cli.service.care import the_password
from dissolution.settings import Settings
from tests.acceptance.test_up import DISSOLVE, Home
from tests.polling import LONGEST_S, eventually, kill_group
from tests.ports import free_port

MARKER = "Zanzibarquokka"
TALK = f"""Ann: We use PostgreSQL for the {MARKER} database. That is decided.
Bo: Agreed. The {MARKER} release goes out on March 15, and {MARKER} is never deployed on Fridays.
Ann: The nightly {MARKER} export takes 40 minutes, and nobody watches it on weekends.
Bo: You review every {MARKER} migration before it runs.
Ann: Yes, every one of them, always.
"""
OPEN = {"/healthcheck", "/metrics"}
"""Flower asks nobody for a password here, by design; the pages hold names and numbers only."""

TABLE = (
    "/tasks/datatable?draw=1&start=0&length=500&search%5Bvalue%5D=&order%5B0%5D%5Bcolumn%5D=0"
    "&order%5B0%5D%5Bdir%5D=asc&columns%5B0%5D%5Bdata%5D=name"
)

ELSEWHERE = (r"/static/(.*)", r"/login/?", r"/logout", r".*")
"""Routes that show nothing of the fleet."""


class Fleet(Home):
    """A home whose `dissolve up` brings Flower along."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.flower = free_port()
        self.environment["DISSOLVE_FLOWER_PORT"] = str(self.flower)
        self.environment["DISSOLVE_LOG_FORMAT"] = "json"
        self.environment["DISSOLVE_LOG_LEVEL"] = "DEBUG"  # the most that is ever logged
        self.private = folder / ".dissolution" / "up"

    @contextmanager
    def running(self) -> Generator[None]:
        """Everything runs, and Flower answers."""
        with (self.folder / "up.out").open("w", encoding="utf-8") as out:
            process = subprocess.Popen(
                [*DISSOLVE, "up", "--io", "1", "--no-api", "--no-metrics"],
                env=self.environment,
                stderr=out,
                text=True,
                start_new_session=True,
            )
        try:
            eventually(lambda: self.status("/healthcheck") == 200 or process.poll() is not None, what="Flower")
            assert process.poll() is None, self.said()
            yield
            process.terminate()
            assert process.wait(LONGEST_S) == 0
        finally:
            for leader in (process.pid, *self.leaders()):
                kill_group(leader)
            process.wait(LONGEST_S)

    @property
    def password(self) -> str:
        return (self.private / "flower-password").read_text(encoding="utf-8").strip()

    @property
    def redis_url(self) -> str:
        configuration = (self.private / "redis.conf").read_text(encoding="utf-8")
        password = re.search(r"^requirepass (\S+)$", configuration, re.MULTILINE)
        assert password is not None
        return f"redis://:{password[1]}@127.0.0.1:{self.port}/0"

    def ask(self, path: str, *, method: str = "GET", password: str | None = None) -> tuple[int, str]:
        """Status and body of one request to Flower."""
        body = b"" if method == "POST" else None
        request = urllib.request.Request(f"http://127.0.0.1:{self.flower}{path}", method=method, data=body)
        if password is not None:
            request.add_header("Authorization", "Basic " + base64.b64encode(f"operator:{password}".encode()).decode())
        try:
            with urllib.request.urlopen(request, timeout=LONGEST_S) as reply:  # noqa: S310 - loopback, as written above
                return reply.status, reply.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    def status(self, path: str) -> int | None:
        """The status of a page; None while nobody listens."""
        try:
            return self.ask(path)[0]
        except OSError:
            return None


class Listener(threading.Thread):
    """Hears every command that Redis is given, arguments and scripts included."""

    def __init__(self, url: str) -> None:
        super().__init__(name="monitor", daemon=True)
        # a slow machine sends no command for longer than the five seconds that a read waits for by default
        self._client = Redis.from_url(url, socket_timeout=None)  # pyright: ignore[reportUnknownMemberType] - untyped options
        self.heard: list[str] = []

    def run(self) -> None:
        with suppress(RedisGone), self._client.monitor() as monitor:  # Redis ends before the test does
            for command in cast("Any", monitor).listen():
                self.heard.append(str(command["command"]))


def patterns() -> Mapping[str, object]:
    """Every route of Flower with its handler, from Flower itself: a new one is tested without being named here."""
    from flower.urls import handlers

    found: dict[str, object] = {}
    for one in cast("list[Any]", handlers):
        pattern, handler = (one.regex.pattern.rstrip("$"), one.handler_class) if hasattr(one, "regex") else one[:2]
        found[pattern] = handler
    return {pattern: handler for pattern, handler in found.items() if pattern not in ELSEWHERE}


def filled(pattern: str, name: str) -> str:
    return TABLE if TABLE.startswith(f"{pattern}?") else re.sub(r"\(\.[+*]\)", quote(name, safe="@"), pattern)


def stored_text(database: Path) -> bytes:
    with closing(sqlite3.connect(database)) as connection:
        return "\n".join(connection.iterdump()).encode()


def everything_in(redis: "Redis") -> str:
    """Every key with its value, as Redis holds them now."""
    client = cast("Any", redis)
    return "\n".join(f"{key!r} {client.dump(key)!r}" for key in client.keys("*"))


def refuse_lines_without_facts(log: str, job: str) -> None:
    """Every line that is bound to the job says which step, attempt and tenant it is about."""
    lines = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
    assert any(job in line["event"] for line in lines), "lines are JSON"
    mine = [line for line in lines if line.get("job") == job]
    assert all(line["attempt"] >= 1 and line["step"] and line["tenant"] == "default" for line in mine)


@pytest.fixture
def fleet(tmp_path: Path) -> Fleet:
    return Fleet(tmp_path)


def test_nothing_of_a_conversation_is_outside_the_database_and_flower_only_looks(fleet: Fleet) -> None:
    (talk := fleet.folder / "talk.txt").write_text(TALK, encoding="utf-8")
    with fleet.running():
        redis_password = fleet.redis_url.split(":")[2].partition("@")[0]
        listener = Listener(fleet.redis_url)
        listener.start()
        stored = json.loads(fleet.dissolve("enqueue", talk, "--lane", "interactive", "--json").stdout)
        job = stored["jobs"][0]["job"]
        eventually(lambda: fleet.stored().get("committed") == 1, what="the job to commit")
        password = fleet.password

        def tasks() -> dict[str, Any]:
            return json.loads(fleet.ask("/api/tasks", password=password)[1])

        sent = {"dissolve.fan_out", "dissolve.question_bank"}  # what is sent for; the rest is gone on with
        eventually(lambda: sent <= {t["name"] for t in tasks().values() if t["state"] == "SUCCESS"}, what="events")
        seen = tasks()
        assert {task["name"].partition(".")[0] for task in seen.values()} == {"dissolve"}
        assert {task["args"] for task in seen.values()} == {f"['{job}']"}
        assert {task["kwargs"] for task in seen.values()} == {"{}"}

        workers = list(json.loads(fleet.ask("/api/workers?refresh=1", password=password)[1]))
        assert sorted(name.partition("-")[0] for name in workers) == ["cpu", "giant", "io"]
        pages = {
            (path, method): fleet.ask(path, method=method, password=password)
            for pattern in patterns()
            for path in {filled(pattern, name) for name in (workers if "worker" in pattern else [*seen, "nobody"])}
            for method in ("GET", "POST")
        }
        assert pages[TABLE, "POST"][0] == 200, "the table of tasks is asked for with a POST"
        assert sum(status == 200 for status, _ in pages.values()) >= 15
        assert any(job in body for _, body in pages.values()), "the search finds what is there"
        for (path, method), (status, body) in pages.items():
            assert MARKER.lower() not in body.lower(), (path, method)
            assert redis_password not in body, (path, method)
            assert method == "GET" or path == TABLE or status in {403, 404, 405}, f"{path} does something: {status}"
        control = [path for path, method in pages if method == "POST" and pages[path, method][0] == 403]
        assert {path.split("/")[2] for path in control} == {"worker", "task"}

        for path, method in pages:
            bare = path.partition("?")[0]
            if method == "GET" and pages[path, method][0] != 405:
                assert fleet.ask(path)[0] == (200 if bare in OPEN else 401), path
                assert fleet.ask(path, password="wrong")[0] == (200 if bare in OPEN else 401), path
        assert fleet.stored() == {"committed": 1}

        with closing(Redis.from_url(fleet.redis_url)) as redis:  # pyright: ignore[reportUnknownMemberType] - as above
            assert MARKER.lower() not in everything_in(redis).lower()
        said = "\n".join(listener.heard)
        assert job in said, "the listener heard the messages"
        assert MARKER.lower() not in said.lower()
        assert base64.b64encode(MARKER.encode()).decode()[:16] not in said
        bodies = [base64.b64decode(body).decode() for body in re.findall(r'"body": "([A-Za-z0-9+/=]+)"', said)]
        assert bodies
        assert all(MARKER.lower() not in body.lower() for body in bodies)
    logs = {file: file.read_text(encoding="utf-8") for file in fleet.private.glob("*.log")}
    logs[fleet.folder / "up.out"] = fleet.said()
    assert {file.name for file in logs} >= {"worker-io.log", "worker-cpu.log", "relay.log", "flower.log", "redis.log"}
    assert any(job in text for text in logs.values())
    refuse_lines_without_facts(logs[fleet.private / "worker-io.log"], job)
    for file, text in logs.items():
        assert MARKER.lower() not in text.lower(), file
        assert password not in text, file
        assert redis_password not in text, file
    assert MARKER.encode() in stored_text(fleet.folder / "ledger.sqlite3")


def test_the_password_is_for_its_owner_alone_and_is_kept(fleet: Fleet) -> None:
    file = fleet.private / "flower-password"
    first = the_password(Settings(), file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert len(first) >= 20
    assert the_password(Settings(), file) == first


def test_a_taken_port_of_flower_is_refused_before_anything_starts(fleet: Fleet) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", fleet.flower))
        taken.listen()
        done = fleet.dissolve("up", "--no-api", "--no-metrics")
        assert done.returncode == 2
        assert f"port {fleet.flower} of 127.0.0.1 is taken" in done.stderr
        assert "--no-flower" in done.stderr
        alone = fleet.dissolve("flower")
        assert alone.returncode == 2
        assert f"port {fleet.flower} of 127.0.0.1 is taken" in alone.stderr
