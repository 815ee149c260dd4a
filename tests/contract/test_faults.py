"""Dying at any statement of any operation on a ledger leaves the old state whole, or the new one: on both databases."""

from collections.abc import Callable

import pytest
from sqlalchemy import event

from dissolution.errors import VersionConflict
from dissolution.intervals import Moment
from dissolution.ledger import Change, ChangeKind, LedgerEventKind, Query
from dissolution.ports.store import UnitOfWork
from store.sql.unit_of_work import SqlUnitOfWorkFactory, sql_unit_of_work_factory
from store.tables.schema import metadata
from tests.unit.store.cycles import AGAINST, BUDGET, OPENS, a_cycle, act, an_act, commit, ended
from tests.unit.store.ledgers import STAGES, TALK, a_claim, a_dissent, a_job, a_receipt, later

NEW = a_claim("c3-opens", "The shop opens at 10.", TALK, turn=4)
RISEN = a_claim("c9", "The shop sells tea.", TALK)


def _commit(unit: UnitOfWork) -> None:
    """A cycle that does everything: affirms, adds, promotes, closes, carries, and hears new dissent."""
    candidate = a_cycle("j3", unit.boundaries.current("talk"), (BUDGET, NEW, RISEN), (ended(OPENS, 4),))
    change = Change(kind=ChangeKind.PROMOTED, claim="c9", other="d1-edge", reason="two cycles say so")
    changed = {"changes": (*candidate.changes, change), "dissent": (a_dissent("d3", "Or nine?", TALK),)}
    unit.boundaries.commit(candidate.model_copy(update=changed), a_receipt(a_job("j3", TALK)), 3, later(5))


def _act(kind: LedgerEventKind, claim: str) -> Callable[[UnitOfWork], None]:
    return lambda unit: unit.ledger.act("talk", an_act(kind, claim), 3, later(5)) and None


def _roll_back(unit: UnitOfWork) -> None:
    unit.ledger.roll_back("talk", 1, 3, later(5), actor="ann", reason="undo")


def _erase(unit: UnitOfWork) -> None:
    unit.ledger.erase("talk", later(5), actor="ann", reason="law")


OPERATIONS: dict[str, tuple[Callable[[UnitOfWork], None], int]] = {
    "commit": (_commit, 20),
    "pin": (_act(LedgerEventKind.PINNED, "c2-budget"), 6),
    "retract": (_act(LedgerEventKind.RETRACTED, "c2-budget"), 6),
    "dismiss": (_act(LedgerEventKind.DISMISSED, "d1-edge"), 6),
    "roll back": (_roll_back, 8),
    "erase": (_erase, 20),
}
"""What is done to the ledger, and how many statements that takes at the least."""


class _PowerCutError(Exception):
    """Stands for anything that ends a process."""


def _prepare(sql: SqlUnitOfWorkFactory) -> None:
    """Three versions: two cycles, the second of which affirms and closes nothing, and a pin."""
    first = commit(sql, a_cycle("j1", None, (OPENS, BUDGET), dissent=(AGAINST,)), 0, 1)
    commit(sql, a_cycle("j2", first, (OPENS,), dissent=(a_dissent("d2", "Or ten?", TALK),)), 1, 2)
    act(sql, an_act(LedgerEventKind.PINNED, "c1-opens"), 2, 3)
    with sql() as unit:
        unit.jobs.add(a_job("j3", TALK, expected_version=3), STAGES)
        unit.commit()


def _rows(sql: SqlUnitOfWorkFactory) -> dict[str, list[str]]:
    """Every row of every table."""
    with sql.engine.connect() as connection:
        return {
            name: sorted(repr(tuple(row)) for row in connection.execute(table.select()))
            for name, table in metadata.tables.items()
        }


def _dies(sql: SqlUnitOfWorkFactory, operation: Callable[[UnitOfWork], None], after: int) -> bool:
    """Do it in a process that dies after so many statements; whether it died."""
    left = [after]

    def die(*_: object) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise _PowerCutError

    event.listen(sql.engine, "after_cursor_execute", die)
    try:
        with sql() as unit:
            operation(unit)
            unit.commit()
    except _PowerCutError:
        return True
    finally:
        event.remove(sql.engine, "after_cursor_execute", die)
    return False


@pytest.mark.parametrize("name", OPERATIONS)
def test_dying_at_any_statement_leaves_the_old_state_whole(sql: SqlUnitOfWorkFactory, name: str) -> None:
    operation, least = OPERATIONS[name]
    _prepare(sql)
    before = _rows(sql)
    statements = 0
    while _dies(sql, operation, statements):
        statements += 1
        assert _rows(sql) == before

    assert statements >= least  # every statement had its turn
    assert _rows(sql) != before


@pytest.mark.parametrize("name", OPERATIONS)
def test_what_is_not_committed_leaves_the_old_state_whole(sql: SqlUnitOfWorkFactory, name: str) -> None:
    _prepare(sql)
    before = _rows(sql)
    with sql() as unit:
        OPERATIONS[name][0](unit)
    assert _rows(sql) == before


def test_of_racing_versions_one_wins(sql: SqlUnitOfWorkFactory) -> None:
    """Every pair of operations that make a version, begun on the same one: the second is told."""
    _prepare(sql)
    making = [name for name in OPERATIONS if name != "erase"]
    with sql() as unit:
        OPERATIONS["pin"][0](unit)
        unit.commit()
    for name in making:
        with pytest.raises(VersionConflict, match="4, not 3"), sql() as unit:
            OPERATIONS[name][0](unit)


@pytest.mark.parametrize("statements", range(9))
def test_a_reading_is_of_one_version_even_while_another_is_made(copied_postgresql: str, statements: int) -> None:
    """SQLite's readers and writers stand in line; on PostgreSQL a version may be made between two statements."""
    sql = sql_unit_of_work_factory(copied_postgresql)
    writer = sql_unit_of_work_factory(copied_postgresql)
    _prepare(sql)
    readings: list[Callable[[UnitOfWork], object]] = [
        lambda unit: unit.boundaries.current("talk"),
        lambda unit: unit.ledger.as_of("talk", Moment()),
        lambda unit: unit.ledger.recall("talk", Query()),
    ]
    left = [statements]

    def interfere(*_: object) -> None:
        left[0] -= 1
        if left[0] == -1:
            with writer() as unit:
                version = unit.boundaries.version("talk")
                kind = LedgerEventKind.PINNED if version % 2 else LedgerEventKind.UNPINNED
                unit.ledger.act("talk", an_act(kind, "c2-budget"), version, later(9))
                unit.commit()

    for read in readings:
        with sql() as unit:
            before = read(unit)
        left[0] = statements
        event.listen(sql.engine, "after_cursor_execute", interfere)
        with sql() as unit:
            during = read(unit)
        event.remove(sql.engine, "after_cursor_execute", interfere)
        with sql() as unit:
            after = read(unit)
        assert during in ([before, after] if left[0] < 0 else [before])
    sql.close()
    writer.close()
