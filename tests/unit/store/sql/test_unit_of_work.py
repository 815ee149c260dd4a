"""What only processes and several connections can show: death at the worst moment, forks, and an open cursor."""

import os
import subprocess
import sys
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from dissolution.checking import checked_by
from dissolution.ports.store import UnitOfWorkFactory
from store.sql.unit_of_work import sql_unit_of_work_factory
from tests.factories import a_conversation
from tests.unit.store.cycles import ended
from tests.unit.store.ledgers import STAGES, TALK, a_boundary, a_claim, a_job, a_receipt, later

ROOT = Path(__file__).parents[4]
DYING = """
import os, sys
from sqlalchemy import event
from store.sql.unit_of_work import sql_unit_of_work_factory
from tests.unit.store.sql.test_unit_of_work import commit
factory = sql_unit_of_work_factory(sys.argv[1])
last = sys.argv[2]
def die(connection, cursor, statement, *rest):
    if last in statement:
        os._exit(9)
event.listen(factory.engine, "after_cursor_execute", die)
commit(factory, "j2", 1)
os._exit(7)
"""


def commit(factory: UnitOfWorkFactory, name: str, version: int) -> None:
    """One job with its boundary, in two transactions; what was held before ends with it."""
    job = a_job(name, TALK)
    with factory() as unit:
        held = unit.boundaries.current("talk")
    closed = tuple(ended(claim, 4) for claim in (held.claims if held else ()))
    made = a_boundary(job, (a_claim(f"c-{name}", "The shop opens at 9.", TALK),))
    boundary = made.model_copy(update={"closed": closed})
    with factory() as unit:
        unit.conversations.extend(TALK)
        unit.jobs.add(job, STAGES)
        unit.commit()
    with factory() as unit:
        unit.boundaries.commit(boundary, a_receipt(job), version, later(version))
        unit.commit()


@pytest.mark.parametrize(
    ("last", "code", "version"),
    [("UPDATE claims", 9, 1), ("INSERT INTO receipts", 9, 1), ("no such statement", 7, 2)],
)
@pytest.mark.usefixtures("processes")
def test_a_killed_process_leaves_the_old_boundary_or_the_new_one(
    tmp_path: Path, last: str, code: int, version: int
) -> None:
    url = f"sqlite:///{tmp_path}/ledger.sqlite3"
    factory = sql_unit_of_work_factory(url)
    commit(factory, "j1", 0)

    ended = subprocess.run([sys.executable, "-c", DYING, url, last], cwd=ROOT, check=False)

    assert ended.returncode == code
    with factory() as unit:
        boundary = unit.boundaries.current("talk")
        assert boundary is not None
        assert (boundary.version, [claim.id for claim in boundary.claims]) == (version, [f"c-j{version}"])
    factory.close()


def test_a_forked_process_leaves_the_parents_connections_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    factory = sql_unit_of_work_factory(f"sqlite:///{tmp_path}/ledger.sqlite3")
    with factory() as unit:
        unit.conversations.ids()
    pool = factory.engine.pool
    monkeypatch.setattr(os, "getpid", lambda: -1)

    with factory() as unit:
        assert unit.conversations.ids() == ()
    assert factory.engine.pool is not pool
    monkeypatch.undo()
    pool.dispose()
    factory.close()


def test_a_reading_that_is_ended_half_way_leaves_its_connection_free_to_write(tmp_path: Path) -> None:
    """Whoever keeps the error keeps its frames: an open cursor in them would hold on to what was seen then."""
    looks = count(1)

    def no_longer_wanted() -> None:
        if next(looks) == 2:
            raise LookupError

    place = f"sqlite:///{tmp_path / 'ledger.sqlite3'}"
    with closing(sql_unit_of_work_factory(place)) as mine, closing(sql_unit_of_work_factory(place)) as other:
        with mine() as work:
            work.conversations.extend(a_conversation("One.", "Two.", "Three.", name="a"))
            work.commit()
        with pytest.raises(LookupError) as kept, mine() as work, checked_by(no_longer_wanted):
            work.conversations.get("a")
        with other() as work:
            work.conversations.extend(a_conversation("Else.", name="b"))
            work.commit()
        with mine() as work:
            work.conversations.extend(a_conversation("More.", name="c"))
            work.commit()
        assert kept.value is not None
