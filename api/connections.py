"""Connections: none is held without a request, none of one address crowds out others, and health always has a place.

The server under the service limits neither how long headers may take nor how many connections one address has, and
counts those that never send a request against everybody. Here a connection that waits for a request is closed in time,
and, where places are short, makes room: the one that has waited longest goes first. What works at a request is never
cut. When even that gives no place, a few connections more are let in for `/health` and `/ready` alone.
"""

import asyncio
import ipaddress
from collections import OrderedDict, defaultdict
from typing import Any

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from api.guard import CROWDED

IN_RESERVE = 20
"""Connections beyond the most that are let in for health; those beyond them are closed unread."""

LINGER_S = 5.0
"""How long an answer may take to be read once its connection is being closed, before it is cut (s)."""


class Places:
    """The connections of one server, by address, and those of them that wait for a request.

    Args:
        most: Connections at a time.
        most_of_one: Connections of one address at a time; of IPv6, of a network of 64 bits, which is one customer's.
        headers_s: How long a connection may take for the headers of its request, from its first byte on (s).
        stalled_s: How long an answer may wait for its reader to take more (s).
    """

    def __init__(self, *, most: int, most_of_one: int, headers_s: float, stalled_s: float) -> None:
        self.most = most
        self.most_of_one = most_of_one
        self.headers_s = headers_s
        self.stalled_s = stalled_s
        self._of = defaultdict[str, OrderedDict[TimedProtocol, None]](OrderedDict)  # the oldest first
        self._waiting = OrderedDict[TimedProtocol, None]()
        self._count = 0

    def take(self, connection: "TimedProtocol") -> bool | None:
        """A place: True for one, False for one in reserve, None for none. Who waited longest may be put out for it."""
        mine = self._of[connection.address]
        enough = True
        if len(mine) >= self.most_of_one:
            enough = self._make_room([one for one in mine if one in self._waiting])
        if enough and self._count >= self.most:
            enough = self._make_room(list(self._waiting))
        if not enough and self._count >= self.most + IN_RESERVE:
            return None
        if not enough and len(mine) >= self.most_of_one + IN_RESERVE:
            return None
        self._of[connection.address][connection] = None  # that of before is forgotten once it is empty
        self._count += 1
        return enough

    def _make_room(self, waiting: "list[TimedProtocol]") -> bool:
        if not waiting:
            return False
        waiting[0].cut()
        return True

    def wait(self, connection: "TimedProtocol") -> None:
        """It waits for a request from now on; where it does already, it has its turn by its first wait."""
        self._waiting.setdefault(connection)

    def work(self, connection: "TimedProtocol") -> None:
        """It has a request, and is not put out."""
        self._waiting.pop(connection, None)

    def leave(self, connection: "TimedProtocol") -> None:
        """It is gone; nothing if it had no place."""
        self._waiting.pop(connection, None)
        mine = self._of.get(connection.address)
        if mine is not None and connection in mine:
            del mine[connection]
            self._count -= 1
        if not mine:
            self._of.pop(connection.address, None)


class TimedProtocol(H11Protocol):
    """The server's protocol with a place among `places` and limits on its time."""

    places: Places

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._late: asyncio.TimerHandle | None = None
        self._stalled: asyncio.TimerHandle | None = None
        self.address = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a place, or be closed unread."""
        super().connection_made(transport)
        self.address = network_of(self.client[0] if self.client else "")
        place = self.places.take(self)
        if place is None:
            self.cut()
            return
        if not place:
            self.app_state = {**self.app_state, CROWDED: True}
        self._settle()

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place back."""
        self.places.leave(self)
        for timer in (self._late, self._stalled):
            if timer is not None:
                timer.cancel()
        self._late = self._stalled = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on. A byte now and then does not put the limit off."""
        super().data_received(data)
        self._settle()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._settle()

    def pause_writing(self) -> None:
        """The reader takes nothing more: cut it off if that lasts."""
        super().pause_writing()
        if self._stalled is None:
            self._stalled = self.loop.call_later(self.places.stalled_s, self.cut)

    def resume_writing(self) -> None:
        """The reader takes more."""
        super().resume_writing()
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def timeout_keep_alive_handler(self) -> None:
        """Close it; what its reader has not taken soon after is dropped."""
        super().timeout_keep_alive_handler()
        self.loop.call_later(LINGER_S, self.transport.abort)

    def cut(self) -> None:
        """End it now, whatever is unread."""
        self.places.leave(self)
        self.transport.abort()

    def _settle(self) -> None:
        """See whether a request is worked at; else the time for its headers runs, from the first look that saw so."""
        if self.transport.is_closing():
            self.loop.call_later(LINGER_S, self.transport.abort)
            return
        if self.cycle and not self.cycle.response_complete:
            self.places.work(self)
            if self._late is not None:
                self._late.cancel()
                self._late = None
            return
        self.places.wait(self)
        # Between two requests the server's own limit runs, until the first byte of the second.
        if self._late is None and self.timeout_keep_alive_task is None:
            self._late = self.loop.call_later(self.places.headers_s, self._too_late)

    def _too_late(self) -> None:
        """Say that the request did not come in time, where something of one has come, and close."""
        self._late = None
        if self.conn.our_state is h11.IDLE and self.conn.trailing_data[0]:
            self.transport.write(b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n")
        self.transport.close()
        self.loop.call_later(LINGER_S, self.transport.abort)


def network_of(address: str) -> str:
    """Whose connections are counted together: an IPv4 address, or a network of IPv6 of 64 bits."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.IPv6Network((found, 64), strict=False))


def protocol_of(places: Places) -> type[TimedProtocol]:
    """The protocol as the server's configuration takes it: a class whose connections share these places."""
    return type("PlacedProtocol", (TimedProtocol,), {"places": places})
