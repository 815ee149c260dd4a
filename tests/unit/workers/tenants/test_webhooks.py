"""Webhooks: signed so that the public library verifies them, tried again over days, given up, disabled."""

import json
import threading
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, ClassVar

import pytest
from standardwebhooks.webhooks import Webhook

from devtools.clock import FixedClock
from dissolution.clock import SystemClock
from dissolution.job import Job, JobStatus
from dissolution.policy.job_policy import Policy
from dissolution.ports.store import UnitOfWorkFactory
from dissolution.settings import Settings
from dissolution.webhooks import Delivery, WebhookEndpoint
from store.sql.unit_of_work import memory_unit_of_work_factory
from tests.factories import INSTANT, a_conversation
from workers.tenants.webhook_addresses import Target
from workers.tenants.webhooks import (
    WAITS_S,
    Unreachable,
    WebhookResponse,
    WebhookSender,
    asked_s,
    post,
    secret_of,
    sent_again,
    wait_s,
)

KEY = b"k" * 32
ENDPOINT = WebhookEndpoint(id=f"we_{'a' * 24}", tenant="default", url="http://127.0.0.1:9/hook", created_at=INSTANT)


class Receiver:
    """Stands in for an endpoint: what it was sent, and what it answers."""

    def __init__(self, *answers: WebhookResponse | Exception) -> None:
        self.answers = list(answers)
        self.got: list[tuple[str, Target, bytes, dict[str, str]]] = []

    def __call__(self, url: str, target: Target, body: bytes, headers: Mapping[str, str]) -> WebhookResponse:
        self.got.append((url, target, body, dict(headers)))
        answer = self.answers.pop(0) if self.answers else WebhookResponse(200)
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.fixture
def units() -> UnitOfWorkFactory:
    """A store with an endpoint and a job that was cancelled."""
    made = memory_unit_of_work_factory()
    talk = a_conversation("We use Postgres.")
    job = Job(
        id="j1",
        conversation=talk.id,
        through=1,
        snapshot_digest=talk.snapshot().digest,
        fleet="extractive",
        policy=Policy(),
        created_at=INSTANT,
    )
    with made() as work:
        work.service.webhooks.add(ENDPOINT)
        work.conversations.extend(talk)
        work.jobs.add(job, ("fan_out",))
        work.jobs.move("j1", JobStatus.CANCELLED, INSTANT)
        work.commit()
    return made


def sender(units: UnitOfWorkFactory, clock: FixedClock, receiver: Receiver) -> WebhookSender:
    settings = Settings(webhook_private_addresses=True)
    return WebhookSender(settings, unit_of_work=units, clock=clock, send=receiver)


def only(units: UnitOfWorkFactory) -> Delivery:
    with units() as work:
        (found,) = work.service.webhooks.deliveries("default", ENDPOINT.id, 9)
    return found


def key_of(units: UnitOfWorkFactory) -> bytes:
    with units() as work:
        return work.installation_key()


def test_a_delivery_is_one_that_the_library_verifies(units: UnitOfWorkFactory) -> None:
    clock, receiver = FixedClock(SystemClock().now()), Receiver(WebhookResponse(204))

    assert sender(units, clock, receiver).look() == 1

    ((url, target, body, headers),) = receiver.got
    assert (url, target.address) == (ENDPOINT.url, "127.0.0.1")
    told: Any = Webhook(secret_of(key_of(units), ENDPOINT)).verify(body.decode(), headers)
    assert told["type"] == "dissolution.cancelled"
    assert told["data"] == {"dissolution": "j1", "conversation": "conv-1", "status": "cancelled"}
    assert headers["webhook-id"] == only(units).id
    assert (only(units).status, only(units).problem) == (204, None)
    assert only(units).delivered_at == clock.now()
    assert sender(units, clock, receiver).look() == 0
    with pytest.raises(Exception, match="No matching signature"):
        Webhook(secret_of(b"x" * 32, ENDPOINT)).verify(body.decode(), headers)


def test_after_a_rotation_both_secrets_sign_for_a_day(units: UnitOfWorkFactory) -> None:
    clock, receiver = FixedClock(SystemClock().now()), Receiver(WebhookResponse(500), WebhookResponse(500))
    rotated = ENDPOINT.model_copy(update={"generation": 2, "rotated_at": clock.now()})
    with units() as work:
        work.service.webhooks.add(rotated)
        work.commit()

    sender(units, clock, receiver).look()
    _, _, body, headers = receiver.got[0]
    key = key_of(units)
    assert secret_of(key, rotated) != secret_of(key, ENDPOINT)
    for endpoint in (rotated, ENDPOINT):
        Webhook(secret_of(key, endpoint)).verify(body.decode(), headers)
    clock.advance(86_401)
    sender(units, clock, receiver).look()
    assert len(receiver.got[1][3]["webhook-signature"].split()) == 1


