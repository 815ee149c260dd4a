"""The ledger: versions, states and affirmations of claims, acts and erasures; jobs that wait for a person.

Revision id: 0002 (the next revision names it as its `down_revision`).

Each boundary that is there becomes a version. A claim's row then belongs to the versions from the first boundary it
stood in to the first it did not; standing on is an affirmation, since every boundary of before was said by its own
answers. Boundaries keep the order of their claims: a row that would stand in another place ends and begins anew.
"""

import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import sqlalchemy as sa
from alembic import op

from store.migrations.tables_0002 import create_claims, create_dissent, create_erasures, create_versions, row_number

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

REBUILT = ("evidence", "boundary_claims", "claims", "dissent_evidence", "dissent")
"""Tables that are made anew: those that point to others first."""


def upgrade() -> None:
    """Add what the ledger needs and turn the boundaries that are there into versions of it."""
    op.add_column("jobs", sa.Column("hold", sa.Boolean(), server_default=sa.false(), nullable=False))
    for table in REBUILT:
        op.execute(f"CREATE TABLE old_{table} AS SELECT * FROM {table}")  # noqa: S608 - names from above
        op.drop_table(table)
    create_versions()
    create_claims()
    create_dissent()
    create_erasures()
    _create_spans()
    _fill_versions()
    _fill_claims()
    _fill_dissent()
    for table in ("old_spans", "old_again", *(f"old_{name}" for name in REBUILT)):
        op.drop_table(table)
    _continue_numbers()


class _Span(NamedTuple):
    """The versions over which one old row stood in one place."""

    row: int
    old: int
    since: int
    ordinal: int
    begins: int
    ends: int | None


class _Boundary(NamedTuple):
    version: int
    members: tuple[int, ...]


def _spans(boundaries: Sequence[_Boundary], first_new: int) -> tuple[list[_Span], list[tuple[int, int]]]:
    """The spans of one conversation's claims, and (row, version) wherever a row stood on.

    A row keeps its number; a second span of the same old row gets one from `first_new` on.
    """
    still: dict[int, _Span] = {}
    done: list[_Span] = []
    again: list[tuple[int, int]] = []
    used: set[int] = set()
    number = first_new
    for version, members in boundaries:
        last = (0, -1)
        ended = [span for old, span in still.items() if old not in members]
        for ordinal, old in enumerate(members):
            span = still.get(old)
            if span is not None and (span.since, span.ordinal) > last:
                again.append((span.row, version))
            else:
                ended += [] if span is None else [span]
                row, number = (old, number) if old not in used else (number, number + 1)
                span = still[old] = _Span(row, old, version, ordinal, version, None)
                used.add(old)
            last = (span.since, span.ordinal)
        done += [span._replace(ends=version) for span in ended]
        still = {old: still[old] for old in members}
    return [*done, *still.values()], again


def _create_spans() -> None:
    """Tables that live as long as this migration."""
    op.create_table(
        "old_spans",
        *(sa.Column(name, row_number()) for name in _Span._fields),
        sa.Column("conversation", sa.Text()),
    )
    op.create_table("old_again", sa.Column("row", row_number()), sa.Column("version", sa.Integer()))


def _fill_versions() -> None:
    connection = op.get_bind()
    op.execute(
        "INSERT INTO ledger_events (conversation, version, at, kind, boundary, through, cycle, actor, reason) "
        "SELECT conversation, version, committed_at, 'committed', job, through, version, 'fleet', 'committed' "
        "FROM boundaries"
    )
    told = sa.text("UPDATE ledger_events SET reason = :reason WHERE boundary = :job")
    for job, decision in connection.execute(sa.text("SELECT job, decision FROM boundaries")).all():
        reason = "; ".join(json.loads(decision)["reasons"]).replace("\0", "")[:2000]
        connection.execute(told, {"reason": reason, "job": job})
    numbers = connection.scalar(sa.text('SELECT max("row") FROM old_claims')) or 0
    for conversation, boundaries in _stored_boundaries(connection):
        spans, again = _spans(boundaries, numbers + 1)
        numbers = max([numbers, *(span.row for span in spans)])
        _insert(connection, "old_spans", [{**span._asdict(), "conversation": conversation} for span in spans])
        _insert(connection, "old_again", [{"row": row, "version": version} for row, version in again])


