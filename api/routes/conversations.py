"""Conversations: stored, grown, read, erased."""

import secrets
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Annotated

from fastapi import APIRouter, BackgroundTasks, Depends, Query, Request, Response

from api.bodies import body_of, described
from api.errors import ConversationExists, PreconditionFailed, TurnsConflict
from api.intake import behind, read_talk
from api.links import CONVERSATIONS, conversation_link
from api.paging import Cursor, Limit, Page, cursor_of, parts_of
from api.problems import ALWAYS, documented
from api.repeats import AlreadyAnswered, OnlyOnce
from api.replies import body_of as bytes_of
from api.replies import etag_of, made, names, public, shown
from api.schemas import (
    Appended,
    ConversationListed,
    ConversationShown,
    LastDissolution,
    MoreTurns,
    NewConversation,
    Replaced,
    Stored,
    TurnPage,
)
from api.security import Reader, Writer
from api.state import Caller
from dissolution.errors import ChangedPast, NotFound
from dissolution.ledger import Erasure
from dissolution.ports.store import UnitOfWork
from dissolution.service import ConversationFacts, ConversationStanding
from dissolution.tenancy import name_of
from dissolution.values import NotMeasured
from workers.tenants.redaction import reason_of_erasure, refuse_secret
from workers.triggers.due_evaluations import evaluate
from workers.triggers.facts import watch_by_settings

router = APIRouter(prefix=CONVERSATIONS, tags=["conversations"])

RACES = 3
"""How often turns are numbered anew because somebody else added some at the same moment."""

MORE_TURNS = described(MoreTurns)
NEW = described(NewConversation)


@router.post(
    "", status_code=201, response_model=Stored, responses=documented(*ALWAYS, 409, 413, 415), openapi_extra=NEW
)
def create(
    caller: Writer, repeat: OnlyOnce, body: Annotated[NewConversation, Depends(body_of(NewConversation))]
) -> Response:
    """Store a conversation; nobody is asked."""
    conversation = new_name(caller, body.name)
    reading = read_talk(caller, body, conversation, body.title, None)
    try:
        with caller.api.units() as work:
            repeat.begin(work, caller)
            refuse_existing(work, conversation)
            work.conversations.extend(reading.conversation)
            watch_by_settings(work, conversation, caller.api.services.settings, caller.api.services.clock.now())
            repeat.end(work, caller, {"conversation": conversation}, conversation)
            reply = _created(work, conversation, reading.warnings)
            work.commit()
    except AlreadyAnswered as answered:
        with caller.api.reads() as work:
            reply = _created(work, str(answered.outcome["conversation"]), reading.warnings)
    return reply


def _created(work: UnitOfWork, conversation: str, warnings: Sequence[str]) -> Response:
    """The answer to a creation, made before its commit: what cannot be answered is not stored."""
    told = facts_of(work, conversation)
    headers = {"location": conversation_link(told.name), "etag": etag_of(bytes_of(told))}
    return made(Stored(conversation=told, warnings=list(warnings)), 201, headers)


def new_name(caller: Caller, name: str | None) -> str:
    """The id that a conversation of this name will have; one is made up for None. Raises InputError for a secret."""
    if name is not None:
        refuse_secret("the conversation's name", name, "choose another; a name stands in addresses and logs")
    return caller.conversation(name or f"c-{secrets.token_hex(6)}")


def refuse_existing(work: UnitOfWork, conversation: str) -> None:
    """Raise ConversationExists when the id is taken."""
    try:
        work.service.listing.conversation(conversation)
    except NotFound:
        return
    raise ConversationExists(
        f"conversation {name_of(conversation)!r} is stored", "append turns to it, or choose another name"
    )


def facts_of(work: UnitOfWork, conversation: str) -> ConversationShown:
    """What is told of a conversation. Raises NotFound."""
    return _told(work.service.listing.conversation(conversation), work.boundaries.version(conversation))


def _told(facts: ConversationFacts, version: int) -> ConversationShown:
    return ConversationShown(
        name=name_of(facts.id),
        title=facts.title,
        language=facts.language,
        turns=facts.turns,
        recorded_at=facts.recorded_at,
        digest=facts.digest,
        boundary_version=version,
    )


def _listed(facts: ConversationFacts, standing: ConversationStanding) -> ConversationListed:
    job = standing.last_job
    return ConversationListed(
        **dict(_told(facts, standing.version)),
        last_dissolution=None if job is None else LastDissolution.model_validate(dict(job)),
        characters=standing.characters,
        size=None if isinstance(standing.size, NotMeasured) else standing.size,
    )


@router.get("", response_model=Page[ConversationListed], responses=documented(*ALWAYS))
def listed(request: Request, caller: Reader, limit: Limit = 50, cursor: Cursor = None) -> Response:
    """The tenant's conversations, by name, each with its newest dissolution and its size."""
    after = parts_of(cursor, 1)
    with caller.api.reads() as work:
        found = work.service.listing.conversations(caller.tenant, None if after is None else after[0], limit + 1)
        standings = work.service.listing.standings([facts.id for facts in found[:limit]])
        items = tuple(_listed(facts, standings[facts.id]) for facts in found[:limit])
    more = cursor_of(found[limit - 1].id) if len(found) > limit else None
    return shown(request, Page[ConversationListed](items=items, next=more))


