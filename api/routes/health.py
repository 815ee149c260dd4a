"""Whether the service lives, is ready, and which version runs. No key is asked: nothing of anybody is told."""

import anyio.to_thread
from fastapi import APIRouter, Request, Response

from api.problems import documented
from api.replies import made
from api.schemas import Alive, Version
from api.state import Api
from dissolution import __version__

router = APIRouter(tags=["health"])

API_VERSION = "v1"
UNAVAILABLE = {503: {"model": Alive, "description": "It cannot do its work now; `detail` says why."}}


@router.get("/health", response_model=Alive, responses=documented(400, 431, 500))
async def health() -> Response:
    """The process answers."""
    return made(Alive(status="ok", detail="the service answers"))


@router.get("/ready", response_model=Alive, responses={**documented(400, 431, 500), **UNAVAILABLE})
async def ready(request: Request) -> Response:
    """The database takes writes too: requests can be served. It is tried once a second at most."""
    api: Api = request.app.state.api
    problem = await anyio.to_thread.run_sync(api.readiness.problem, limiter=api.apart)
    if problem is not None:
        return made(Alive(status="unavailable", detail=problem), 503)
    return made(Alive(status="ok", detail="the database takes writes"))


@router.get("/v1/version", response_model=Version, responses=documented(400, 431, 500))
def version() -> Response:
    """Which version runs."""
    from store.sql.migrate import expected_revision

    return made(Version(software=__version__, api=API_VERSION, schema_revision=expected_revision()))
