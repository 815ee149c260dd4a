"""Webhooks as Standard Webhooks 1.0.0 has them: signed, sent from the outbox, tried again over days, never followed.

A secret is not stored: it is HMAC-SHA256 of the endpoint's id and its secret's generation under the installation key.
"""

import base64
import hashlib
import hmac
import logging
import secrets
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any, cast

from dissolution.errors import InputError, StoreError
from dissolution.ports.models import Clock
from dissolution.ports.store import UnitOfWorkFactory
from dissolution.settings import Settings
from dissolution.webhooks import Delivery, WebhookEndpoint
from workers.tenants.webhook_addresses import Target, target_of

log = logging.getLogger(__name__)

WAITS_S = (5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400)
"""Pauses between attempts (s), as the specification proposes: ten attempts over about three days."""

JITTER = 0.1
"""Share by which a pause is longer at most, so that what failed together is not tried together."""

LONGEST_WAIT_S = 86_400.0
TIMEOUT_S = 15.0
LEASE_S = 60.0
"""How long a delivery is left to whoever took it (s): longer than its timeout."""

AT_ONCE = 8
LOOK_S = 1.0
GONE = 410
OVERLAP = timedelta(hours=24)
"""How long the secret before a rotation signs beside the new one."""


@dataclass(frozen=True)
class WebhookResponse:
    """Status and the Retry-After header of an endpoint's answer; its body is not read."""

    status: int
    retry_after: str | None = None


Post = Callable[[str, Target, bytes, Mapping[str, str]], WebhookResponse]
"""Sends a body to a URL by way of a target. Raises OSError-like errors of its library as `Unreachable`."""


class Unreachable(Exception):
    """No answer: the connection, TLS or the time ran out."""


def secret_of(key: bytes, endpoint: WebhookEndpoint, generation: int | None = None) -> str:
    """The secret of an endpoint's generation, as receivers are given it: `whsec_` and 32 bytes in base64."""
    told = f"webhook\0{endpoint.id}\0{generation or endpoint.generation}"
    return f"whsec_{base64.b64encode(hmac.new(key, told.encode(), hashlib.sha256).digest()).decode()}"


def headers_of(key: bytes, endpoint: WebhookEndpoint, delivery: Delivery, at: datetime) -> dict[str, str]:
    """Id, timestamp and signatures: of the secret, and for a day after a rotation of the one before it too."""
    from standardwebhooks.webhooks import Webhook

    generations = [endpoint.generation]
    if endpoint.rotated_at is not None and at < endpoint.rotated_at + OVERLAP:
        generations.append(endpoint.generation - 1)
    signed = [Webhook(secret_of(key, endpoint, one)).sign(delivery.id, at, delivery.payload) for one in generations]
    return {
        "webhook-id": delivery.id,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": " ".join(signed),
        "content-type": "application/json",
        "user-agent": "dissolution-fleet-webhooks/1",
    }


def post(url: str, target: Target, body: bytes, headers: Mapping[str, str]) -> WebhookResponse:
    """POST to the address that was checked, under the name it was given by; no redirect, no proxy, no body read.

    Raises Unreachable.
    """
    import httpx

    address = httpx.URL(url).copy_with(host=target.address, port=target.port)
    try:
        with (
            httpx.Client(timeout=TIMEOUT_S, follow_redirects=False, trust_env=False) as client,
            client.stream(
                "POST",
                address,
                content=body,
                headers={**headers, "host": target.host},
                extensions={"sni_hostname": target.name},
            ) as reply,
        ):
            return WebhookResponse(reply.status_code, cast("Any", reply.headers).get("retry-after"))
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
        raise Unreachable(type(error).__name__) from error


def wait_s(attempts: int, retry_after: str | None, at: datetime) -> float | None:
    """How long to wait (s) after attempt number `attempts`; None when it was the last.

    An endpoint that names a longer pause is given it, up to a day.
    """
    if attempts > len(WAITS_S):
        return None
    own = WAITS_S[attempts - 1] * (1 + JITTER * secrets.randbelow(1000) / 1000)
    return min(max(own, asked_s(retry_after, at)), LONGEST_WAIT_S * (1 + JITTER))


