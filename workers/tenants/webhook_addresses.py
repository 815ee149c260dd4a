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

UNICAST = ipaddress.IPv6Network("2000::/3")
"""All that IANA gives out of IPv6: whatever lies outside is local, in IPv4's clothes, or nobody's yet."""

SPECIAL = tuple(
    map(
        ipaddress.ip_network,
        (
            "2001::/23",  # for protocols, such as Teredo (RFC 2928)
            "2001:db8::/32",  # for examples (RFC 3849)
            "2002::/16",  # 6to4: another IPv4 address inside (RFC 7526)
            "3fff::/20",  # for examples (RFC 9637)
            "192.0.0.0/24",  # for protocols (RFC 6890)
            "192.31.196.0/24",  # AS112 (RFC 7535)
            "192.52.193.0/24",  # AMT (RFC 7450)
            "192.88.99.0/24",  # relays of 6to4 (RFC 7526)
            "192.175.48.0/24",  # AS112 (RFC 7534)
        ),
    )
)
"""Ranges of special use (IANA's registries) that count as global to one version of Python or another, and are no host
of anybody's. What Python knows as private comes on top."""

LOCAL_NAMES = ("localhost", "local", "internal", "intranet", "lan", "home.arpa")
"""Names that, with all below them, no resolver of the internet knows (RFC 6761, 6762, 8375)."""

FOR_LOCAL = (
    "for a receiver on this machine or its network, start the service with DISSOLVE_WEBHOOK_PRIVATE_ADDRESSES=true"
)
"""What whoever tries webhooks out needs to know: the setting `webhook_private_addresses`."""

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
        if found.ipv4_mapped is not None:
            return is_public(str(found.ipv4_mapped))
        if found not in UNICAST:
            return False
    if any(found.version == network.version and found in network for network in SPECIAL):
        return False
    return found.is_global and not found.is_multicast


def is_local(host: str) -> bool:
    """Whether a host is known to be private without asking: an address in any spelling, or a name of local use."""
    plain = host.rstrip(".").lower()
    if any(plain == name or plain.endswith(f".{name}") for name in LOCAL_NAMES):
        return True
    try:
        written = str(ipaddress.ip_address(plain.partition("%")[0]))
    except ValueError:
        try:  # as resolvers read it: `127.1`, `0x7f000001`, `017700000001`
            written = socket.inet_ntoa(socket.inet_aton(plain))
        except (OSError, UnicodeError):
            return False
    return not is_public(written)


def check_url(url: str, *, private: bool) -> SplitResult:
    """The parts of a URL that may be called. Raises InputError; nothing is resolved yet."""
    try:
        parts = urlsplit(url)
        port = parts.port
        host = (parts.hostname or "").encode("idna").decode() if parts.hostname else ""
    except (ValueError, UnicodeError) as error:
        raise InputError(f"webhook URL {url!r}", f"it cannot be read: {error}") from error
    if parts.scheme != "https" and not (private and parts.scheme == "http"):
        raise InputError(f"webhook URL {url!r}", f"give one that begins with https://; {FOR_LOCAL}")
    if not host or parts.username is not None or parts.password is not None or not url.isprintable() or " " in url:
        raise InputError(f"webhook URL {url!r}", "give a host, and neither user, password nor blanks")
    if not private and is_local(host):
        raise InputError(f"webhook URL {url!r}", f"its host is not on the internet; give another; {FOR_LOCAL}")
    if not private and (port or 443) not in PORTS:
        raise InputError(
            f"webhook URL {url!r}, port {port}", f"use one of {', '.join(map(str, sorted(PORTS)))}; {FOR_LOCAL}"
        )
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
            remedy = f"one of its addresses is not on the internet; give another host; {FOR_LOCAL}"
            raise InputError(f"webhook host {host!r}", remedy)
    return Target(addresses[0], port, parts.netloc, host)
