"""Where a webhook may go: the address is resolved once, checked, and connected to as it was checked.

A name that is checked and then resolved again may have changed in between (DNS rebinding); so what is connected to is
the address, with the name in the Host header and in TLS.
"""

import ipaddress
import socket
from collections.abc import Callable, Sequence
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from dissolution.errors import InputError

PORTS = frozenset({443, 8443})
"""Ports a webhook may go to: those of HTTPS servers, so that nobody is made to talk to mail or databases."""

NAT64 = (ipaddress.ip_network("64:ff9b::/96"), ipaddress.ip_network("64:ff9b:1::/48"))
"""Addresses that a gateway turns into IPv4 ones, private ones too."""

Resolve = Callable[[str, int], Sequence[str]]


class Target(NamedTuple):
    """One address that was checked, and the name it was resolved from."""

    address: str
    port: int
    host: str  # as the Host header has it
    name: str  # as TLS checks it


def resolve(host: str, port: int) -> Sequence[str]:
    """All addresses of a name. Raises OSError."""
    return [str(found[4][0]) for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def is_public(address: str) -> bool:
    """Whether an address is one of the internet's, also when it is an IPv4 address in IPv6's clothes."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour or (found.teredo[1] if found.teredo else None)
        if inner is not None:
            return is_public(str(inner))
        if any(found in network for network in NAT64):
            return False
    return found.is_global and not found.is_multicast


def check_url(url: str, *, private: bool) -> SplitResult:
    """The parts of a URL that may be called. Raises InputError; nothing is resolved yet."""
    try:
        parts = urlsplit(url)
        port = parts.port
        host = (parts.hostname or "").encode("idna").decode() if parts.hostname else ""
    except (ValueError, UnicodeError) as error:
        raise InputError(f"webhook URL {url!r}", f"it cannot be read: {error}") from error
    if parts.scheme != "https" and not (private and parts.scheme == "http"):
        raise InputError(f"webhook URL {url!r}", "give one that begins with https://")
    if not host or parts.username is not None or parts.password is not None or not url.isprintable() or " " in url:
        raise InputError(f"webhook URL {url!r}", "give a host, and neither user, password nor blanks")
    if not private and (port or 443) not in PORTS:
        raise InputError(f"webhook URL {url!r}, port {port}", f"use one of {', '.join(map(str, sorted(PORTS)))}")
    return parts


def target_of(url: str, *, private: bool, resolver: Resolve = resolve) -> Target:
    """The address to connect to. Raises InputError when the URL, or any address of its host, may not be called."""
    parts = check_url(url, private=private)
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        addresses = resolver(host, port)
    except (OSError, UnicodeError) as error:
        raise InputError(f"webhook host {host!r}", f"it cannot be resolved: {type(error).__name__}") from error
    if not addresses:
        raise InputError(f"webhook host {host!r}", "it has no address")
    for address in addresses:
        if not private and not is_public(address):
            raise InputError(f"webhook host {host!r}", "one of its addresses is not on the internet; give another host")
    return Target(addresses[0], port, parts.netloc, host)
