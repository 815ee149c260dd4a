"""Erasing a conversation, the one deletion (rule 9), and finding those that grew old: one suite over every adapter."""

from pathlib import Path

import pytest
from sqlalchemy import text

from dissolution.claims import Evidence
from dissolution.conversation import Role
from dissolution.errors import NotFound, StepHeld
from dissolution.findings import EmbeddingStamp
from dissolution.job import JobStatus
from dissolution.ledger import Erasure, LedgerEventKind
from dissolution.policy.job_policy import Policy
from dissolution.ports.recall import StoredVector, TextKey
from dissolution.ports.store import UnitOfWorkFactory
from dissolution.premises import PremiseEvent, PremiseEventKind, PremiseStatus, Register, Scope
from dissolution.recall_kinds import RecallKind
from dissolution.stability import Arm, Cell, CellKey, StabilityPlan, StabilityRun
from dissolution.triggering import TriggerState, Watch
from store.sql.erasing import KEPT
from store.sql.unit_of_work import SqlUnitOfWorkFactory, sql_unit_of_work_factory
from store.tables.schema import metadata
from tests.factories import INSTANT, a_conversation
from tests.unit.store.cycles import AGAINST, BUDGET, OPENS, a_cycle, act, an_act, commit, ended
from tests.unit.store.evaluations import an_evaluation
from tests.unit.store.ledgers import STAGES, TALK, a_call, a_claim, a_job, a_receipt, an_answer, later

SET_UP = {"api_keys", "webhook_endpoints", "intake_rules"}
"""What a tenant has set up; nothing of it is about a conversation."""
UNFILLED = {
    *("redactions", "known_secrets", "outbox", "erasures", "reservations", "spending", "replays", "webhook_deliveries"),
    *SET_UP,
}
"""Tables that `_fill` leaves empty."""
OTHER = a_conversation("another talk", name="other")


def _fill(units: UnitOfWorkFactory) -> None:
    """A row in every table, for the conversation that goes and for one that stays."""
    first = commit(units, a_cycle("j1", None, (OPENS, BUDGET), dissent=(AGAINST,)), 0, 1)
    second = commit(units, a_cycle("j2", first, (BUDGET,), (ended(OPENS, 4),)), 1, 2)
    commit(units, a_cycle("j3", second, (BUDGET,)), 2, 3)
    act(units, an_act(LedgerEventKind.PINNED, "c2-budget"), 3, 4)
    commit(units, a_cycle("k1", None, (a_claim("c8", "Another talk.", OTHER),), conversation=OTHER), 0, 5, OTHER)
    with units() as unit:
        unit.jobs.add(a_job("j4", TALK), STAGES)
        unit.jobs.move("j4", JobStatus.RUNNING, later(6))
        unit.jobs.begin_call(a_call("j4"))
        unit.jobs.save_answers("j4", (an_answer(),))
        unit.jobs.record("j4", later(6), "started")
        unit.frames.extend(_register())
        unit.triggers.watch(Watch(conversation="talk", since=later(6)))
        unit.triggers.save(TriggerState(conversation="talk", through=1), (an_evaluation(1),))
        plan = StabilityPlan(conversation="talk", checkpoints=(1,), fleet="extractive", policy=Policy(), software="1")
        run = StabilityRun(id="run-of-talk", plan=plan, created_at=later(6))
        key = CellKey(arm=Arm.LEDGER, replicate=1, cycle=1)
        unit.stability.add(run, (Cell(run=run.id, key=key, through=1),))
        unit.boundaries.save_receipt(a_receipt(a_job("j4", TALK)))
        stamp = EmbeddingStamp(model="one", digest="a" * 64, dimension=2)
        unit.recall.add_vectors("talk", stamp, [StoredVector(TextKey(RecallKind.TURN, "1"), 0, b"abcd")])
        unit.commit()


def _register() -> Register:
    words = TALK.turn(1).content
    stated = PremiseEvent(
        kind=PremiseEventKind.STATED,
        premise="p1",
        turn=1,
        role=Role.USER,
        speaker="user",
        status=PremiseStatus.ASSERTED,
        scope=Scope.STANDING,
        proposition=words,
        evidence=Evidence(turn=1, start=0, end=len(words), text=words),
        reason="said",
    )
    return Register(conversation="talk", through=1, events=(stated,))


def _erase(units: UnitOfWorkFactory, at: float = 10) -> Erasure:
    with units() as unit:
        erasure = unit.ledger.erase("talk", later(at), actor="ann", reason="asked for by letter")
        unit.commit()
    return erasure


