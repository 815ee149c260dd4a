"""Whether the service lives, is ready, and which version runs. No key is asked: nothing of anybody is told."""

from fastapi import APIRouter, Request, Response

from api.problems import documented
from api.replies import made
from api.schemas import Alive, Version
from api.state import Api
from dissolution import __version__
from dissolution.errors import DissolutionError

router = APIRouter(tags=["health"])

API_VERSION = "v1"
UNAVAILABLE = {503: {"model": Alive, "description": "It cannot do its work now; `detail` says why."}}


@router.get("/health", response_model=Alive, responses=documented(400, 431, 500))
def health() -> Response:
    """The process answers."""
    return made(Alive(status="ok", detail="the service answers"))


@router.get("/ready", response_model=Alive, responses={**documented(400, 431, 500), **UNAVAILABLE})
def ready(request: Request) -> Response:
    """The database answers too: requests can be served."""
    api: Api = request.app.state.api
    try:
        with api.reads() as work:
            work.service.keys.get("none")
    except DissolutionError as error:
        return made(Alive(status="unavailable", detail=error.code.replace("_", " ")), 503)
    return made(Alive(status="ok", detail="the database answers"))


@router.get("/v1/version", response_model=Version, responses=documented(400, 431, 500))
def version() -> Response:
    """Which version runs."""
    from store.migrate import expected_revision

    return made(Version(software=__version__, api=API_VERSION, schema_revision=expected_revision()))
