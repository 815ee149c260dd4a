"""The application: every route, errors as problem documents, and the document that describes it all."""

import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from types import ModuleType
from typing import Any, cast

import anyio.to_thread
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute, Match, Route

from api.bodies import MODELS, place
from api.errors import InternalFault, InvalidRequest, MalformedBody, MethodNotAllowed, NoSuchRoute, RequestError
from api.guard import Guard
from api.limits import RequestLimits
from api.mcp.http import PATH, McpEndpoint
from api.problems import MEDIA_TYPE, Problem, problem_of
from api.routes import (
    boundaries,
    contexts,
    conversations,
    dissolutions,
    events,
    health,
    intake,
    offers,
    results,
    stability,
    triggers,
    webhooks,
)
from api.state import Api
from dissolution import __version__
from dissolution.errors import DissolutionError, StoreError
from workers.services import Services
from workers.telemetry.tracing import Tracing

log = logging.getLogger(__name__)

ROUTERS = (
    health,
    conversations,
    boundaries,
    contexts,
    offers,
    dissolutions,
    results,
    events,
    triggers,
    stability,
    webhooks,
    intake,
)
"""In the order of the document; an address with fixed words comes before one with a place for an id."""

AT_ONCE = 4
"""Requests that are worked on at a time; others wait in the order they came. Most of a request is Python's own work, of
which one process does one thing at a time: more threads only take turns, and a request costs more of the processor."""

DESCRIPTION = """Dissolve long conversations into verified boundary states: register a conversation, append turns,
ask for dissolutions, follow them, and fetch a context that is ready to send to a model. Errors are problem documents
(RFC 9457); docs/api-errors.md says what to do about each."""


def make_app(services: Services, routers: Sequence[ModuleType] = ROUTERS, *, tracing: Tracing | None = None) -> FastAPI:
    """The application over services that are open.

    Args:
        services: What routes work with.
        routers: The rooms of routes that are served beside the tools for agents (api/mcp).
        tracing: Where the taking of jobs is told; nowhere if None.
    """
    settings = services.settings
    agents = McpEndpoint(settings)
    api = Api(
        services=services,
        limits=RequestLimits(settings.api_requests_per_minute),
        embedded=settings.api_mode == "embedded",
        tracing=tracing,
    )

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        anyio.to_thread.current_default_thread_limiter().total_tokens = AT_ONCE
        async with agents.running():
            yield
        await anyio.to_thread.run_sync(api.close)

    app = FastAPI(
        title="Dissolution fleet",
        version=__version__,
        description=DESCRIPTION,
        openapi_url="/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
    )
    app.state.api = api
    for routes in routers:
        app.include_router(routes.router)
    app.router.routes.append(Route(PATH, agents, methods=["POST"], include_in_schema=False))
    app.add_exception_handler(DissolutionError, _known)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _of_the_framework)
    app.add_middleware(Guard, body_bytes=settings.api_body_mb * 1_000_000, body_s=settings.api_body_s)
    app.openapi = lambda: document(app)
    return app


def answer(request: Request, error: DissolutionError, headers: dict[str, str] | None = None) -> Response:
    """The problem document of an error."""
    state = request.state
    problem = problem_of(error, state.request_id, getattr(state, "tenant", ""))
    told = dict(headers or {})
    if problem.retry_after_s is not None:
        told["retry-after"] = str(max(1, round(problem.retry_after_s)))
    if problem.status == 401:  # noqa: PLR2004 - HTTP's Unauthorized
        told["www-authenticate"] = "Bearer"
    body = problem.model_dump_json(exclude_none=True)
    return Response(body, status_code=problem.status, media_type=MEDIA_TYPE, headers=told)


def _known(request: Request, error: Exception) -> Response:
    if isinstance(error, StoreError):  # its words have the place of the database, which are the operator's alone
        log.error("request %s: %s", request.state.request_id, error)
    return answer(request, cast("DissolutionError", error))


def _invalid(request: Request, error: Exception) -> Response:
    found = cast("list[dict[str, Any]]", cast("RequestValidationError", error).errors())
    fields = ((place(str(one["loc"][0]), tuple(one["loc"][1:])), str(one["msg"])) for one in found)
    return answer(request, InvalidRequest(tuple(fields)))


def _of_the_framework(request: Request, error: Exception) -> Response:
    """What the framework refuses by itself: addresses and methods that nothing has."""
    refused = cast("HTTPException", error)
    headers = {name.lower(): value for name, value in (refused.headers or {}).items()}
    path = repr(request.url.path)
    if refused.status_code == 405:  # noqa: PLR2004 - HTTP's Method Not Allowed
        headers["allow"] = ", ".join(_methods(request))
    kinds: dict[int, RequestError] = {
        404: NoSuchRoute(f"nothing has the address {path}", "see /openapi.json"),
        405: MethodNotAllowed(f"{path} does not take {request.method}", f"use {headers.get('allow', 'another')}"),
        400: MalformedBody("the request cannot be read", "correct it"),
    }
    return answer(
        request, kinds.get(refused.status_code, InternalFault("a fault of the service", "report it")), headers
    )


METHODS = ("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT")


def _methods(request: Request) -> list[str]:
    """All methods that an address takes, of every route that has it; the framework names those of the first."""
    routes: Sequence[BaseRoute] = request.app.router.routes

    def takes(method: str) -> bool:
        return any(route.matches({**request.scope, "method": method})[0] is Match.FULL for route in routes)

    return [method for method in METHODS if takes(method)]


def document(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI 3.1 document, with the types of bodies and of problems."""
    if app.openapi_schema is None:
        made = get_openapi(
            title=app.title,
            version=app.version,
            description=app.description,
            routes=app.routes,
            openapi_version="3.1.0",
        )
        _, bodies = models_json_schema(
            [*((model, "validation") for model in MODELS.values()), (Problem, "serialization")],
            ref_template="#/components/schemas/{model}",
        )
        schemas = made.setdefault("components", {}).setdefault("schemas", {})
        for name, schema in bodies.get("$defs", {}).items():
            schemas.setdefault(name, schema)
        for unused in ("HTTPValidationError", "ValidationError"):
            schemas.pop(unused, None)
        app.openapi_schema = made
    return app.openapi_schema
