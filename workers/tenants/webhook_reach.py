"""Whether a webhook's address can be reached, tried once when it is named: so that nobody waits for a call in vain.

The rules for addresses are those of every delivery, and the connection goes to the address that was checked. Nothing is
sent over it: for HTTPS it is opened as far as TLS, with the certificate checked as a delivery checks it.
"""

import socket
import ssl
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from dissolution.errors import InputError
from workers.tenants.webhook_addresses import Resolve, Target, resolve, target_of

T = TypeVar("T")

REACH_S = 5.0
"""How long finding and reaching the address may take together (s): whoever names it waits for the answer."""

AT_ONCE = 8
"""Names that are looked up at a time. A resolver keeps its thread for as long as it likes, whoever has gone."""

PLACES = threading.BoundedSemaphore(AT_ONCE)

Reach = Callable[[str, bool], None]
"""Raises InputError for a URL that cannot be reached; with whether private addresses may be."""


class TooLong(Exception):
    """What was asked did not answer in time."""


def refuse_unreachable(url: str, private: bool, *, resolver: Resolve = resolve, within_s: float = REACH_S) -> None:  # noqa: FBT001 - as `Reach` has it
    """Raise InputError, with the reason, when a URL may not be called or cannot be reached now.

    Blocks for `within_s` seconds at most: call it from a thread, not from an event loop.

    Args:
        url: As it was given.
        private: Whether addresses of this machine and its network may be called, and plain HTTP be spoken.
        resolver: Finds the addresses of a name.
        within_s: How long all of it may take (s).
    """
    until = time.monotonic() + within_s
    try:
        target = within(within_s, lambda: target_of(url, private=private, resolver=resolver))
        connect(target, tls=url.lower().startswith("https:"), until=until)
    except TooLong as error:
        raise InputError(f"webhook URL {url!r}", f"{error}; try again, or give another") from error
    except (OSError, ValueError) as error:
        remedy = "start the receiver first, or give another address"
        raise InputError(f"webhook URL {url!r}", f"it cannot be reached ({reason(error)}); {remedy}") from error


def within(limit_s: float, ask: Callable[[], T]) -> T:
    """What `ask` returns or raises; it is left alone after `limit_s` seconds. Raises TooLong."""
    if not PLACES.acquire(blocking=False):
        raise TooLong("too many webhooks are being named at once")
    answers: list[T] = []
    errors: list[Exception] = []

    def run() -> None:
        try:
            answers.append(ask())
        except Exception as error:  # noqa: BLE001 - raised again for who asked
            errors.append(error)
        finally:
            PLACES.release()

    thread = threading.Thread(target=run, name="webhook-address", daemon=True)  # the process may end before it does
    thread.start()
    thread.join(limit_s)
    if errors:
        raise errors[0]
    if not answers:
        raise TooLong(f"its host was not found within {limit_s:g} s")
    return answers[0]


def connect(target: Target, *, tls: bool, until: float) -> None:
    """Open a connection and close it. Raises OSError, TooLong."""
    try:
        with socket.create_connection((target.address, target.port), timeout=left(until)) as opened:
            if tls:
                opened.settimeout(left(until))
                with certificates().wrap_socket(opened, server_hostname=target.name):
                    pass
    except TimeoutError as error:
        raise TooLong("it does not answer in time") from error


def left(until: float) -> float:
    """Seconds that are left. Raises TooLong when none are."""
    seconds = until - time.monotonic()
    if seconds <= 0:
        raise TooLong("it does not answer in time")
    return seconds


def certificates() -> ssl.SSLContext:
    """The authorities that deliveries trust."""
    import httpx

    return httpx.create_ssl_context(trust_env=False)


def reason(error: Exception) -> str:
    """Why a connection failed, in a few words."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not accepted: {error.verify_message}"
    if isinstance(error, ssl.SSLError):
        return "it speaks no TLS"
    said = error.strerror if isinstance(error, OSError) else None
    return (said or type(error).__name__).lower()
