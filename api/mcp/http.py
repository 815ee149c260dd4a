"""The tools at one address of the HTTP service: POST /mcp, Streamable HTTP, without sessions.

Whoever asks is let in as at every other address: by an API key with its tenant and scopes, or in embedded mode without
one on loopback. No session is kept, so that a key is checked with every request, any process of the service can answer
any request, and a restart cuts nothing but what is under way.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

import anyio
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from api.bodies import refuse_doubles
from api.errors import Forbidden, InternalFault
from api.guard import given_again
from api.security import bearer, caller, is_loopback
from api.state import Caller
from dissolution.settings import Settings

if TYPE_CHECKING:
    from anyio.abc import TaskGroup, TaskStatus
    from mcp.server.context import ServerRequestContext
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from mcp.server.transport_security import TransportSecuritySettings

PATH = "/mcp"

LOCAL = ("127.0.0.1", "localhost", "[::1]")
"""Names of this machine in a Host header; embedded mode answers to no other."""


class McpEndpoint:
    """An ASGI application that lives within `running`.

    Args:
        settings: The mode and the largest body.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = anyio.Lock()
        self._tasks: TaskGroup | None = None
        self._manager: StreamableHTTPSessionManager | None = None

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """Answer within the block."""
        async with anyio.create_task_group() as tasks:
            self._tasks = tasks
            try:
                yield
            finally:
                self._tasks = self._manager = None
                tasks.cancel_scope.cancel()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let one request in and answer it. Raises Unauthenticated, Forbidden, TooManyRequests, MalformedBody."""
        request = Request(scope)
        refuse_web_pages(request)
        request.state.caller = await run_in_threadpool(caller, request, await bearer(request))
        body = await Request(scope, receive).body()
        await run_in_threadpool(refuse_doubles, body)
        manager = self._manager or await self._started()
        await manager.handle_request(scope, given_again(body, receive), send)

    async def _started(self) -> "StreamableHTTPSessionManager":
        """The library's server, started for the first request: no other address waits for it to be loaded."""
        async with self._lock:
            if self._tasks is None:
                raise InternalFault(
                    "the MCP server does not run", "start the service with `dissolve api` or `dissolve mcp`"
                )
            self._manager = made = self._manager or await self._tasks.start(self._serve)
            return made

    async def _serve(self, *, task_status: "TaskStatus[StreamableHTTPSessionManager]") -> None:
        manager = await run_in_threadpool(new_manager, self._settings)
        async with manager.run():
            task_status.started(manager)
            await anyio.sleep_forever()


def new_manager(settings: Settings) -> "StreamableHTTPSessionManager":
    """What speaks Streamable HTTP, without sessions."""
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    from api.mcp.server import make_server

    return StreamableHTTPSessionManager(
        make_server(let_in),
        stateless=True,
        security_settings=rebinding(settings),
        max_request_body_size=settings.api_body_mb * 1_000_000,
    )


def let_in(request: "ServerRequestContext[dict[str, Any], Any]") -> Caller:
    """Who was let in with the HTTP request that a message came by."""
    return cast("Request", request.request).state.caller


def refuse_web_pages(request: Request) -> None:
    """Raise Forbidden for a request that a web page of elsewhere sends: agents' hosts send no Origin."""
    origin = request.headers.get("origin")
    if origin is not None and not is_loopback(urlsplit(origin).hostname or ""):
        raise Forbidden(f"Origin {origin!r}", "web pages of elsewhere are not let in; ask from an agent's host")


def rebinding(settings: Settings) -> "TransportSecuritySettings":
    """The library's own check of Host and Origin: in embedded mode for names of this machine alone.

    A service has names that are not known here, and asks a key of everybody, which no rebound page has.
    """
    from mcp.server.transport_security import TransportSecuritySettings

    return TransportSecuritySettings(
        enable_dns_rebinding_protection=settings.api_mode == "embedded",
        allowed_hosts=[name for host in LOCAL for name in (host, f"{host}:*")],
        allowed_origins=[
            f"{way}://{name}" for host in LOCAL for way in ("http", "https") for name in (host, f"{host}:*")
        ],
    )
