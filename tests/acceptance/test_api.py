"""The service as a client meets it: a real process on a real port, restarted in the middle of things."""

import json
import os
import signal
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import httpx
import pytest
from standardwebhooks.webhooks import Webhook

from tests.environments import unmeasured
from tests.polling import LONGEST_S, eventually
from tests.ports import free_port

DISSOLVE = [sys.executable, "-m", "cli.main"]
TURNS = [
    {"role": "user", "content": "We use Postgres. The deadline is March 15. We decided to launch in Oslo."},
    {"role": "assistant", "content": "Understood: we use Postgres, the deadline is March 15, and we launch in Oslo."},
    {"role": "user", "content": "Never deploy on Fridays. password=hunter2horse99"},
]


class Service:
    """The program on a database of its own.

    Args:
        folder: An empty one.
        measured: Whether the coverage of what is started is measured, too, at twice the processor time.
        settings: Its settings, by their names in small letters.
    """

    def __init__(self, folder: Path, *, measured: bool = False, **settings: str) -> None:
        self.folder, self.port = folder, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = {
            **(os.environ if measured else unmeasured()),
            "HOME": str(folder),
            "DISSOLVE_DB": f"sqlite:///{folder / 'ledger.sqlite3'}",
            "DISSOLVE_EMBEDDER": "hashing",
            "DISSOLVE_API_PORT": str(self.port),
            "DISSOLVE_WEBHOOK_PRIVATE_ADDRESSES": "true",
            **{f"DISSOLVE_{name.upper()}": value for name, value in settings.items()},
        }

    def dissolve(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*DISSOLVE, *words], env=self.environment, capture_output=True, text=True, check=False, timeout=LONGEST_S
        )

    def ready(self) -> bool:
        return answers(f"{self.url}/ready")

    @contextmanager
    def running(self, *words: str) -> Generator[subprocess.Popen[bytes]]:
        with (self.folder / "service.log").open("ab") as log:
            process = subprocess.Popen([*DISSOLVE, "api", *words], env=self.environment, stdout=log, stderr=log)
        try:
            eventually(lambda: self.ready() or process.poll() is not None, what="the service")
            assert process.poll() is None, self.log()
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(LONGEST_S)

    def log(self) -> str:
        return (self.folder / "service.log").read_text(encoding="utf-8")


def answers(url: str) -> bool:
    """Whether an address answers with 200. Asked often, and so without all that a client of httpx prepares."""
    try:
        with urllib.request.urlopen(url, timeout=LONGEST_S) as reply:  # noqa: S310 - of this machine
            return reply.status == 200
    except (OSError, HTTPException):
        return False


