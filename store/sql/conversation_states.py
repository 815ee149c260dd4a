"""How conversations stand, many at once: ledger, newest job and size in one query for hundreds of them."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, ScalarSelect, Select, String, and_, case, func, literal, or_, select

from dissolution.boundary_size import BoundarySize
from dissolution.conversation import ConversationId
from dissolution.job import JobStatus
from dissolution.service import NO_BOUNDARY, ConversationStanding, LastJob
from dissolution.values import STORED, NotMeasured
from store.sql.ledger_reading import in_batches
from store.tables import jobs as tables
from store.tables import ledger as ledger_tables
from store.tables.columns import storable

BEFORE_SIZE = '"size":'
SIZE = f'{BEFORE_SIZE}{{"before_tokens":'
"""How a measured size begins in the text of a receipt. No string of a receipt has it: quotes in one are escaped."""

SIZE_CHARS = 600
"""Characters of a receipt from there on: more than a size has."""

NOT_TOLD = NotMeasured(not_measured="the receipt of its boundary tells no size")


def by_last_change(
    facts: Select[Any, Any, Any, Any, Any, Any], tenant: str | None, containing: str
) -> Select[Any, Any, Any, Any, Any, Any]:
    """The facts of conversations, those first to which a turn or a job came last.

    Args:
        facts: Conversations with the last of their turns.
        tenant: Whose; everybody's for None.
        containing: What the id or the title contains. The case of letters does not count, but on SQLite that of letters
            outside of ASCII.
    """
    conversations, turns, jobs = tables.conversations, tables.turns, tables.jobs
    submitted = select(func.max(jobs.c.created_at)).where(jobs.c.conversation == conversations.c.id)
    job_at = submitted.correlate(conversations).scalar_subquery()
    changed = case((job_at > turns.c.recorded_at, job_at), else_=turns.c.recorded_at)
    query = facts if tenant is None else facts.where(conversations.c.tenant == tenant)
    if containing:
        small = storable(containing.lower())
        names = (conversations.c.id, conversations.c.title)
        query = query.where(
            or_(
                *(func.lower(name, type_=String).contains(small, autoescape=True) for name in names),
                *(name.contains(containing, autoescape=True) for name in names),
            )
        )
    return query.order_by(changed.desc(), conversations.c.id)


def read_standings(
    connection: Connection, conversations: Sequence[ConversationId]
) -> Mapping[str, ConversationStanding]:
    """How each of these stands, by id; one that is not stored is not there."""
    return {
        row.id: _standing(row)
        for part in in_batches(conversations)
        for row in connection.execute(_query(part, postgres=connection.dialect.name == "postgresql"))
    }


def _query(ids: Sequence[str], *, postgres: bool) -> Select[*tuple[Any, ...]]:
    """One row a conversation: the newest version with the size its job measured, the newest job, the characters."""
    conversations, turns, jobs, events = tables.conversations, tables.turns, tables.jobs, ledger_tables.ledger_events
    newest = select(func.max(events.c.version)).where(events.c.conversation == conversations.c.id)
    last = select(jobs.c.id).where(jobs.c.conversation == conversations.c.id)
    last = last.order_by(jobs.c.created_at.desc(), jobs.c.id.desc()).limit(1)
    length = select(func.sum(func.length(turns.c.content))).where(turns.c.conversation == conversations.c.id)
    at_newest = and_(
        events.c.conversation == conversations.c.id,
        events.c.version == newest.correlate(conversations).scalar_subquery(),
    )
    joined = conversations.outerjoin(events, at_newest).outerjoin(
        jobs, jobs.c.id == last.correlate(conversations).scalar_subquery()
    )
    return (
        select(
            conversations.c.id,
            events.c.version,
            _size_text(postgres=postgres).label("size"),
            jobs.c.id.label("job"),
            *(jobs.c.status, jobs.c.through, jobs.c.created_at, jobs.c.ended_at),
            length.correlate(conversations).scalar_subquery().label("characters"),
        )
        .select_from(joined)
        .where(conversations.c.id.in_(ids))
    )


def _size_text(*, postgres: bool) -> ScalarSelect[Any]:
    """The text from the size on in the newest receipt of the standing boundary's job; a receipt is long."""
    receipts, events = tables.receipts, ledger_tables.ledger_events
    document = receipts.c.document
    place = (func.strpos if postgres else func.instr)(document, literal(SIZE, String))
    told = case((place > 0, func.substr(document, place + len(BEFORE_SIZE), SIZE_CHARS, type_=String)))
    newest = select(told).where(receipts.c.job == events.c.boundary).order_by(receipts.c.number.desc()).limit(1)
    return newest.correlate(events).scalar_subquery()


def _standing(row: Row[*tuple[Any, ...]]) -> ConversationStanding:
    job = None
    if row.job is not None:
        status = JobStatus(row.status)
        job = LastJob(id=row.job, status=status, through=row.through, created_at=row.created_at, ended_at=row.ended_at)
    size = NO_BOUNDARY if row.version is None else _size(row.size)
    return ConversationStanding(version=row.version or 0, last_job=job, characters=row.characters or 0, size=size)


def _size(text: str | None) -> BoundarySize | NotMeasured:
    """The size that stands at the beginning of a text. A receipt of an older version has none."""
    if text is None:
        return NOT_TOLD
    return BoundarySize.model_validate(json.JSONDecoder().raw_decode(text)[0], context=STORED)
