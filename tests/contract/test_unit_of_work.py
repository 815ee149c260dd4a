"""UnitOfWork and its factory: one suite over every adapter, and the faults only SQL can have."""

import threading
from collections.abc import Callable

import pytest
from sqlalchemy import event, text

from dissolution.boundary import BoundaryState
from dissolution.claims import Section
from dissolution.conversation import Redaction
from dissolution.errors import DissolutionError, StoreUnavailable, VersionConflict
from dissolution.job import JobStatus
from dissolution.ports.store import UnitOfWorkFactory
from store.sql.unit_of_work import SqlUnitOfWorkFactory
from tests.factories import a_conversation
from tests.unit.store.cycles import ended
from tests.unit.store.ledgers import STAGES, TALK, a_boundary, a_claim, a_dissent, a_job, a_receipt, later

OPENS = a_claim("c1", "The shop opens at 9.", TALK)
BUDGET = a_claim("c2", "The budget is 40 EUR.", TALK, Section.DECIDED, turn=3)


def test_what_is_not_committed_never_was(units: UnitOfWorkFactory) -> None:
    with units() as unit:
        unit.conversations.extend(TALK)
        unit.jobs.add(a_job("j1", TALK), STAGES)
    with units() as unit:
        assert unit.conversations.ids() == ()
        assert unit.jobs.find("j1") == ()


def test_an_error_rolls_back_and_passes_through(units: UnitOfWorkFactory) -> None:
    def fail() -> None:
        with units() as unit:
            unit.conversations.extend(TALK)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with units() as unit:
        assert unit.conversations.ids() == ()


def test_what_comes_after_a_commit_needs_another(units: UnitOfWorkFactory) -> None:
    with units() as unit:
        unit.conversations.extend(a_conversation("a", name="one"))
        unit.commit()
        unit.conversations.extend(a_conversation("a", name="two"))
    with units() as unit:
        assert unit.conversations.ids() == ("one",)


def test_a_unit_of_work_is_used_inside_its_block_and_not_twice_at_once(units: UnitOfWorkFactory) -> None:
    unit = units()
    for use in (lambda: unit.jobs, unit.commit):
        with pytest.raises(RuntimeError, match="inside its `with` block"):
            use()
    with unit, pytest.raises(RuntimeError, match="another"), unit:
        pass


def test_one_that_only_reads_sees_what_is_committed_and_keeps_nothing(units: UnitOfWorkFactory) -> None:
    with units() as unit:
        unit.conversations.extend(TALK)
        unit.commit()

    def write() -> None:
        with units.reading() as unit:
            assert unit.conversations.get(TALK.id) == TALK
            unit.conversations.extend(a_conversation("a", name="one"))
            unit.commit()

    with pytest.raises((RuntimeError, DissolutionError), match=r"only reads|read-?\s?only"):
        write()
    with units() as unit:  # whoever comes next on the same connection may write
        assert unit.conversations.ids() == (TALK.id,)
        unit.conversations.extend(a_conversation("a", name="one"))
        unit.commit()
    with units.reading() as unit:
        assert len(unit.conversations.ids()) == 2


def test_a_reader_waits_for_no_writer(sql: SqlUnitOfWorkFactory) -> None:
    with sql() as unit:
        unit.conversations.extend(TALK)
        unit.commit()
    with sql() as writing:
        writing.conversations.extend(a_conversation("a", name="one"))
        with sql.reading() as reader:
            assert reader.conversations.ids() == (TALK.id,)
        writing.commit()
    with sql.reading() as reader:
        assert reader.conversations.ids() == ("one", TALK.id)


def test_the_installation_key_stays_the_same_without_any_commit(units: UnitOfWorkFactory) -> None:
    keys: set[bytes] = set()
    for _ in range(3):
        with units() as unit:
            keys.add(unit.installation_key())

    assert [len(key) for key in keys] == [32]


def _prepare(units: UnitOfWorkFactory) -> BoundaryState:
    """Two running jobs; the first has committed, the second is about to."""
    with units() as unit:
        unit.conversations.extend(TALK)
        for name in ("j1", "j2"):
            unit.jobs.add(a_job(name, TALK), STAGES)
            unit.jobs.move(name, JobStatus.RUNNING, later(0))
        job = a_job("j1", TALK)
        boundary = a_boundary(job, (OPENS, BUDGET), (a_dissent("d1", "Or ten?", TALK),))
        first = unit.boundaries.commit(boundary, a_receipt(job), 0, later(1))
        unit.jobs.move("j1", JobStatus.COMMITTED, later(1))
        unit.commit()
    return first


def _commit_second(units: UnitOfWorkFactory, name: str = "j2") -> BoundaryState:
    """What the commit stage does: boundary, step, status and event in one transaction."""
    job = a_job(name, TALK)
    claims = (BUDGET, a_claim(f"c3-{name}", "The shop opens at nine.", TALK))
    with units() as unit:
        lease = unit.jobs.claim(name, "commit", "w1", later(2), 60)
        boundary = a_boundary(job, claims, (a_dissent(f"d-{name}", "Or ten?", TALK),))
        boundary = boundary.model_copy(update={"closed": (ended(OPENS, 4),)})
        committed = unit.boundaries.commit(boundary, a_receipt(job), 1, later(2))
        assert lease is not None
        unit.jobs.complete(lease, later(2), "{}")
        unit.jobs.move(name, JobStatus.COMMITTED, later(2))
        unit.jobs.record(name, later(2), "committed")
        unit.commit()
    return committed