def asked_s(retry_after: str | None, at: datetime) -> float:
    """The pause that a Retry-After header asks for (s), given in seconds or as a date; 0 without one."""
    if retry_after is None:
        return 0.0
    if retry_after.strip().isdigit():
        return min(float(retry_after[:9]), LONGEST_WAIT_S)
    try:
        return max(0.0, (parsedate_to_datetime(retry_after) - at).total_seconds())
    except (ValueError, TypeError):
        return 0.0


class WebhookSender:
    """Delivers what is due. Any number may run: each delivery is taken by one of them at a time.

    Args:
        settings: Whether private addresses may be called.
        unit_of_work: The store.
        clock: Time.
        send: How a request is sent.
    """

    def __init__(self, settings: Settings, *, unit_of_work: UnitOfWorkFactory, clock: Clock, send: Post = post) -> None:
        self._private = settings.webhook_private_addresses
        self._unit_of_work = unit_of_work
        self._clock = clock
        self._send = send

    def run(self, stop: threading.Event) -> None:
        """Deliver until `stop` is set. A database that is away is waited for."""
        away = False
        while not stop.wait(LOOK_S):
            try:
                while self.look() and not stop.is_set():
                    pass
            except StoreError as error:
                if not away:
                    log.warning("%s; webhooks wait", error)
                away = True
                continue
            away = False

    def look(self) -> int:
        """Deliver what is due now, several at a time; how many attempts were made. Raises StoreError."""
        with self._unit_of_work() as work:
            now = self._clock.now()
            key = work.installation_key()
            taken = work.service.webhooks.take(now, AT_ONCE, LEASE_S)
            work.service.replays.purge(now)
            work.commit()
        if not taken:
            return 0
        with ThreadPoolExecutor(max_workers=len(taken)) as pool:
            waiting = [pool.submit(self._attempt, key, delivery, endpoint) for delivery, endpoint in taken]
            told = [one.result() for one in waiting]
        with self._unit_of_work() as work:
            for delivery, endpoint in told:
                work.service.webhooks.settle(delivery)
                if endpoint is not None:
                    work.service.webhooks.add(endpoint)
            work.commit()
        return len(told)

    def _attempt(
        self, key: bytes, delivery: Delivery, endpoint: WebhookEndpoint
    ) -> tuple[Delivery, WebhookEndpoint | None]:
        """What came of one attempt; with the endpoint when it is to be called no more."""
        now = self._clock.now()
        if endpoint.disabled_at is not None:
            return given_up(delivery, now, "the endpoint is disabled"), None
        try:
            target = target_of(endpoint.url, private=self._private)
            headers = headers_of(key, endpoint, delivery, now)
            reply = self._send(endpoint.url, target, delivery.payload.encode(), headers)
        except (InputError, Unreachable) as error:
            return put_off(delivery, now, None, str(error)), None
        if reply.status == GONE:
            disabled = endpoint.model_copy(update={"disabled_at": now, "disabled_why": "it answered 410 Gone"})
            return given_up(delivery, now, "it answered 410 Gone", GONE), disabled
        if 200 <= reply.status < 300:  # noqa: PLR2004 - HTTP's success
            return delivery.model_copy(update={"delivered_at": now, "status": reply.status, "problem": None}), None
        return put_off(delivery, now, reply, f"it answered {reply.status}"), None


def put_off(delivery: Delivery, at: datetime, reply: WebhookResponse | None, why: str) -> Delivery:
    """The delivery with its next time, or given up after the last."""
    status = None if reply is None else reply.status
    wait = wait_s(delivery.attempts, None if reply is None else reply.retry_after, at)
    if wait is None:
        return given_up(delivery, at, why, status)
    return delivery.model_copy(update={"due_at": at + timedelta(seconds=wait), "status": status, "problem": why[:500]})


def given_up(delivery: Delivery, at: datetime, why: str, status: int | None = None) -> Delivery:
    """The delivery as one that is tried no more; a person may send it again."""
    return delivery.model_copy(update={"failed_at": at, "status": status, "problem": why[:500]})


def sent_again(delivery: Delivery, at: datetime) -> Delivery:
    """The delivery as one that is due now, with all its attempts; its id stays, so receivers may tell a repeat."""
    fresh = {"due_at": at, "attempts": 0, "delivered_at": None, "failed_at": None, "status": None, "problem": None}
    return delivery.model_copy(update=fresh)
