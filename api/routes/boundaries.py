"""Boundaries of a conversation: the one that stands, any that stood, what changed, and what people do to claims."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from api.bodies import body_of, described
from api.errors import NoBoundary
from api.moments import LARGEST, At
from api.paging import Cursor, Limit, Page, cursor_of, parts_of
from api.problems import ALWAYS, documented
from api.repeats import AlreadyAnswered, OnlyOnce
from api.replies import made, public, shown
from api.schemas import AsOf, Diff, NewAct, RecallAnswer, Rollback
from api.security import Reader, Writer
from api.state import Caller
from dissolution.boundary import BoundaryState
from dissolution.claims import Section
from dissolution.errors import InputError, VersionConflict
from dissolution.ledger import Act, LedgerEvent, LedgerEventKind
from dissolution.ledger import Query as Wanted
from dissolution.ports.store import UnitOfWork
from dissolution.recall_kinds import RecallBy, RecallKind
from dissolution.recalling import RecallQuery
from workers.members.cycles import boundary_at
from workers.results.ledger_diff import Item, difference, items
from workers.tenants.redaction import without_secrets

router = APIRouter(prefix="/v1/conversations/{conversation}", tags=["boundaries"])

RESPONSES = documented(*ALWAYS, 404)
CHANGING = documented(*ALWAYS, 404, 409, 413, 415)
ROLLBACK = described(Rollback)
ACT = described(NewAct)


def stored(caller: Caller, work: UnitOfWork, conversation: str) -> str:
    """The id of a conversation that is stored. Raises NotFound."""
    name = caller.conversation(conversation)
    work.service.listing.conversation(name)
    return name


@router.get("/boundary", response_model=BoundaryState, responses=RESPONSES)
def current(request: Request, caller: Reader, conversation: str) -> Response:
    """The boundary that stands, with what people did since its commit."""
    with caller.api.reads() as work:
        found = work.boundaries.current(stored(caller, work, conversation))
    if found is None:
        raise NoBoundary(f"conversation {conversation!r} has no boundary yet", "dissolve it; its history holds")
    return shown(request, public(found))


@router.get("/boundary/as-of", response_model=AsOf, responses=RESPONSES)
def as_of(request: Request, caller: Reader, conversation: str, at: At) -> Response:
    """The claims that held at one moment, as they were known at another."""
    with caller.api.reads() as work:
        claims = work.ledger.as_of(stored(caller, work, conversation), at)
    return shown(request, AsOf(conversation=conversation, moment=at, claims=list(claims)))


@router.get("/boundary/versions", response_model=Page[LedgerEvent], responses=RESPONSES)
def log(request: Request, caller: Reader, conversation: str, limit: Limit = 50, cursor: Cursor = None) -> Response:
    """Every version of the ledger, oldest first: when, what, by whom, why."""
    parts = parts_of(cursor, 1)
    after = int(parts[0]) if parts is not None and parts[0].isdigit() and len(parts[0]) < 10 else 0  # noqa: PLR2004 - fits a column
    with caller.api.reads() as work:
        found = work.ledger.events(stored(caller, work, conversation), after)
    page = tuple(public(event) for event in found[:limit])
    more = cursor_of(str(page[-1].version)) if len(found) > limit else None
    return shown(request, Page[LedgerEvent](items=page, next=more))


@router.get("/boundary/versions/{version}", response_model=BoundaryState, responses=RESPONSES)
def at_version(request: Request, caller: Reader, conversation: str, version: int) -> Response:
    """The boundary as it stood in a version."""
    with caller.api.reads() as work:
        name = stored(caller, work, conversation)
        return shown(request, public(work.ledger.at_version(name, max(0, min(version, LARGEST)))))


@router.get("/boundary/diff", response_model=Diff, responses=RESPONSES)
def diff(
    request: Request,
    caller: Reader,
    conversation: str,
    first: Annotated[int, Query(alias="from", ge=0, le=LARGEST, description="A version; 0 is the empty ledger.")] = 0,
    last: Annotated[
        int | None, Query(alias="to", ge=0, le=LARGEST, description="A later version; the newest if left out.")
    ] = None,
) -> Response:
    """What changed from one version to a later one."""
    with caller.api.reads() as work:
        name = stored(caller, work, conversation)
        newest = work.boundaries.version(name)
        end = newest if last is None else last
        if not first <= end <= newest:
            raise InputError(f"versions {first} to {end}", f"give the earlier first; the newest is {newest}")
        found = difference_between(work, name, first, end)
    return shown(request, Diff(conversation=conversation, from_version=first, to_version=end, items=list(found)))


def difference_between(work: UnitOfWork, conversation: str, first: int, last: int) -> tuple[Item, ...]:
    """What changed from version `first` of a ledger to version `last`, which is not below it."""
    readings = [work.ledger.at_version(conversation, version) for version in range(first + 1, last + 1)]
    before = boundary_at(work, conversation, first)
    between = [event for event in work.ledger.events(conversation, first) if event.version <= last]
    return items(difference(before, readings[-1] if readings else before), readings, between)


@router.post(
    "/boundary/rollback", status_code=201, response_model=LedgerEvent, responses=CHANGING, openapi_extra=ROLLBACK
)
def roll_back(
    caller: Writer, repeat: OnlyOnce, conversation: str, body: Annotated[Rollback, Depends(body_of(Rollback))]
) -> Response:
    """Make an earlier version current again, as a new version; nothing is deleted."""
    with caller.api.units() as work:
        name = stored(caller, work, conversation)
        try:
            repeat.begin(work, caller)
        except AlreadyAnswered as answered:
            return made(_event(work, name, int(str(answered.outcome["version"]))), 201)
        present = work.boundaries.version(name)
        if body.expected_version not in {None, present}:
            raise VersionConflict(name, body.expected_version or 0, present)
        now = caller.api.services.clock.now()
        reason = without_secrets(work, body.reason, name)
        event = work.ledger.roll_back(name, body.version, present, now, actor=caller.name, reason=reason)
        repeat.end(work, caller, {"version": event.version}, name)
        reply = made(public(event), 201)
        work.commit()
    return reply


@router.post("/acts", status_code=201, response_model=LedgerEvent, responses=CHANGING, openapi_extra=ACT)
def act(
    caller: Writer, repeat: OnlyOnce, conversation: str, body: Annotated[NewAct, Depends(body_of(NewAct))]
) -> Response:
    """Pin, unpin, confirm or retract a claim, or dismiss a dissent, as a new version."""
    with caller.api.units() as work:
        name = stored(caller, work, conversation)
        try:
            repeat.begin(work, caller)
        except AlreadyAnswered as answered:
            return made(_event(work, name, int(str(answered.outcome["version"]))), 201)
        wanted = Act(
            kind=LedgerEventKind(body.kind),
            claim=body.claim,
            actor=caller.name,
            reason=without_secrets(work, body.reason, name),
            never_held=body.never_held,
        )
        event = work.ledger.act(name, wanted, work.boundaries.version(name), caller.api.services.clock.now())
        repeat.end(work, caller, {"version": event.version}, name)
        reply = made(public(event), 201)
        work.commit()
    return reply


def _event(work: UnitOfWork, conversation: str, version: int) -> LedgerEvent:
    return public(work.ledger.events(conversation, version - 1)[0])


@router.get("/recall", response_model=RecallAnswer, responses=RESPONSES)
def recall(
    *,
    request: Request,
    caller: Reader,
    conversation: str,
    at: At,
    q: Annotated[str | None, Query(min_length=1, max_length=1000, description="Words to look for.")] = None,
    section: Section | None = None,
    state: Annotated[
        str, Query(pattern="^(open|all)$", description="`open`: what is held; `all`: what has ended too.")
    ] = "open",
    kind: Annotated[list[RecallKind] | None, Query(description="Only these; may be repeated. All if left out.")] = None,
    match: Annotated[RecallBy, Query(description="What is compared: words, or their meaning too.")] = RecallBy.AUTO,
    limit: Annotated[int, Query(ge=1, le=1000)] = 20,
) -> Response:
    """Claims, dissent and turns by words, section and time, best first; also what a context leaves out."""
    with caller.api.reads() as work:
        name = stored(caller, work, conversation)
    wanted = RecallQuery(
        text=q if q and q.strip() else None,
        fit=Wanted(section=section, at=at, open_only=state == "open", limit=limit),
        kinds=frozenset(kind or RecallKind),
        match=match,
    )
    found = caller.api.recall(name, wanted)
    told = RecallAnswer(
        conversation=conversation,
        matched_by=found.matched_by,
        notes=list(found.notes),
        results=list(found.results),
        claims=list(found.claims),
    )
    return shown(request, told)
