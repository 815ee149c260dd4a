"""HTTP as it may come over a socket."""

import asyncio

import pytest

from devtools.loopback_http import MAX_BODY_BYTES, MAX_HEADER_BYTES, BadRequest, Request, read_request


def read(data: bytes) -> Request | None:
    async def run() -> Request | None:
        reader = asyncio.StreamReader(limit=MAX_HEADER_BYTES)
        reader.feed_data(data)
        reader.feed_eof()
        return await read_request(reader)

    return asyncio.run(run())


def test_a_request_with_a_body_and_a_query() -> None:
    request = read(
        b"POST /v1/messages?beta=true HTTP/1.1\r\nX-Api-Key:  k \r\nnonsense\r\nContent-Length: 2\r\n\r\n{}rest"
    )
    assert request == Request("POST", "/v1/messages", {"x-api-key": "k", "content-length": "2"}, b"{}")


def test_a_body_in_chunks() -> None:
    request = read(b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n")
    assert request is not None
    assert request.body == b"abc0123456789"


def test_no_body_and_no_request() -> None:
    request = read(b"GET /stats HTTP/1.1\r\n\r\n")
    assert request is not None
    assert request.body == b""
    assert read(b"") is None
    assert read(b"GET /half HTTP/1.1\r\n") is None


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"hello\r\n\r\n", "no request line: 'hello'"),
        (b"GET / SPDY/3\r\n\r\n", "no request line"),
        (b"POST / HTTP/1.1\r\ncontent-length: -1\r\n\r\n", "content-length '-1'"),
        (b"POST / HTTP/1.1\r\ncontent-length: x\r\n\r\n", "content-length 'x'"),
        (f"POST / HTTP/1.1\r\ncontent-length: {MAX_BODY_BYTES + 1}\r\n\r\n".encode(), "content-length"),
        (b"POST / HTTP/1.1\r\ncontent-length: 5\r\n\r\nab", "the body ends early"),
        (b"POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n", "chunk size b'zz'"),
        (b"POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n-1\r\n", "more than"),
        (b"POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nFFFFFFFF\r\n", "more than"),
        (b"POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab", "the body ends early"),
        (b"GET / HTTP/1.1\r\nx: " + b"a" * (MAX_HEADER_BYTES + 10) + b"\r\n\r\n", "header of more than"),
    ],
)
def test_what_is_no_request_is_said_so(data: bytes, message: str) -> None:
    with pytest.raises(BadRequest, match=message.replace("(", "\\(")):
        read(data)
