"""Whether a webhook's address can be reached: by its rules, on the address that was checked, and in bounded time."""

import socket
import threading
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager

import pytest

from dissolution.errors import InputError
from tests.polling import LONGEST_S
from tests.ports import free_port
from workers.tenants import webhook_reach
from workers.tenants.webhook_reach import AT_ONCE, PLACES, TooLong, connect, left, refuse_unreachable, within


@contextmanager
def a_listener(*, speaks: bytes = b"") -> Generator[tuple[int, list[bytes]]]:
    """A port of this machine; what whoever connects has sent by the time it leaves."""
    heard: list[bytes] = []
    server = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with closing(server):
            try:
                visitor, _ = server.accept()
            except OSError:
                return
            with visitor:
                if speaks:
                    visitor.sendall(speaks)
                try:
                    heard.append(visitor.recv(1000))
                except OSError:
                    heard.append(b"")

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield server.getsockname()[1], heard
    thread.join()


def test_who_listens_is_reached_and_told_nothing() -> None:
    with a_listener() as (port, heard):
        refuse_unreachable(f"http://127.0.0.1:{port}/hook", True)
    assert heard == [b""]


def test_who_does_not_listen_is_named_with_the_reason() -> None:
    url = f"http://127.0.0.1:{free_port()}/hook"
    with pytest.raises(InputError, match=rf"'{url}'.*\(connection refused\)"):
        refuse_unreachable(url, True)


def test_what_speaks_no_tls_is_no_receiver_of_https() -> None:
    with (
        pytest.raises(InputError, match="it speaks no TLS"),
        a_listener(speaks=b"HTTP/1.1 400 Bad Request\r\n\r\n") as (port, _),
    ):
        refuse_unreachable(f"https://127.0.0.1:{port}/hook", True)


def test_the_rules_for_addresses_come_first() -> None:
    def inside(_host: str, _port: int) -> Sequence[str]:
        return ["10.0.0.1"]

    with pytest.raises(InputError, match="not on the internet"):
        refuse_unreachable("https://hooks.example.com/x", False, resolver=inside)
    with pytest.raises(InputError, match="https"):
        refuse_unreachable("http://hooks.example.com/x", False, resolver=inside)


def test_a_name_that_nobody_knows_is_refused() -> None:
    def nobody(_host: str, _port: int) -> Sequence[str]:
        raise socket.gaierror(-2, "Name or service not known")

    with pytest.raises(InputError, match="it cannot be resolved"):
        refuse_unreachable("https://hooks.example.com/x", False, resolver=nobody)


def test_a_resolver_that_never_answers_holds_nobody_up() -> None:
    done = threading.Event()

    def never(_host: str, _port: int) -> Sequence[str]:
        done.wait()
        return ["8.8.8.8"]

    try:
        with pytest.raises(InputError, match=r"0\.01 s"):
            refuse_unreachable("https://hooks.example.com/x", False, resolver=never, within_s=0.01)
        for _ in range(AT_ONCE - 1):
            with pytest.raises(TooLong):
                within(0.01, done.wait)
        with pytest.raises(TooLong, match="at once"):
            within(0.01, lambda: None)
    finally:
        done.set()
        for _ in range(AT_ONCE):  # until all of those threads have gone
            assert PLACES.acquire(timeout=LONGEST_S)
        PLACES.release(AT_ONCE)


def test_no_time_left_is_no_time_for_a_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TooLong, match="in time"):
        left(0.0)

    def late(_address: object, timeout: float) -> socket.socket:
        raise TimeoutError(timeout)

    monkeypatch.setattr(webhook_reach.socket, "create_connection", late)
    target = webhook_reach.Target("8.8.8.8", 443, "hooks.example.com", "hooks.example.com")
    with pytest.raises(TooLong, match="in time"):
        connect(target, tls=True, until=float("inf"))