@pytest.fixture
def service(tmp_path: Path) -> Service:
    """One that is not started yet."""
    return Service(tmp_path)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One that runs, for tests that each name a conversation of their own."""
    made = Service(tmp_path_factory.mktemp("shared"), measured=True)
    with made.running():
        yield made


def ended(url: str, job: str, headers: dict[str, str] | None = None) -> dict[str, Any]:
    """The dissolution once it is over."""
    told: dict[str, Any] = {}
    with httpx.Client(base_url=url, headers=headers, timeout=LONGEST_S) as client:

        def over() -> bool:
            told.update(client.get(f"/v1/dissolutions/{job}").json())
            return told["ended_at"] is not None

        eventually(over, what="the end of the dissolution")
    return told


def events_of(lines: Iterator[str]) -> Iterator[dict[str, str]]:
    """The events of a stream, by their fields."""
    event: dict[str, str] = {}
    for line in lines:
        if not line and event:
            yield event
            event = {}
        elif line and not line.startswith(":"):
            name, _, value = line.partition(": ")
            event[name] = value


class Hook(BaseHTTPRequestHandler):
    """A receiver of webhooks: fails once, then takes what comes."""

    seen: ClassVar[list[tuple[dict[str, str], str]]] = []

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"])).decode()
        Hook.seen.append(({name.lower(): value for name, value in self.headers.items()}, body))
        self.send_response(204 if len(Hook.seen) > 1 else 503)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base names it so
        """Nothing."""


@pytest.fixture
def receiver() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hook)
    Hook.seen.clear()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/hook"
    server.shutdown()
    server.server_close()


def test_from_turns_to_a_context_with_events_and_a_call_back(shared: Service, receiver: str) -> None:
    with httpx.Client(base_url=shared.url, timeout=LONGEST_S) as client:
        hook = client.post("/v1/webhooks", json={"url": receiver, "notices": ["dissolution.committed"]}).json()
        assert client.post("/v1/conversations", json={"name": "talk", "turns": TURNS}).status_code == 201
        taken = client.post("/v1/dissolutions", json={"conversation": "talk"}, headers={"idempotency-key": "one"})
        again = client.post("/v1/dissolutions", json={"conversation": "talk"}, headers={"idempotency-key": "one"})
        job = taken.json()["id"]
        assert (taken.status_code, again.json()["id"]) == (202, job)
        with client.stream("GET", f"/v1/dissolutions/{job}/events", headers={"accept": "text/event-stream"}) as reply:
            assert reply.headers["content-type"].startswith("text/event-stream")
            told = list(events_of(reply.iter_lines()))
        assert told[0]["retry"] == "2000"
        assert json.loads(told[-1]["data"]) == {"status": "committed"}
        numbers = [int(event["id"]) for event in told if "id" in event]
        assert numbers == list(range(1, len(numbers) + 1))
        polled = client.get(f"/v1/dissolutions/{job}/events").json()["items"]
        assert [(one["number"], one["kind"]) for one in polled] == [
            (int(event["id"]), event["event"]) for event in told if "id" in event
        ]
        context = client.get("/v1/conversations/talk/context?budget=2000").json()
        assert (context["source"], context["boundary_version"]) == ("history", 1), "four turns are shorter"
        assert "launch in Oslo" in context["messages"][0]["content"]
        assert client.get(f"/v1/dissolutions/{job}/receipt").json()["redactions"] == {"password": 1}

        eventually(lambda: len(Hook.seen) >= 2, what="the second attempt")
        headers, body = Hook.seen[1]
        assert Webhook(hook["secret"]).verify(body, headers)["data"]["dissolution"] == job  # pyright: ignore[reportUnknownVariableType] - untyped library
        assert (Hook.seen[0][0]["webhook-id"], Hook.seen[0][1]) == (headers["webhook-id"], body)
        deliveries = f"/v1/webhooks/{hook['id']}/deliveries"
        eventually(lambda: client.get(deliveries).json()["items"][0]["state"] == "delivered", what="the record")
        delivery = client.get(deliveries).json()["items"][0]["id"]
        assert client.post(f"{deliveries}/{delivery}/redeliver").status_code == 202
        eventually(lambda: len(Hook.seen) >= 3, what="the redelivery")
    assert "hunter2horse99" not in shared.log()
    for file in shared.folder.glob("ledger.sqlite3*"):
        assert b"hunter2horse99" not in file.read_bytes(), file


def test_a_stream_goes_on_where_it_was_cut_after_a_restart(service: Service) -> None:
    with service.running(), httpx.Client(base_url=service.url, timeout=LONGEST_S) as client:
        client.post("/v1/conversations", json={"name": "talk", "turns": TURNS})
        job = client.post("/v1/dissolutions", json={"conversation": "talk", "hold": True}).json()["id"]
        place = f"/v1/dissolutions/{job}/events"
        seen: list[int] = []
        last: dict[str, str] = {}
        with client.stream("GET", place, headers={"accept": "text/event-stream"}) as reply:
            for last in events_of(reply.iter_lines()):
                seen += [int(last["id"])] if "id" in last else []
                if last.get("event") == "job_held":
                    break
        assert last.get("event") == "job_held", service.log()
    with service.running(), httpx.Client(base_url=service.url, timeout=LONGEST_S) as client:
        going_on = client.post(f"/v1/dissolutions/{job}/commit")
        assert going_on.status_code == 202, going_on.text
        resumed = {"accept": "text/event-stream", "last-event-id": str(seen[-1])}
        with client.stream("GET", place, headers=resumed) as reply:
            rest = [event for event in events_of(reply.iter_lines()) if "id" in event]
        seen += [int(event["id"]) for event in rest]
        assert seen == list(range(1, len(seen) + 1))
        assert rest[-1]["event"] == "boundary_committed" or "committed" in json.dumps(rest)
        over = client.get(place, headers={**resumed, "last-event-id": str(seen[-1])})
        assert over.status_code == 204
        bad = client.get(place, headers={"last-event-id": "x"})
        assert (bad.status_code, bad.json()["errors"][0]["field"]) == (422, "header.last-event-id")


def test_a_job_survives_the_process_that_took_it(tmp_path: Path) -> None:
    # What it took is taken over when the lease has run out; a busy machine may lose some of those leases, too.
    service = Service(tmp_path, lease_s="8", max_attempts="20")
    with service.running() as process, httpx.Client(base_url=service.url, timeout=LONGEST_S) as client:
        client.post("/v1/conversations", json={"name": "talk", "turns": TURNS})
        jobs = [client.post("/v1/dissolutions", json={"conversation": "talk"}).json()["id"] for _ in range(3)]
        process.kill()
    with service.running():
        for job in jobs:
            assert ended(service.url, job)["status"] in {"committed", "history_kept"}


def test_keys_are_made_rotated_and_taken_back_while_it_runs(service: Service) -> None:
    made = json.loads(service.dissolve("keys", "create", "ci", "--tenant", "acme", "--json").stdout)
    key = made["key"]
    assert "hash" not in made
    with service.running("--mode", "service"), httpx.Client(base_url=service.url, timeout=LONGEST_S) as client:

        def status(with_key: str | None) -> int:
            headers = {} if with_key is None else {"authorization": f"Bearer {with_key}"}
            return client.get("/v1/conversations", headers=headers).status_code

        assert (status(key), status(None), status(key[:-1])) == (200, 401, 401)
        second = service.dissolve("keys", "rotate", made["id"], "--hours", "0").stdout.strip()
        assert (status(key), status(second)) == (401, 200)
        assert service.dissolve("keys", "revoke", second.split("_")[1]).returncode == 0
        assert status(second) == 401
        listed = service.dissolve("keys", "list")
        assert "expired" in listed.stdout
        assert "revoked" in listed.stdout
        assert key not in listed.stdout
        assert service.dissolve("keys", "revoke", "nobody").returncode == 2
    assert key.encode() not in (service.folder / "ledger.sqlite3").read_bytes()


def test_an_open_address_without_keys_is_refused(service: Service) -> None:
    done = service.dissolve("api", "--address", "0.0.0.0")  # noqa: S104 - refused
    assert done.returncode == 2
    assert "embedded mode asks no key" in done.stderr


def test_its_health_is_asked_from_outside(service: Service, shared: Service) -> None:
    assert service.dissolve("health", "api").returncode == 4
    told = eventually(
        lambda: asked.stdout if (asked := shared.dissolve("health", "api")).returncode == 0 else "",
        what="an answer within the three seconds that it has",
    )
    assert told == f"api: well: the API at {shared.url}/ready answers\n"
