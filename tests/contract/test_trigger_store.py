"""TriggerStore: one suite over every adapter."""

import threading

import pytest

from dissolution.errors import EvaluationConflict, NotFound
from dissolution.job import JobStatus, Lane
from dissolution.policy.job_policy import Policy
from dissolution.policy.triggers import PATIENT
from dissolution.ports.store import UnitOfWorkFactory
from dissolution.triggering import Signal, TriggerState, TurnMark, Watch
from store.sql.unit_of_work import SqlUnitOfWorkFactory
from tests.factories import a_conversation
from tests.unit.store.evaluations import an_evaluation
from tests.unit.store.ledgers import STAGES, TALK, a_job, later

WATCH = Watch(conversation="talk", since=later(0))


def _store(units: UnitOfWorkFactory, name: str = "talk", turns: int = 3) -> None:
    with units() as unit:
        unit.conversations.extend(a_conversation(*(f"turn {number}" for number in range(1, turns + 1)), name=name))
        unit.commit()


def _save(units: UnitOfWorkFactory, state: TriggerState, *numbers: int) -> TriggerState:
    with units() as unit:
        saved = unit.triggers.save(state, [an_evaluation(n, conversation=state.conversation) for n in numbers])
        unit.commit()
    return saved


def test_a_watch_is_kept_replaced_and_ended(units: UnitOfWorkFactory) -> None:
    _store(units)
    other = Watch(
        conversation="talk",
        fleet="roster:/x.toml",
        policy=Policy(triggers=PATIENT),
        lane=Lane.INTERACTIVE,
        tenant="ann",
        since=later(5),
    )
    with units() as unit:
        assert unit.triggers.watched("talk") is None
        unit.triggers.watch(WATCH)
        assert unit.triggers.watched("talk") == WATCH
        unit.triggers.watch(other)
        unit.commit()
    with units() as unit:
        assert unit.triggers.watched("talk") == other
        assert unit.triggers.unwatch("talk") is True
        assert unit.triggers.unwatch("talk") is False
        assert unit.triggers.watched("talk") is None
        with pytest.raises(NotFound, match="no conversation 'nobody'"):
            unit.triggers.watch(WATCH.model_copy(update={"conversation": "nobody"}))


def test_state_and_evaluations_come_back_as_they_were_saved(units: UnitOfWorkFactory) -> None:
    _store(units)
    mark = TurnMark(turn=2, tokens=20, at=later(2))
    state = TriggerState(
        conversation="talk",
        number=2,
        through=2,
        tokens=20,
        fired=mark,
        unreleased=(Signal.DRIFT,),
        job="j1",
        job_mark=mark,
        estimators="words+centroid",
        memory=bytes(range(256)),
    )
    with units() as unit:
        assert unit.triggers.state("talk") is None

    saved = _save(units, state, 1, 2)

    assert saved == state.model_copy(update={"revision": 1})
    with units() as unit:
        assert unit.triggers.state("talk") == saved
        assert unit.triggers.evaluations("talk") == (an_evaluation(1), an_evaluation(2))
        assert unit.triggers.evaluations("talk", after=1) == (an_evaluation(2),)
        assert unit.triggers.evaluations("talk", limit=1) == (an_evaluation(1),)
        assert unit.triggers.evaluations("other") == ()
    assert _save(units, saved.model_copy(update={"memory": b""})).revision == 2


def test_what_is_left_without_a_commit_is_gone(units: UnitOfWorkFactory) -> None:
    _store(units)
    with units() as unit:
        unit.triggers.watch(WATCH)
        unit.triggers.save(TriggerState(conversation="talk"), [an_evaluation(1)])
    with units() as unit:
        assert unit.triggers.watched("talk") is None
        assert unit.triggers.state("talk") is None
        assert unit.triggers.evaluations("talk") == ()


def test_who_comes_second_stores_nothing(units: UnitOfWorkFactory) -> None:
    _store(units)
    first = TriggerState(conversation="talk", through=1)
    saved = _save(units, first, 1)

    for stale in (first, saved.model_copy(update={"revision": 7})):
        with pytest.raises(EvaluationConflict, match=f"1, not {stale.revision}"):
            _save(units, stale, 2)
    with pytest.raises(NotFound, match="no conversation 'nobody'"):
        _save(units, TriggerState(conversation="nobody"))

    with units() as unit:
        assert unit.triggers.state("talk") == saved
        assert unit.triggers.evaluations("talk") == (an_evaluation(1),)