@router.get("/{conversation}", response_model=ConversationShown, responses=documented(*ALWAYS, 404))
def read(request: Request, caller: Reader, conversation: str) -> Response:
    """One conversation without its turns; its ETag changes with its turns and its boundary."""
    with caller.api.reads() as work:
        return shown(request, facts_of(work, caller.conversation(conversation)))


@router.get("/{conversation}/turns", response_model=TurnPage, responses=documented(*ALWAYS, 404))
def turns(
    request: Request,
    caller: Reader,
    conversation: str,
    limit: Limit = 50,
    after: Annotated[int, Query(ge=0, le=2**31 - 1, description="Turns with a number above this.")] = 0,
) -> Response:
    """The turns as they are stored: secrets are placeholders, quoted stretches are marked."""
    with caller.api.reads() as work:
        name = caller.conversation(conversation)
        total = work.service.listing.conversation(name).turns
        found = work.triggers.turns_after(name, after, limit)
    more = str(found[-1].number) if found and found[-1].number < total else None
    return shown(request, TurnPage(items=list(found), next=more))


@router.post(
    "/{conversation}/turns",
    status_code=201,
    response_model=Appended,
    responses=documented(*ALWAYS, 404, 409, 412, 413, 415),
    openapi_extra=MORE_TURNS,
)
def append(
    *,
    request: Request,
    caller: Writer,
    repeat: OnlyOnce,
    background: BackgroundTasks,
    conversation: str,
    body: Annotated[MoreTurns, Depends(body_of(MoreTurns))],
) -> Response:
    """Add turns; where triggers watch the conversation, they look at it next."""
    name = caller.conversation(conversation)
    with caller.api.reads() as work:
        facts_of(work, name)
        known = work.conversations.known(name)
    reading = read_talk(caller, body, name, None, None, known=known)
    wanted = request.headers.get("if-match")

    def answered(added: int, now: int) -> Response:
        told = Appended(conversation=conversation, added=added, turns=now, warnings=list(reading.warnings))
        return made(told, 201, {"location": f"{conversation_link(conversation, 'turns')}?after={now - added}"})

    def add() -> Response:
        with caller.api.units() as work:
            repeat.begin(work, caller)
            stored = facts_of(work, name)
            check_expected(stored, body.expected_turns, wanted)
            added = work.conversations.append(name, *behind(reading.conversation, stored.turns))
            now = stored.turns + added
            watch_by_settings(work, name, caller.api.services.settings, caller.api.services.clock.now())
            repeat.end(work, caller, {"added": added, "turns": now}, name)
            reply = answered(added, now)
            work.commit()
        return reply

    try:
        reply = _without_races(add)
    except AlreadyAnswered as before:
        return answered(int(str(before.outcome["added"])), int(str(before.outcome["turns"])))
    if caller.api.embedded:  # with workers, the relay has them look
        background.add_task(evaluate, caller.api.services, name)
    return reply


def _without_races(add: Callable[[], Response]) -> Response:
    """What `add` comes to; when somebody else added turns at the same moment, these follow theirs."""
    for _ in range(RACES - 1):
        try:
            return add()
        except ChangedPast:
            continue
    return add()


def check_expected(stored: ConversationShown, expected: int | None, if_match: str | None) -> None:
    """Raise TurnsConflict or PreconditionFailed when the conversation is not as the caller knows it."""
    if expected is not None and expected != stored.turns:
        raise TurnsConflict(
            f"conversation {stored.name!r} has {stored.turns} turns, not {expected}", "read those that are new first"
        )
    if if_match is not None and not names(if_match, etag_of(bytes_of(stored))):
        raise PreconditionFailed(f"conversation {stored.name!r} has changed", "read it again for its present ETag")


@router.delete("/{conversation}", response_model=Erasure, responses=documented(*ALWAYS, 404, 409))
def erase(
    caller: Writer,
    conversation: str,
    reason: Annotated[str, Query(min_length=1, max_length=2000, description="Why, for the record.")],
) -> Response:
    """Delete a conversation with all that came of it; what is left is the record of that."""
    name = caller.conversation(conversation)
    with caller.api.units() as work:
        work.service.listing.conversation(name)
        told = reason_of_erasure(work, reason, name)
        erasure = work.ledger.erase(name, caller.api.services.clock.now(), actor=caller.name, reason=told)
        reply = made(public(erasure))
        work.commit()
    caller.api.recall.forget(name)
    return reply


@router.get("/{conversation}/redactions", response_model=Replaced, responses=documented(*ALWAYS, 404))
def redactions(request: Request, caller: Reader, conversation: str) -> Response:
    """What was replaced when the turns were stored, by kind and turn."""
    with caller.api.reads() as work:
        name = caller.conversation(conversation)
        work.service.listing.conversation(name)
        found = work.service.listing.redactions(name)
    kinds = Counter(one.kind for one in found)
    return shown(request, Replaced(kinds=dict(sorted(kinds.items())), items=list(found)))
