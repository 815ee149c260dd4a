"""What happens to a dissolution, as it happens: a stream that can be resumed, and the same facts by polling."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse

from api.errors import InvalidRequest
from api.moments import LARGEST
from api.problems import ALWAYS, documented
from api.replies import shown
from api.security import Reader
from api.state import Caller
from dissolution.errors import NotFound
from dissolution.job import ENDED, JobEvent, JobStatus
from dissolution.values import Frozen

router = APIRouter(prefix="/v1/dissolutions/{dissolution}", tags=["dissolutions"])

LOOK_S = 0.5
"""Pause between two looks into the table of events (s)."""

HEARTBEAT_S = 15.0
"""After so long without an event a comment is sent (s): proxies close what is silent."""

RECONNECT_MS = 2000
STREAM = "text/event-stream"

RESPONSES: dict[int | str, dict[str, Any]] = {
    **documented(*ALWAYS, 404),
    200: {"description": "Events so far, or as they happen.", "content": {STREAM: {"schema": {"type": "string"}}}},
    204: {"description": "The dissolution has ended, and everything was told."},
}


class Events(Frozen):
    """Events of a job above a number, and whether more may come."""

    dissolution: str
    status: JobStatus
    ended: bool
    items: tuple[JobEvent, ...]


@router.get("/events", response_model=Events, responses=RESPONSES)
async def events(
    request: Request,
    caller: Reader,
    dissolution: str,
    after: Annotated[int, Query(ge=0, le=LARGEST, description="Events with a number above this.")] = 0,
    last_event_id: Annotated[
        str | None, Header(max_length=20, description="The last `id` of a stream that is resumed.")
    ] = None,
) -> Response:
    """As JSON, or with `Accept: text/event-stream` as server-sent events whose ids count from 1.

    A stream ends with the job. Resumed by `Last-Event-ID` it goes on where it was cut, whatever was restarted
    meanwhile: the ids are those of the table of events. The details hold no content of the conversation.
    """
    since = after if last_event_id is None else _number(last_event_id)
    told = await run_in_threadpool(_look, caller, dissolution, since)
    if STREAM not in request.headers.get("accept", ""):
        return shown(request, told)
    if told.ended and not told.items:
        return Response(status_code=204)
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(_stream(request, caller, told, since), media_type=STREAM, headers=headers)


def _number(given: str) -> int:
    if not given.isascii() or not given.isdigit() or int(given) > LARGEST:
        raise InvalidRequest((("header.last-event-id", "give the id of an event, a whole number"),))
    return int(given)


def _look(caller: Caller, dissolution: str, after: int) -> Events:
    with caller.api.reads() as work:
        job = caller.job(work, dissolution)
        found = work.jobs.events(job.id, after)
    return Events(dissolution=job.id, status=job.status, ended=job.status in ENDED, items=found)


async def _stream(request: Request, caller: Caller, told: Events, since: int) -> AsyncIterator[bytes]:
    """The events that are there, then those that come, until the job has ended or nobody listens any more."""
    loop = asyncio.get_running_loop()
    yield f"retry: {RECONNECT_MS}\n\n".encode()
    spoke = loop.time()
    while True:
        for event in told.items:
            since = event.number
            yield framed(event)
            spoke = loop.time()
        if told.ended:
            yield f"event: end\ndata: {json.dumps({'status': told.status.value})}\n\n".encode()
            return
        if await request.is_disconnected():
            return
        if loop.time() - spoke >= HEARTBEAT_S:
            yield b": still here\n\n"
            spoke = loop.time()
        await asyncio.sleep(LOOK_S)
        try:
            told = await run_in_threadpool(_look, caller, told.dissolution, since)
        except NotFound:  # its conversation was erased
            yield b"event: gone\ndata: {}\n\n"
            return


def framed(event: JobEvent) -> bytes:
    """One event as the stream has it; its data is one line of JSON."""
    told = {"at": event.at.isoformat(), "kind": event.kind, "detail": event.detail}
    return f"id: {event.number}\nevent: {event.kind}\ndata: {json.dumps(told)}\n\n".encode()