def test_what_fails_is_tried_again_with_growing_pauses_and_then_given_up(units: UnitOfWorkFactory) -> None:
    clock = FixedClock(INSTANT)
    receiver = Receiver(*([WebhookResponse(500), Unreachable("ConnectError"), WebhookResponse(302)] * 5))
    bodies: set[bytes] = set()
    for attempt, wait in enumerate(WAITS_S, start=1):
        assert sender(units, clock, receiver).look() == 1
        found = only(units)
        assert found.attempts == attempt
        pause = (found.due_at - clock.now()).total_seconds()
        assert wait <= pause <= wait * 1.1
        assert sender(units, clock, receiver).look() == 0
        clock.advance(pause)
    assert sender(units, clock, receiver).look() == 1
    assert only(units).failed_at == clock.now()
    bodies |= {body for _, _, body, _ in receiver.got}
    assert (len(bodies), len({headers["webhook-id"] for _, _, _, headers in receiver.got})) == (1, 1)
    clock.advance(10**6)
    assert sender(units, clock, receiver).look() == 0
    again = sent_again(only(units), clock.now())
    with units() as work:
        work.service.webhooks.settle(again)
        work.commit()
    assert sender(units, clock, Receiver(WebhookResponse(200))).look() == 1
    assert only(units).delivered_at == clock.now()


def test_gone_disables_the_endpoint(units: UnitOfWorkFactory) -> None:
    clock = FixedClock(INSTANT)

    sender(units, clock, Receiver(WebhookResponse(410))).look()

    with units() as work:
        endpoint = work.service.webhooks.get("default", ENDPOINT.id)
        assert (endpoint.disabled_at, endpoint.disabled_why) == (INSTANT, "it answered 410 Gone")
        assert work.service.webhooks.announce(work.jobs.get("j1"), JobStatus.CANCELLED, INSTANT) == 0
        (delivery,) = work.service.webhooks.deliveries("default", ENDPOINT.id, 1)
        work.service.webhooks.settle(sent_again(delivery, INSTANT))
        work.commit()
    receiver = Receiver()
    assert sender(units, clock, receiver).look() == 1
    assert (receiver.got, only(units).problem) == ([], "the endpoint is disabled")


def test_an_address_that_became_private_is_not_called(units: UnitOfWorkFactory) -> None:
    receiver = Receiver()
    strict = WebhookSender(Settings(), unit_of_work=units, clock=FixedClock(INSTANT), send=receiver)
    with units() as work:
        work.service.webhooks.add(ENDPOINT.model_copy(update={"url": "https://localhost/hook"}))
        work.commit()

    assert strict.look() == 1

    assert receiver.got == []
    assert "not on the internet" in (only(units).problem or "")


@pytest.mark.parametrize(
    ("header", "expected"),
    [(None, 0), ("7", 7), ("-7", 0), ("soon", 0), ("999999999999", 86_400), ("Sun, 01 Mar 2026 09:01:00 GMT", 60)],
)
def test_the_pause_an_endpoint_asks_for_is_understood(header: str | None, expected: float) -> None:
    assert asked_s(header, INSTANT) == expected
    pause = wait_s(1, header, INSTANT)
    assert pause is not None
    assert pause >= max(expected, WAITS_S[0])
    assert wait_s(len(WAITS_S) + 1, header, INSTANT) is None


class Handler(BaseHTTPRequestHandler):
    """An endpoint on this machine."""

    seen: ClassVar[list[tuple[str, dict[str, str], bytes]]] = []
    status: ClassVar[int] = 200

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        Handler.seen.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
        self.send_response(Handler.status)
        self.send_header("location", "http://127.0.0.1:1/elsewhere")
        self.send_header("retry-after", "9")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base names it so
        """Nothing."""


@pytest.fixture
def endpoint() -> Iterator[int]:
    server = HTTPServer(("127.0.0.1", 0), Handler)
    Handler.seen.clear()
    Handler.status = 200
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server.server_address[1]
    server.shutdown()
    server.server_close()


def test_a_real_request_goes_to_the_address_under_the_name(endpoint: int) -> None:
    url = f"http://hooks.example.com:{endpoint}/hook?x=1"
    target = Target("127.0.0.1", endpoint, f"hooks.example.com:{endpoint}", "hooks.example.com")

    reply = post(url, target, b"{}", {"webhook-id": "m"})

    assert reply == WebhookResponse(200, "9")
    ((path, headers, body),) = Handler.seen
    assert (path, headers["host"], headers["webhook-id"], body) == ("/hook?x=1", target.host, "m", b"{}")
    Handler.status = 302
    assert post(url, target, b"{}", {}).status == 302
    assert len(Handler.seen) == 2, "a redirect is not followed"
    with pytest.raises(Unreachable):
        post(url, target._replace(port=1), b"{}", {})


def test_it_runs_until_told_to_stop(units: UnitOfWorkFactory) -> None:
    stop, receiver = threading.Event(), Receiver()

    def send(url: str, target: Target, body: bytes, headers: Mapping[str, str]) -> WebhookResponse:
        stop.set()
        return receiver(url, target, body, headers)

    running = WebhookSender(
        Settings(webhook_private_addresses=True), unit_of_work=units, clock=SystemClock(), send=send
    )
    running.run(stop)
    assert json.loads(receiver.got[0][2])["data"]["dissolution"] == "j1"
    assert isinstance(only(units).delivered_at, datetime)
    assert only(units).due_at - timedelta(seconds=90) < SystemClock().now()
