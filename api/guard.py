"""What every request passes before it reaches a route: an id, limits on its body, and a net under faults.

The body is read here, whole, within its limits of size and time, and handed on; nothing later waits for the network.
"""

import asyncio
import logging
import re
import secrets
from collections.abc import Mapping

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.errors import (
    BodyTooLarge,
    BodyTooSlow,
    Crowded,
    HeadersTooLarge,
    InternalFault,
    MalformedBody,
    RequestError,
    UnsupportedBody,
)
from api.problems import MEDIA_TYPE, problem_of

log = logging.getLogger(__name__)

REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
JSON = re.compile(r"application/(?:[\w.+-]+\+)?json(?:\s*;.*)?", re.IGNORECASE)
MOST_HEADER_BYTES = 32_768
MOST_HEADERS = 100
CROWDED = "crowded"
"""In the state of a request: its connection has no place but for health."""

HEALTH = frozenset({"/health", "/ready"})
"""What is answered however crowded it is."""
SECURE: Mapping[bytes, bytes] = {
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
}


class Guard:
    """The outermost layer.

    Args:
        app: What is guarded.
        body_bytes: Largest body (bytes).
        body_s: How long a body may take to arrive (s).
    """

    def __init__(self, app: ASGIApp, *, body_bytes: int, body_s: float) -> None:
        self._app = app
        self._body_bytes = body_bytes
        self._body_s = body_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {bytes(name).lower(): bytes(value) for name, value in scope["headers"]}
        given = headers.get(b"x-request-id", b"").decode("latin-1")
        request_id = given if REQUEST_ID.fullmatch(given) else secrets.token_hex(8)
        scope.setdefault("state", {})["request_id"] = request_id
        started = False

        async def tell(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                more = [*SECURE.items(), (b"x-request-id", request_id.encode())]
                message = {**message, "headers": [*message["headers"], *more]}
            await send(message)

        try:
            _check_place(scope)
            _check_size(scope, headers)
            body = await self._body(headers, receive)
            await self._app(scope, given_again(body, receive), tell)
        except RequestError as error:
            await _tell_problem(error, request_id, tell)
        except Exception as error:  # noqa: BLE001 - whatever it is, the caller gets an answer and the log its kind
            log.error("request %s: %s", request_id, type(error).__name__)  # noqa: TRY400 - a traceback may hold content
            if not started:
                await _tell_problem(InternalFault("a fault of the service", "report it"), request_id, tell)

    async def _body(self, headers: Mapping[bytes, bytes], receive: Receive) -> bytes:
        """The whole body. Raises BodyTooLarge, BodyTooSlow, UnsupportedBody, MalformedBody (cut short)."""
        length = headers.get(b"content-length", b"")
        if length.isdigit() and int(length[:18]) > self._body_bytes:
            raise self._too_large()
        parts, size = list[bytes](), 0
        try:
            async with asyncio.timeout(self._body_s):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise MalformedBody("the body was cut short", "send as much as Content-Length says")
                    size += len(message.get("body", b""))
                    if size > self._body_bytes:
                        raise self._too_large()
                    parts.append(message.get("body", b""))
                    if not message.get("more_body", False):
                        break
        except TimeoutError:
            raise BodyTooSlow("the body did not arrive in time", f"send it within {self._body_s:g} s") from None
        if size:
            _check_kind(headers)
        return b"".join(parts)

    def _too_large(self) -> BodyTooLarge:
        return BodyTooLarge("the body is too large", f"send {self._body_bytes:,} bytes at most")


def _check_place(scope: Scope) -> None:
    """Refuse all but health where connections are short."""
    if scope["state"].get(CROWDED) and scope["path"] not in HEALTH:
        raise Crowded("too many connections have requests under way", "try again when some have ended")


def _check_size(scope: Scope, headers: Mapping[bytes, bytes]) -> None:
    """Refuse what is longer than any request of ours: the server alone limits only what is not complete yet."""
    size = sum(len(name) + len(value) for name, value in headers.items())
    size += len(scope.get("raw_path", b"")) + len(scope.get("query_string", b""))
    if size > MOST_HEADER_BYTES or len(scope["headers"]) > MOST_HEADERS:
        raise HeadersTooLarge(
            "the address and the headers are too long", f"send {MOST_HEADER_BYTES:,} bytes in {MOST_HEADERS} headers"
        )


def _check_kind(headers: Mapping[bytes, bytes]) -> None:
    """Refuse compressed bodies, which may be bombs, and other forms than JSON, which browsers send unasked."""
    encoding = headers.get(b"content-encoding", b"identity").strip().lower()
    if encoding != b"identity":
        raise UnsupportedBody(f"Content-Encoding {encoding.decode('latin-1')!r}", "send the body as it is")
    kind = headers.get(b"content-type", b"").decode("latin-1")
    if not JSON.fullmatch(kind.strip()):
        raise UnsupportedBody(f"Content-Type {kind!r}", "send application/json")


def given_again(body: bytes, receive: Receive) -> Receive:
    """A body that is here already; after it, what the connection says."""
    waiting = [True]

    async def give() -> Message:
        if waiting:
            waiting.clear()
            return {"type": "http.request", "body": body, "more_body": False}
        return await receive()

    return give


async def _tell_problem(error: RequestError, request_id: str, send: Send) -> None:
    problem = problem_of(error, request_id)
    body = problem.model_dump_json(exclude_none=True).encode()
    headers = [(b"content-type", MEDIA_TYPE.encode()), (b"content-length", str(len(body)).encode())]
    if problem.retry_after_s is not None:
        headers.append((b"retry-after", str(round(problem.retry_after_s)).encode()))
    if problem.status in {408, 413, 503}:
        headers.append((b"connection", b"close"))  # what is still on its way is not read
    await send({"type": "http.response.start", "status": problem.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
