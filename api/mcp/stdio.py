"""The tools over stdin and stdout, for an agent's host that starts this program itself.

Stdout carries the protocol alone: whatever else this process or its libraries print goes to stderr. It ends when its
host closes stdin or sends SIGTERM.
"""

import asyncio
import json
import os
import re
import signal
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Generator
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING, cast

import anyio
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp.types import INVALID_REQUEST, ErrorData, JSONRPCError

from api.bodies import refuse_doubles
from api.errors import MalformedBody
from api.limits import RequestLimits
from api.mcp.server import make_server
from api.server import serving, traced
from api.state import Api, Caller
from dissolution.service import KeyScope
from dissolution.settings import Settings, load_settings
from dissolution.tenancy import DEFAULT_TENANT
from workers.telemetry.logs import set_up_logs

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream

CLIENT = "stdio"
"""Who acted, as the ledger records it."""

CHUNK = 65_536

HALF = re.compile(r"\\u[dD][89a-fA-F]")
"""What half a character may be written as in JSON."""

WAITING = 16
"""Lines that may wait to be taken before reading pauses."""


def serve_stdio(settings: Settings | None = None) -> int:
    """Serve until stdin ends or the process is told to stop; 0.

    Raises InvalidSettings, StoreError, and KeyboardInterrupt after a Ctrl-C, once all has ended in good order.
    """
    settings = settings or load_settings()
    set_up_logs(settings)
    with set_apart(0) as wire, traced(settings) as tracing, serving(settings, tracing) as services:
        embedded = settings.api_mode == "embedded"
        limits = RequestLimits(settings.api_requests_per_minute)
        with closing(Api(services=services, limits=limits, embedded=embedded, tracing=tracing)) as api:
            told = asyncio.run(_serve(api, wire))
    if told == signal.SIGINT:
        raise KeyboardInterrupt
    return 0


async def _serve(api: Api, wire: int) -> int | None:
    """The signal that ended it; None when stdin did."""
    # Whoever may start this program on this database may do all that the command line does.
    local = Caller(tenant=DEFAULT_TENANT, client=CLIENT, scopes=(KeyScope.ADMIN,), name=CLIENT, api=api)
    server = make_server(lambda _: local)
    told: list[int] = []
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_stop_when_told, tasks.cancel_scope, told)
        refusing, refusals = anyio.create_memory_object_stream[SessionMessage](WAITING)
        lines = cast("anyio.AsyncFile[str]", Lines(wire, refusing.send))  # it is only gone through, which it can be
        async with stdio_server(stdin=lines) as (incoming, outgoing):
            tasks.start_soon(_pass_on, refusals, outgoing.send)
            await server.run(incoming, outgoing, server.create_initialization_options())
        tasks.cancel_scope.cancel()
    return told[0] if told else None


async def _stop_when_told(scope: anyio.CancelScope, told: list[int]) -> None:
    if os.name != "posix":  # there a signal cannot be waited for; `api.mcp.__main__` ends the program at once
        return
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async for number in signals:
            told.append(number)
            scope.cancel()
            return


async def _pass_on(
    refusals: "MemoryObjectReceiveStream[SessionMessage]", send: Callable[[SessionMessage], Awaitable[None]]
) -> None:
    with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):  # the host has gone
        async for refusal in refusals:
            await send(refusal)


@contextmanager
def set_apart(number: int) -> Generator[int]:
    """A copy of a descriptor, whose place reads as empty meanwhile: no child process may take the host's words.

    The copy is left open, since a reader may still wait on it.
    """
    apart, nothing = os.dup(number), os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, number)
    os.close(nothing)
    try:
        yield apart
    finally:
        os.dup2(apart, number)


class Lines:
    """The lines of a descriptor, read by a thread of their own: a read that waits for ever must not hold up the end.

    The thread is a daemon and reads without Python's buffers, so the interpreter can end while it waits.

    Args:
        descriptor: What is read.
        refuse: Takes the answer to a line that is refused; such a line is not among those that come out.
    """

    def __init__(self, descriptor: int, refuse: Callable[[SessionMessage], Awaitable[None]]) -> None:
        self._descriptor = descriptor
        self._refuse = refuse

    async def __aiter__(self) -> AsyncIterator[str]:
        """Lines without their ends, until the descriptor ends."""
        loop, lines = asyncio.get_running_loop(), asyncio.Queue[bytes | None]()
        room = threading.Semaphore(WAITING)

        def read() -> None:
            with suppress(RuntimeError):  # the loop has ended before the host did
                for line in lines_of(self._descriptor):
                    room.acquire()
                    loop.call_soon_threadsafe(lines.put_nowait, line)
                loop.call_soon_threadsafe(lines.put_nowait, None)

        threading.Thread(target=read, name="stdin", daemon=True).start()
        while (line := await lines.get()) is not None:
            room.release()
            text = line.decode(errors="replace")
            refusal = await asyncio.to_thread(refusal_of, text)
            if refusal is None:
                yield mended(text)
            else:
                await self._refuse(SessionMessage(refusal))


def refusal_of(line: str) -> JSONRPCError | None:
    """The answer to a message with a key given twice in one object, as HTTP refuses it; None for any other line.

    It has the id of the request, so that nobody waits for ever; none where the id itself is in doubt or of no kind
    that the protocol knows.
    """
    try:
        refuse_doubles(line.encode())
    except MalformedBody as refused:
        wanted = ErrorData(code=INVALID_REQUEST, message=str(refused))
        return JSONRPCError(jsonrpc="2.0", id=_only_id(line), error=wanted)
    return None


class Pairs(list[tuple[str, object]]):
    """The names and values of one object in their order, doubled names too."""


def _only_id(line: str) -> str | int | None:
    """The id of a message that has exactly one."""
    try:
        pairs: object = json.loads(line, object_pairs_hook=Pairs)
    except (ValueError, RecursionError):
        return None
    ids: list[object] = [value for name, value in (pairs if isinstance(pairs, Pairs) else ()) if name == "id"]
    only = ids[0] if len(ids) == 1 else None
    return only if isinstance(only, str | int) and not isinstance(only, bool) else None


def mended(line: str) -> str:
    """A message without half characters: the protocol's library would drop it, and its host wait for ever."""
    if HALF.search(line) is None:
        return line
    try:
        return json.dumps(json.loads(line), ensure_ascii=False).encode(errors="replace").decode()
    except (ValueError, RecursionError):
        return line


def lines_of(descriptor: int) -> Generator[bytes]:
    """The lines of a descriptor as they come, empty ones left out; the last one may have no end."""
    parts: list[bytes] = []
    while chunk := _read(descriptor):
        *whole, rest = chunk.split(b"\n")
        for end in whole:
            line = b"".join([*parts, end]).strip()
            parts.clear()
            if line:
                yield line
        parts.append(rest)
    if last := b"".join(parts).strip():
        yield last


def _read(descriptor: int) -> bytes:
    """Some bytes; none at the end, and none when the descriptor was closed under the reader."""
    try:
        return os.read(descriptor, CHUNK)
    except OSError:
        return b""