def test_nothing_of_an_erased_conversation_is_left_but_the_record(units: UnitOfWorkFactory) -> None:
    _fill(units)
    with units() as unit:
        kept = unit.boundaries.current("other")

    erasure = _erase(units)

    assert (erasure.turns, erasure.jobs, erasure.claims) == (4, 4, 2)
    with units() as unit:
        assert unit.ledger.erasures() == (erasure,)
        assert unit.conversations.ids() == ("other",)
        assert unit.boundaries.current("other") == kept
        assert unit.jobs.find("talk") == unit.jobs.find("j") == ()
        assert (unit.boundaries.by_job("j1"), unit.boundaries.receipt("j4")) == (None, None)
        assert (unit.ledger.events("talk"), unit.boundaries.version("talk")) == ((), 0)
        for use in (lambda: unit.boundaries.claim("c2"), lambda: unit.conversations.get("talk")):
            with pytest.raises(NotFound):
                use()
    with pytest.raises(NotFound, match="no conversation 'talk'"):
        _erase(units)
    assert commit(units, a_cycle("j1", None, (OPENS,)), 0, 20).version == 1  # the name may be used again
    _erase(units, 30)
    with units() as unit:
        assert [one.at for one in unit.ledger.erasures()] == [later(10), later(30)]


def test_every_table_is_emptied_of_it(sql: SqlUnitOfWorkFactory) -> None:
    _fill(sql)
    with sql.engine.connect() as connection:
        full = {name: len(connection.execute(table.select()).all()) for name, table in metadata.tables.items()}
    assert {name for name, rows in full.items() if rows == 0} <= UNFILLED

    _erase(sql)

    with sql.engine.connect() as connection:
        for name, table in metadata.tables.items():
            rows = [tuple(row) for row in connection.execute(table.select())]
            if name not in KEPT:
                assert not [row for row in rows if "talk" in row or {"j1", "j2", "j3", "j4"} & set(map(str, row))], name


def test_every_table_says_whose_its_rows_are() -> None:
    owned = {name for name, table in metadata.tables.items() if {"conversation", "job"} & set(table.c.keys())}
    assert set(metadata.tables) - owned <= KEPT | {"conversations"}


def test_a_worker_at_a_step_keeps_its_conversation(units: UnitOfWorkFactory) -> None:
    _fill(units)
    with units() as unit:
        assert unit.jobs.claim("j4", "parse", "w1", later(7), 60) is not None
        unit.commit()
    with pytest.raises(StepHeld, match=r"'parse'.*'j4'.*'w1'"):
        _erase(units, 66.9)
    with units() as unit:
        assert unit.boundaries.version("talk") == 4
    _erase(units, 67)  # half-open: the lease is over


def test_erased_words_are_in_no_file(tmp_path: Path) -> None:
    units = sql_unit_of_work_factory(f"sqlite:///{tmp_path / 'ledger.sqlite3'}")
    talk = a_conversation(*(f"Zanzibar is turn {number}, {'x' * 3000}" for number in range(40)), name="talk")
    claim = a_claim("c1", "Zanzibar it is.", talk)
    commit(units, a_cycle("j1", None, (claim,), conversation=talk), 0, 1, talk)

    def found() -> bool:
        return any(b"Zanzibar" in path.read_bytes() for path in tmp_path.iterdir())

    assert found()
    _erase(units)
    assert not found()
    units.close()
    assert not found()


def test_on_sqlite_freed_pages_are_overwritten_by_every_connection(tmp_path: Path) -> None:
    units = sql_unit_of_work_factory(f"sqlite:///{tmp_path / 'ledger.sqlite3'}")
    with units.engine.connect() as connection:
        assert connection.scalar(text("PRAGMA secure_delete")) == 1
    units.close()


def test_conversations_that_nobody_touched_are_listed_oldest_first(units: UnitOfWorkFactory) -> None:
    with units() as unit:
        for name, said, recorded in (("b", 5, 0), ("a", 5, 0), ("new", 90, 0), ("unsaid", None, 7), ("first", 1, 99)):
            talk = a_conversation("one", "two", name=name)
            first, last = talk.turns
            said_at = None if said is None else later(said)
            last = last.model_copy(update={"said_at": said_at, "recorded_at": later(recorded)})
            unit.conversations.extend(talk.model_copy(update={"turns": (first, last)}))
        assert unit.conversations.untouched_since(INSTANT) == ()
        assert unit.conversations.untouched_since(later(7)) == ("first", "a", "b")  # half-open
        assert unit.conversations.untouched_since(later(8)) == ("first", "a", "b", "unsaid")
