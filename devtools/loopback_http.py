"""As much of HTTP/1.1 as the loopback provider needs, over asyncio streams: requests in, good or broken replies out."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

MAX_HEADER_BYTES = 65_536
MAX_BODY_BYTES = 64_000_000

REASONS: Mapping[int, str] = {
    200: "OK",
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    413: "Content Too Large",
    429: "Too Many Requests",
    500: "Internal Server Error",
    502: "Bad Gateway",
    503: "Service Unavailable",
    529: "Overloaded",
}


@dataclass(frozen=True)
class Request:
    """One request: header names in lower case, the body whole."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Response:
    """One response, and how to ill-treat it on the way out."""

    status: int
    body: bytes
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    drip_s: float | None = None  # pause after every byte
    cut: bool = False  # half the body, then close
    drop: bool = False  # nothing at all, then close


class BadRequest(ValueError):
    """What came is no request; the text says why."""


def json_response(status: int, content: object, headers: Mapping[str, str] | None = None) -> Response:
    """A response whose body is `content` as JSON."""
    return Response(status, json.dumps(content).encode(), headers=headers or {})


async def read_request(reader: asyncio.StreamReader) -> Request | None:
    """The next request of a connection, or None when it was closed. Raises BadRequest."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    except asyncio.LimitOverrunError:
        message = f"header of more than {MAX_HEADER_BYTES} bytes"
        raise BadRequest(message) from None
    lines = head.decode("latin-1").split("\r\n")
    words = lines[0].split(" ")
    if len(words) != len(("method", "path", "version")) or not words[2].startswith("HTTP/1."):
        message = f"no request line: {lines[0]!r}"
        raise BadRequest(message)
    headers: dict[str, str] = {}
    for line in lines[1:]:
        name, colon, value = line.partition(":")
        if colon:
            headers[name.strip().lower()] = value.strip()
    body = await _read_chunks(reader) if "chunked" in headers.get("transfer-encoding", "") else None
    if body is None:
        body = await _read_length(reader, headers.get("content-length", "0"))
    return Request(words[0], words[1].partition("?")[0], headers, body)


async def _read_length(reader: asyncio.StreamReader, length: str) -> bytes:
    if not (length.isascii() and length.isdigit()) or int(length) > MAX_BODY_BYTES:
        message = f"content-length {length!r}"
        raise BadRequest(message)
    return await _exactly(reader, int(length))


async def _exactly(reader: asyncio.StreamReader, length: int) -> bytes:
    try:
        return await reader.readexactly(length)
    except asyncio.IncompleteReadError:
        message = "the body ends early"
        raise BadRequest(message) from None


async def _read_chunks(reader: asyncio.StreamReader) -> bytes:
    body = bytearray()
    while True:
        line = (await reader.readline()).strip().partition(b";")[0]
        try:
            size = int(line, 16)
        except ValueError:
            message = f"chunk size {line!r}"
            raise BadRequest(message) from None
        if size < 0 or len(body) + size > MAX_BODY_BYTES:
            message = f"a body of more than {MAX_BODY_BYTES} bytes"
            raise BadRequest(message)
        body += await _exactly(reader, size)
        await reader.readline()
        if size == 0:
            return bytes(body)


async def write_response(writer: asyncio.StreamWriter, response: Response) -> bool:
    """Send it. Returns whether the connection may serve another request."""
    if response.drop:
        return False
    head = [
        f"HTTP/1.1 {response.status} {REASONS.get(response.status, 'Unknown')}",
        f"content-type: {response.content_type}",
        f"content-length: {len(response.body)}",
        *(f"{name}: {value}" for name, value in response.headers.items()),
    ]
    writer.write(("\r\n".join(head) + "\r\n\r\n").encode("latin-1"))
    if response.cut:
        writer.write(response.body[: len(response.body) // 2])
        await writer.drain()
        return False
    if response.drip_s is None:
        writer.write(response.body)
        await writer.drain()
        return True
    for place in range(len(response.body)):
        writer.write(response.body[place : place + 1])
        await writer.drain()
        await asyncio.sleep(response.drip_s)
    return True