def _stored_boundaries(connection: sa.Connection) -> Iterator[tuple[str, list[_Boundary]]]:
    rows = connection.execute(
        sa.text(
            "SELECT b.conversation, b.version, m.claim FROM boundaries b JOIN old_boundary_claims m ON m.job = b.job "
            "ORDER BY b.conversation, b.version, m.ordinal"
        )
    ).all()
    for conversation, of_one in groupby(rows, key=lambda row: row[0]):
        versions = groupby(of_one, key=lambda row: row[1])
        yield conversation, [_Boundary(version, tuple(row[2] for row in members)) for version, members in versions]


def _insert(connection: sa.Connection, table: str, rows: list[dict[str, Any]]) -> None:
    if rows:
        columns: list[sa.ColumnClause[Any]] = [sa.column(name) for name in rows[0]]
        connection.execute(sa.insert(sa.table(table, *columns)), rows)


def _fill_claims() -> None:
    op.execute(
        'INSERT INTO claims ("row", id, conversation, job, version_from, version_to, recorded_from, recorded_to, '
        "since, ordinal, cycle, affirmed, section, text, state, temporal_class, valid_from_turn, valid_to_turn, "
        "support, marks, reason, statements) "
        'SELECT s."row", c.id, c.conversation, c.job, s.begins, s.ends, first.at, last.at, s.since, s.ordinal, '
        "s.begins, first.through, c.section, c.text, 'current', 'current_state', c.valid_from_turn, c.valid_to_turn, "
        "c.support, c.marks, c.reason, c.statements "
        'FROM old_spans s JOIN old_claims c ON c."row" = s.old '
        "JOIN ledger_events first ON first.conversation = s.conversation AND first.version = s.begins "
        "LEFT JOIN ledger_events last ON last.conversation = s.conversation AND last.version = s.ends"
    )
    op.execute(
        'INSERT INTO evidence (claim, ordinal, conversation, turn, start, "end", text) '
        'SELECT s."row", e.ordinal, e.conversation, e.turn, e.start, e."end", e.text '
        "FROM old_spans s JOIN old_evidence e ON e.claim = s.old"
    )
    op.execute(
        "INSERT INTO affirmations (claim, version_from, version_to, conversation, cycle, affirmed, reason, support, "
        "evidence, statements) "
        'SELECT a."row", a.version, COALESCE((SELECT min(n.version) FROM old_again n WHERE n."row" = a."row" '
        "AND n.version > a.version), c.version_to), c.conversation, a.version, v.through, c.reason, c.support, "
        "'[]', '[]' "
        'FROM old_again a JOIN claims c ON c."row" = a."row" '
        "JOIN ledger_events v ON v.conversation = c.conversation AND v.version = a.version"
    )


def _fill_dissent() -> None:
    op.execute(
        'INSERT INTO dissent ("row", id, conversation, job, version_from, version_to, since, ordinal, cycles, section, '
        "text, support, reason, detail, against, statements) "
        'SELECT d."row", d.id, d.conversation, d.job, b.version, next.version, b.version, d.ordinal, 1, d.section, '
        "d.text, d.support, d.reason, d.detail, d.against, d.statements "
        "FROM old_dissent d JOIN boundaries b ON b.job = d.job "
        "LEFT JOIN boundaries next ON next.conversation = b.conversation AND next.version = b.version + 1"
    )
    op.execute(
        'INSERT INTO dissent_evidence (dissent, ordinal, conversation, turn, start, "end", text) '
        'SELECT dissent, ordinal, conversation, turn, start, "end", text FROM old_dissent_evidence'
    )


def _continue_numbers() -> None:
    """PostgreSQL counts rows in a sequence of its own, which copied rows do not move."""
    if op.get_bind().dialect.name == "postgresql":
        for table in ("claims", "dissent"):
            op.execute(
                f"SELECT setval(pg_get_serial_sequence('{table}', 'row'), max(\"row\")) FROM {table}"  # noqa: S608
            )