def test_of_many_at_once_one_saves(sql: SqlUnitOfWorkFactory) -> None:
    _store(sql)
    outcomes: list[str] = []
    begin = threading.Barrier(4)

    def save() -> None:
        begin.wait()
        try:
            _save(sql, TriggerState(conversation="talk", through=1), 1)
        except EvaluationConflict:
            outcomes.append("conflict")
        else:
            outcomes.append("saved")

    threads = [threading.Thread(target=save) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(outcomes) == ["conflict", "conflict", "conflict", "saved"]


def test_turns_are_read_from_where_the_last_reading_ended(units: UnitOfWorkFactory) -> None:
    _store(units, turns=5)
    with units() as unit:
        assert [turn.number for turn in unit.triggers.turns_after("talk", 2, 2)] == [3, 4]
        assert unit.triggers.turns_after("talk", 2, 9) == unit.conversations.get("talk").turns[2:]
        assert unit.triggers.turns_after("talk", 5, 9) == ()
        assert unit.triggers.turns_after("nobody", 0, 9) == ()


def test_notable_turns_are_the_newest_after_a_turn(units: UnitOfWorkFactory) -> None:
    _store(units, turns=3)
    _save(units, TriggerState(conversation="talk", through=8), *range(1, 9))  # every second turn is notable
    with units() as unit:
        assert unit.triggers.notable_turns("talk", 0, 9) == (2, 4, 6, 8)
        assert unit.triggers.notable_turns("talk", 4, 9) == (6, 8)
        assert unit.triggers.notable_turns("talk", 0, 2) == (6, 8)
        assert unit.triggers.notable_turns("nobody", 0, 2) == ()


def test_a_job_is_in_flight_until_it_has_ended(units: UnitOfWorkFactory) -> None:
    with units() as unit:
        unit.conversations.extend(TALK)
        assert unit.triggers.job_in_flight("talk") is None
        unit.jobs.add(a_job("j1", TALK), STAGES)
        unit.jobs.add(a_job("j2", TALK), STAGES)
        assert unit.triggers.job_in_flight("talk") == "j1"
        unit.jobs.move("j1", JobStatus.CANCELLED, later(1))
        assert unit.triggers.job_in_flight("talk") == "j2"
        unit.jobs.move("j2", JobStatus.FAILED, later(2))
        assert unit.triggers.job_in_flight("talk") is None


def test_watched_conversations_with_unread_turns_are_found(units: UnitOfWorkFactory) -> None:
    for name in ("read", "new", "grown", "unwatched"):
        _store(units, name)
    with units() as unit:
        for name in ("read", "new", "grown"):
            unit.triggers.watch(WATCH.model_copy(update={"conversation": name}))
        unit.commit()
    _save(units, TriggerState(conversation="read", through=3))
    _save(units, TriggerState(conversation="grown", through=2))
    with units() as unit:
        assert unit.triggers.behind(10, later(0)) == ("grown", "new")
        assert unit.triggers.behind(1, later(0)) == ("grown",)


def test_a_conversation_is_looked_at_again_when_its_time_has_come_or_its_job_has_ended(
    units: UnitOfWorkFactory,
) -> None:
    with units() as unit:
        unit.conversations.extend(TALK)
        unit.triggers.watch(WATCH)
        unit.jobs.add(a_job("j1", TALK), STAGES)
        unit.commit()
    through = len(TALK.turns)
    timed = _save(units, TriggerState(conversation="talk", through=through, look_at=later(5)))
    with units() as unit:
        assert unit.triggers.state("talk") == timed
        assert unit.triggers.behind(9, later(4)) == ()
        assert unit.triggers.behind(9, later(5)) == ("talk",)
    waiting = _save(units, timed.model_copy(update={"look_at": None, "awaited": "j1"}))
    with units() as unit:
        assert unit.triggers.behind(9, later(9)) == ()
        unit.jobs.move("j1", JobStatus.CANCELLED, later(6))
        unit.commit()
    with units() as unit:
        assert unit.triggers.behind(9, later(0)) == ("talk",)
    _save(units, waiting.model_copy(update={"awaited": None}))
    with units() as unit:
        assert unit.triggers.behind(9, later(9)) == ()
        unit.triggers.watch(WATCH.model_copy(update={"since": later(7)}))  # otherwise than before
        assert unit.triggers.behind(9, later(6)) == ()
        assert unit.triggers.behind(9, later(7)) == ("talk",)
        assert unit.triggers.unwatch("talk") is True
        assert unit.triggers.behind(9, later(9)) == ()
