"""Rows of the ledger as they are read: what it recorded at a version, with what was affirmed of it by then."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Connection, Row, Select, Table, and_, or_, select

from dissolution.claims import Claim, Dissent
from dissolution.conversation import ConversationId
from dissolution.intervals import Moment
from dissolution.ledger import Query
from store.rules.versioning import Dissenting, Place, RecordedClaim
from store.tables import ledger as tables

T = TypeVar("T")
Quotes = list[dict[str, object]]
"""Evidence before it is checked against its type."""

BATCH = 500
"""How many values stand in one statement."""

_AGAIN = tables.affirmations.c
_AGAIN_COLUMNS = (
    _AGAIN.cycle.label("again_cycle"),
    _AGAIN.affirmed.label("again_affirmed"),
    _AGAIN.reason.label("again_reason"),
    _AGAIN.support.label("again_support"),
    _AGAIN.evidence.label("again_evidence"),
    _AGAIN.statements.label("again_statements"),
)


def recorded(table: Table, version: int | None) -> ColumnElement[bool]:
    """Whether a row belongs to a version; None is the newest, which is found by an index of its own."""
    still = table.c.version_to.is_(None)
    return still if version is None else and_(table.c.version_from <= version, or_(still, table.c.version_to > version))


def begun_at(conversation: ConversationId, version: int) -> Select[Any]:
    """The rows of claims that began with a version, as they were then."""
    claims, again = tables.claims, tables.affirmations
    joined = select(claims, *_AGAIN_COLUMNS).outerjoin(
        again, and_(again.c.claim == claims.c.row, again.c.version_from == version)
    )
    return joined.where(claims.c.conversation == conversation, claims.c.version_from == version)


def held_at(conversation: ConversationId, version: int | None, *conditions: ColumnElement[bool]) -> Select[Any]:
    """The rows of claims that a conversation's ledger records at a version, with what was affirmed of them by then."""
    claims = tables.claims
    again = and_(tables.affirmations.c.claim == claims.c.row, recorded(tables.affirmations, version))
    joined = select(claims, *_AGAIN_COLUMNS).outerjoin(tables.affirmations, again)
    return joined.where(claims.c.conversation == conversation, recorded(claims, version), *conditions)


def rows_at(rows: Sequence[int], version: int | None) -> Select[Any]:
    """These rows of claims, with what was affirmed of them by a version."""
    claims = tables.claims
    again = and_(tables.affirmations.c.claim == claims.c.row, recorded(tables.affirmations, version))
    return select(claims, *_AGAIN_COLUMNS).outerjoin(tables.affirmations, again).where(claims.c.row.in_(rows))


def read_held(connection: Connection, wanted: Select[Any]) -> list[RecordedClaim]:
    """The claims that a selection from `held_at` finds, each with its evidence."""
    rows = connection.execute(wanted).all()
    quotes = _evidence(connection, tables.evidence, "claim", [row.row for row in rows])
    return [_held(row, quotes.get(row.row, [])) for row in rows]


def read_dissent(connection: Connection, wanted: Select[Any]) -> list[Dissenting]:
    """The dissent that a selection from the table of dissent finds, each with its evidence."""
    rows = connection.execute(wanted).all()
    quotes = _evidence(connection, tables.dissent_evidence, "dissent", [row.row for row in rows])
    return [
        Dissenting(
            row=row.row,
            place=Place(row.since, row.ordinal),
            job=row.job,
            dissent=Dissent.model_validate(
                {
                    "id": row.id,
                    "section": row.section,
                    "text": row.text,
                    "evidence": quotes.get(row.row, []),
                    "support": row.support,
                    "statements": row.statements,
                    "reason": row.reason,
                    "detail": row.detail,
                    "against": row.against,
                    "cycles": row.cycles,
                }
            ),
        )
        for row in rows
    ]


def dissent_at(conversation: ConversationId, version: int | None) -> Select[Any]:
    """The rows of dissent that a conversation's ledger records at a version, dismissed ones included."""
    dissent = tables.dissent
    return select(dissent).where(dissent.c.conversation == conversation, recorded(dissent, version))


def held_then(moment: Moment) -> ColumnElement[bool]:
    """Whether a claim, as the ledger records it, holds at a moment's turn and instant on the valid axis.

    With neither, the question is what holds now: what is open. A turn is looked up in the valid interval in turns. An
    instant is looked up in the valid interval in instants; where that is not known, the turn decides, or what is open.
    It is not known either for a claim that ended at a turn while nobody said at which instant.
    """
    claims = tables.claims.c
    known = and_(claims.valid_from.is_not(None), or_(tables.IS_OPEN, claims.valid_to.is_not(None)))
    by_turn = tables.IS_OPEN
    if moment.turn is not None:
        by_turn = and_(
            claims.valid_from_turn <= moment.turn,
            or_(claims.valid_to_turn.is_(None), claims.valid_to_turn > moment.turn),
        )
    if moment.instant is None:
        return by_turn
    by_instant = and_(
        claims.valid_from <= moment.instant, or_(claims.valid_to.is_(None), claims.valid_to > moment.instant)
    )
    if moment.turn is not None:
        return and_(by_turn, or_(~known, by_instant))
    return or_(and_(known, by_instant), and_(~known, by_turn))


def fits(query: Query) -> tuple[ColumnElement[bool], ...]:
    """What a recorded claim must be to fit a query, its limit aside."""
    past = query.at.turn is not None or query.at.instant is not None
    conditions = (
        tables.IS_OPEN if query.open_only else None,
        None if query.section is None else tables.claims.c.section == query.section.value,
        held_then(query.at) if past else None,
    )
    return tuple(condition for condition in conditions if condition is not None)


def _held(row: Row[Any], quotes: Quotes) -> RecordedClaim:
    again = row.again_cycle is not None
    pieces = row.again_evidence if again else ()
    claim = Claim.model_validate(
        {
            "id": row.id,
            "section": row.section,
            "text": row.text,
            "evidence": [*quotes, *pieces],
            "support": row.again_support if again else row.support,
            "valid": {"start": row.valid_from_turn, "end": row.valid_to_turn},
            "statements": row.statements + row.again_statements if again else row.statements,
            "reason": row.again_reason if again else row.reason,
            "marks": row.marks,
            "temporal_class": row.temporal_class,
            "valid_instants": row.valid_from and {"start": row.valid_from, "end": row.valid_to},
            "state": row.state,
            "affirmed": row.again_affirmed if again else row.affirmed,
            "closing": row.closing,
        }
    )
    return RecordedClaim(
        row=row.row,
        place=Place(row.since, row.ordinal),
        cycle=row.again_cycle if again else row.cycle,
        job=row.job,
        own=(len(quotes), len(row.statements)),
        claim=claim,
    )


def _evidence(connection: Connection, table: Table, owner: str, owners: Sequence[int]) -> dict[int, Quotes]:
    columns = (table.c[owner], table.c.turn, table.c.start, table.c.end, table.c.text)
    found: dict[int, Quotes] = {}
    for part in in_batches(owners):
        query = select(*columns).where(table.c[owner].in_(part)).order_by(table.c[owner], table.c.ordinal)
        for number, turn, start, end, text in connection.execute(query):
            found.setdefault(number, []).append({"turn": turn, "start": start, "end": end, "text": text})
    return found


def in_batches(values: Sequence[T]) -> Iterable[Sequence[T]]:
    """The values, as many at a time as stand in one statement."""
    return (values[start : start + BATCH] for start in range(0, len(values), BATCH))
