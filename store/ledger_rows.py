"""Claims, dissent and their evidence as rows: written with a boundary, read back as they were."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Row, Select, Table, insert, select

from dissolution.boundary import BoundaryState
from dissolution.claims import Claim, Dissent, DissentReason, Evidence, Section
from dissolution.intervals import TurnInterval
from store import tables
from store.ledger import OpenRow


def add_claims(connection: Connection, boundary: BoundaryState, goes_on: Sequence[int | None]) -> list[int]:
    """Add the boundary's claims that do not go on in an open row; returns the row of each claim, in order."""
    fresh = [claim for claim, row in zip(boundary.claims, goes_on, strict=True) if row is None]
    values: list[dict[str, object]] = [
        {
            "id": claim.id,
            "conversation": boundary.conversation,
            "job": boundary.job,
            "section": claim.section.value,
            "text": claim.text,
            "valid_from_turn": claim.valid.start,
            "valid_to_turn": claim.valid.end,
            "recorded_from": boundary.committed_at,
            "support": claim.support,
            "marks": claim.marks,
            "reason": claim.reason,
            "statements": claim.statements,
        }
        for claim in fresh
    ]
    added = _add(connection, tables.claims, values)
    owners = list(zip(added, (claim.evidence for claim in fresh), strict=True))
    _add_evidence(connection, tables.evidence, "claim", boundary.conversation, owners)
    rest = iter(added)
    return [next(rest) if row is None else row for row in goes_on]


def add_dissent(connection: Connection, boundary: BoundaryState) -> None:
    """Add the boundary's dissent."""
    values: list[dict[str, object]] = [
        {
            "id": dissent.id,
            "conversation": boundary.conversation,
            "job": boundary.job,
            "ordinal": ordinal,
            "section": dissent.section.value,
            "text": dissent.text,
            "support": dissent.support,
            "reason": dissent.reason.value,
            "detail": dissent.detail,
            "against": dissent.against,
            "statements": dissent.statements,
        }
        for ordinal, dissent in enumerate(boundary.dissent)
    ]
    owners = list(
        zip(_add(connection, tables.dissent, values), (one.evidence for one in boundary.dissent), strict=True)
    )
    _add_evidence(connection, tables.dissent_evidence, "dissent", boundary.conversation, owners)


def read_claims(connection: Connection, wanted: Select[Any]) -> Iterator[OpenRow]:
    """The claims whose rows `wanted` selects, in its order."""
    order: list[int] = list(connection.scalars(wanted))
    claims = tables.claims
    rows = {row.row: row for row in connection.execute(select(claims).where(claims.c.row.in_(wanted.order_by(None))))}
    quotes = _evidence(connection, tables.evidence, "claim", wanted)
    for number in order:
        row = rows[number]
        claim = Claim(
            id=row.id,
            section=Section(row.section),
            text=row.text,
            evidence=quotes.get(number, ()),
            support=row.support,
            valid=TurnInterval(start=row.valid_from_turn, end=row.valid_to_turn),
            statements=row.statements,
            reason=row.reason,
            marks=row.marks,
        )
        yield OpenRow(number, claim)


def read_dissent(connection: Connection, wanted: Select[Any]) -> Iterator[Dissent]:
    """The dissent whose rows `wanted` selects, in the order it was given."""
    dissent = tables.dissent
    rows = connection.execute(
        select(dissent).where(dissent.c.row.in_(wanted.order_by(None))).order_by(dissent.c.ordinal)
    )
    quotes = _evidence(connection, tables.dissent_evidence, "dissent", wanted)
    for row in rows:
        yield Dissent(
            id=row.id,
            section=Section(row.section),
            text=row.text,
            evidence=quotes.get(row.row, ()),
            support=row.support,
            statements=row.statements,
            reason=DissentReason(row.reason),
            detail=row.detail,
            against=row.against,
        )


def _add(connection: Connection, table: Table, values: list[dict[str, object]]) -> list[int]:
    """Insert rows in order; returns their numbers in the same order."""
    if not values:
        return []
    inserted = insert(table).returning(table.c.row, sort_by_parameter_order=True)
    return list(connection.scalars(inserted, values))


def _add_evidence(
    connection: Connection,
    table: Table,
    owner: str,
    conversation: str,
    owners: Sequence[tuple[int, tuple[Evidence, ...]]],
) -> None:
    values = [
        {owner: row, "ordinal": ordinal, "conversation": conversation, **piece.model_dump()}
        for row, pieces in owners
        for ordinal, piece in enumerate(pieces)
    ]
    if values:
        connection.execute(insert(table), values)


def _evidence(connection: Connection, table: Table, owner: str, wanted: Select[Any]) -> dict[int, tuple[Evidence, ...]]:
    query = select(table).where(table.c[owner].in_(wanted.order_by(None)))
    rows = connection.execute(query.order_by(table.c[owner], table.c.ordinal))

    def number_of(row: Row[Any]) -> int:
        return row._mapping[owner]  # noqa: SLF001 - SQLAlchemy's public name for a row as a mapping

    return {
        number: tuple(Evidence(turn=row.turn, start=row.start, end=row.end, text=row.text) for row in group)
        for number, group in groupby(rows, key=number_of)
    }
