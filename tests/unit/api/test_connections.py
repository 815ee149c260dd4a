"""Connections over real sockets: none is held without a request, and health answers whoever holds what."""

import socket
import threading
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
import uvicorn

from api.connections import network_of
from api.server import config_of
from tests.polling import eventually
from tests.unit.api.serving import served

HALF = b"GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
SLOW_BODY = (
    b"POST /v1/conversations HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Content-Length: 1000\r\n\r\n{"
)
LONG_S = 600.0


@contextmanager
def listening(folder: Path, *, most: int = 500, **settings: float) -> Generator[int]:
    """The service on a port of this machine."""
    with served(folder, (), **settings) as api:
        server = uvicorn.Server(config_of(api.app, api.services.settings, 0, most))
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        eventually(lambda: server.started, what="the server started")
        try:
            yield server.servers[0].sockets[0].getsockname()[1]
        finally:
            server.force_exit = server.should_exit = True
            thread.join(20)


def opened(stack: ExitStack, port: int, sent: bytes = b"", host: str = "127.0.0.1") -> socket.socket:
    made = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=20, source_address=(host, 0)))
    made.sendall(sent)
    return made


def asked(port: int, path: str, host: str = "127.0.0.1") -> tuple[int, bytes]:
    """Status and body of an answer; 0 when the connection was closed unread."""
    with ExitStack() as stack:
        connection = opened(stack, port, host=host)
        try:
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
            told = read_to_end(connection)
        except OSError:
            return 0, b""
    head, _, body = told.partition(b"\r\n\r\n")
    return int(head.split()[1]) if head else 0, body


def read_to_end(connection: socket.socket) -> bytes:
    parts = list[bytes]()
    while part := connection.recv(65_536):
        parts.append(part)
    return b"".join(parts)


def is_closed(connection: socket.socket) -> bool:
    connection.setblocking(False)
    try:
        return connection.recv(65_536) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def test_headers_that_never_end_are_told_so_and_closed(tmp_path: Path) -> None:
    with listening(tmp_path, api_headers_s=0.2) as port, ExitStack() as stack:
        assert read_to_end(opened(stack, port, HALF)).startswith(b"HTTP/1.1 408 ")
        assert read_to_end(opened(stack, port)) == b""
        assert asked(port, "/health")[0] == 200


def test_a_byte_now_and_then_does_not_put_the_limit_off(tmp_path: Path) -> None:
    with listening(tmp_path, api_headers_s=0.3) as port, ExitStack() as stack:
        slow = opened(stack, port, HALF)

        def dribbled() -> bool:
            if is_closed(slow):
                return True
            try:
                slow.send(b"a")
            except OSError:
                return True
            return False

        eventually(dribbled, what="the connection was closed")


def test_headers_of_a_second_request_have_the_same_limit(tmp_path: Path) -> None:
    with listening(tmp_path, api_headers_s=0.2) as port, ExitStack() as stack:
        kept = opened(stack, port, b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert kept.recv(65_536).startswith(b"HTTP/1.1 200 ")
        kept.sendall(HALF)
        assert b"HTTP/1.1 408 " in read_to_end(kept)


def test_505_half_open_connections_shut_nobody_out(tmp_path: Path) -> None:
    with listening(tmp_path, api_headers_s=LONG_S) as port, ExitStack() as stack:
        held = [opened(stack, port, HALF) for _ in range(505)]
        for path in ("/health", "/ready", "/v1/conversations"):
            assert asked(port, path)[0] == 200
        eventually(lambda: sum(map(is_closed, held)) >= 405, what="those that waited longest were closed")


def test_half_open_connections_of_many_addresses_shut_nobody_out(tmp_path: Path) -> None:
    with listening(tmp_path, api_headers_s=LONG_S, most=30) as port, ExitStack() as stack:
        for n in range(60):
            opened(stack, port, HALF, host=f"127.0.1.{n + 1}")
        assert asked(port, "/v1/conversations")[0] == 200


def test_where_all_connections_of_an_address_work_it_is_told_to_wait_and_health_answers(tmp_path: Path) -> None:
    with (
        listening(tmp_path, api_connections_per_address=10, api_body_s=LONG_S) as port,
        ExitStack() as stack,
    ):
        for _ in range(10):
            opened(stack, port, SLOW_BODY)
            assert asked(port, "/health", host="127.0.0.2")[0] == 200  # what came before has been read by now
        status, body = asked(port, "/v1/conversations")
        assert (status, b'"crowded"' in body) == (503, True)
        assert asked(port, "/health")[0] == 200
        assert asked(port, "/ready")[0] == 200
        assert asked(port, "/v1/conversations", host="127.0.0.2")[0] == 200


def test_what_works_at_a_request_is_not_put_out(tmp_path: Path) -> None:
    with listening(tmp_path, api_connections_per_address=5, api_headers_s=LONG_S) as port, ExitStack() as stack:
        body = b'{"turns": [{"role": "user", "content": "x"}]}'
        head = b"POST /v1/conversations HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        working = opened(stack, port, head + b"Content-Length: %d\r\nConnection: close\r\n\r\n" % len(body))
        assert asked(port, "/health")[0] == 200  # its headers have been read by now
        for _ in range(40):
            opened(stack, port, HALF)
        assert asked(port, "/health")[0] == 200
        working.sendall(body)
        assert read_to_end(working).startswith(b"HTTP/1.1 201 ")


def test_the_rest_of_a_body_that_was_answered_is_not_waited_for(tmp_path: Path) -> None:
    with listening(tmp_path, api_headers_s=0.2, api_body_s=0.2) as port, ExitStack() as stack:
        told = read_to_end(opened(stack, port, SLOW_BODY))
        assert told.startswith(b"HTTP/1.1 408 ")


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
    ],
)
def test_addresses_of_one_customer_count_together(address: str, network: str) -> None:
    assert network_of(address) == network