def _rows(sql: SqlUnitOfWorkFactory) -> dict[str, list[str]]:
    """Every row of every table."""
    from store.tables.schema import metadata

    with sql.engine.connect() as connection:
        return {
            name: sorted(repr(tuple(row)) for row in connection.execute(table.select()))
            for name, table in metadata.tables.items()
        }


class _PowerCutError(Exception):
    """Stands for anything that ends a process."""


def test_dying_at_any_statement_leaves_the_old_state_whole(sql: SqlUnitOfWorkFactory) -> None:
    first = _prepare(sql)
    before = _rows(sql)
    deaths = 0
    while True:
        countdown = [deaths]

        def die(*_: object, countdown: list[int] = countdown) -> None:
            countdown[0] -= 1
            if countdown[0] < 0:
                raise _PowerCutError

        event.listen(sql.engine, "after_cursor_execute", die)
        try:
            second = _commit_second(sql)
        except _PowerCutError:
            deaths += 1
        else:
            break
        finally:
            event.remove(sql.engine, "after_cursor_execute", die)
        assert _rows(sql) == before

    assert deaths > 15  # every statement of the commit had its turn
    with sql() as unit:
        assert unit.boundaries.current("talk") == second
        assert unit.boundaries.as_recorded("talk", later(1)) == first
        assert unit.jobs.get("j2").status is JobStatus.COMMITTED


def test_nothing_is_deleted_and_only_intervals_are_closed(sql: SqlUnitOfWorkFactory) -> None:
    _prepare(sql)
    _commit_second(sql)

    with sql.engine.connect() as connection:
        claims = connection.execute(text("SELECT id, recorded_to IS NULL FROM claims ORDER BY id, version_from")).all()
        assert [(name, bool(still_open)) for name, still_open in claims] == [
            ("c1", False),  # as it was held, until the second version
            ("c1", True),  # as it ended, from then on
            ("c2", True),
            ("c3-j2", True),
        ]
        assert connection.scalar(text("SELECT count(*) FROM evidence")) == 4
        assert connection.scalar(text("SELECT count(*) FROM dissent")) == 2
        assert connection.scalar(text("SELECT count(*) FROM dissent WHERE version_to IS NULL")) == 2


def test_of_two_commits_at_once_one_wins_and_the_other_knows(units: UnitOfWorkFactory) -> None:
    _prepare(units)
    with units() as unit:
        unit.jobs.add(a_job("j3", TALK), STAGES)
        unit.jobs.move("j3", JobStatus.RUNNING, later(0))
        unit.commit()
    start = threading.Barrier(2)
    ends: list[BoundaryState | DissolutionError] = []

    def commit(name: str) -> None:
        start.wait()
        try:
            ends.append(_commit_second(units, name))
        except VersionConflict as error:
            ends.append(error)

    threads = [threading.Thread(target=commit, args=(name,)) for name in ("j2", "j3")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(type(end).__name__ for end in ends) == ["BoundaryState", "VersionConflict"]
    with units() as unit:
        assert unit.boundaries.version("talk") == 2
        assert len(unit.jobs.unfinished()) == 1


def test_a_redaction_row_holds_kind_and_placeholder_only(sql: SqlUnitOfWorkFactory) -> None:
    redaction = Redaction(turn=1, kind="aws_key", placeholder="[aws_key:7f]")
    with sql() as unit:
        unit.conversations.extend(
            a_conversation("my key is [aws_key:7f]").model_copy(update={"redactions": (redaction,)})
        )
        unit.commit()

    with sql.engine.connect() as connection:
        row = connection.execute(text("SELECT * FROM redactions")).one()
    assert row._asdict() == {
        "conversation": "conv-1",
        "ordinal": 0,
        "turn": 1,
        "kind": "aws_key",
        "placeholder": "[aws_key:7f]",
    }


def test_a_message_of_the_database_shows_no_content(sql: SqlUnitOfWorkFactory) -> None:
    with sql() as unit:
        unit.conversations.extend(a_conversation("tell nobody"))
        unit.commit()
        with pytest.raises(DissolutionError) as caught, sql.engine.connect() as connection:
            connection.execute(text("INSERT INTO turns (conversation, content) VALUES ('conv-1', 'tell nobody')"))
    assert "refused a statement" in str(caught.value)
    assert "tell nobody" not in str(caught.value)


def test_open_rows_are_those_of_the_newest_boundary(sql: SqlUnitOfWorkFactory) -> None:
    _prepare(sql)
    second = _commit_second(sql)

    still_open = "SELECT id FROM claims WHERE version_to IS NULL AND state = 'current' ORDER BY since, ordinal"
    with sql.engine.connect() as connection:
        assert connection.scalars(text(still_open)).all() == [claim.id for claim in second.claims]


def test_waiting_too_long_for_another_says_what_to_do(make_impatient: Callable[[], UnitOfWorkFactory]) -> None:
    units = make_impatient()
    with units() as first:
        first.conversations.extend(TALK)
        with (
            pytest.raises(StoreUnavailable, match=r"another process|connections"),
            units() as second,
        ):
            second.conversations.extend(TALK)
