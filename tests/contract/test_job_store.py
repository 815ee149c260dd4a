"""JobStore: one suite over every adapter."""

import threading
from datetime import datetime

import pytest

from dissolution.answers import FailureClass, MemberFailure
from dissolution.errors import IllegalMove, LeaseLost, NotFound, SnapshotMismatch
from dissolution.job import ENDED, JOB_MOVES, JobStatus, Lease, StepStatus
from dissolution.ports.store import UnitOfWork, UnitOfWorkFactory
from store.sql.unit_of_work import SqlUnitOfWorkFactory
from tests.factories import INSTANT, a_conversation
from tests.unit.store.ledgers import CARD, REPLY, STAGES, TALK, a_call, a_job, an_answer, later

JOB = a_job("j1", TALK)


@pytest.fixture
def stored(units: UnitOfWorkFactory) -> UnitOfWorkFactory:
    """A conversation and its job j1."""
    _store(units)
    return units


def _store(units: UnitOfWorkFactory) -> None:
    with units() as unit:
        unit.conversations.extend(TALK)
        unit.jobs.add(JOB, STAGES)
        unit.commit()


def _claim(unit: UnitOfWork, at: float = 0, lease_s: float = 60, owner: str = "w1") -> Lease:
    lease = unit.jobs.claim("j1", "fan_out", owner, later(at), lease_s)
    assert lease is not None
    return lease


def test_a_job_comes_back_with_its_queued_steps_in_order(stored: UnitOfWorkFactory) -> None:
    with stored() as unit:
        assert unit.jobs.get("j1") == JOB
        assert [(step.stage, step.status, step.epoch) for step in unit.jobs.steps("j1")] == [
            (stage, StepStatus.QUEUED, 0) for stage in STAGES
        ]
        with pytest.raises(NotFound, match="no job 'j2'"):
            unit.jobs.get("j2")


def test_an_id_is_given_once_and_only_to_a_stored_snapshot(stored: UnitOfWorkFactory) -> None:
    other = a_conversation("other words", name="talk")
    for job, error in (
        (JOB, IllegalMove),
        (a_job("j2", other), SnapshotMismatch),
        (a_job("j2", a_conversation("x", name="unknown")), SnapshotMismatch),
        (JOB.model_copy(update={"id": "j2", "through": 99}), SnapshotMismatch),
    ):
        with stored() as unit, pytest.raises(error):
            unit.jobs.add(job, STAGES)


def test_jobs_are_found_by_prefix_and_conversation(stored: UnitOfWorkFactory) -> None:
    with stored() as unit:
        for number, name in enumerate(("j12", "J1", "jx", "j%"), start=1):
            job = a_job(name, TALK).model_copy(update={"created_at": later(number)})
            unit.jobs.add(job, ())
        unit.jobs.move("j12", JobStatus.CANCELLED, later(9))

        assert [job.id for job in unit.jobs.find("j1")] == ["j12", "j1"]
        assert [job.id for job in unit.jobs.find("j%")] == ["j%"]
        assert [job.id for job in unit.jobs.find("talk")] == ["j%", "jx", "J1", "j12", "j1"]
        assert unit.jobs.find("tal") == ()
        assert [job.id for job in unit.jobs.unfinished()] == ["j1", "J1", "jx", "j%"]


@pytest.mark.parametrize("present", JobStatus)
def test_only_legal_moves_are_made(stored: UnitOfWorkFactory, present: JobStatus) -> None:
    ways = {
        JobStatus.QUEUED: (),
        JobStatus.RUNNING: (JobStatus.RUNNING,),
        JobStatus.CANCELLED: (JobStatus.CANCELLED,),
        JobStatus.FAILED: (JobStatus.FAILED,),
    }
    with stored() as unit:
        for status in ways.get(present, (JobStatus.RUNNING, present)):
            unit.jobs.move("j1", status, later(1), "because")
        unit.commit()
    for wanted in JobStatus:
        with stored() as unit:
            if wanted in JOB_MOVES[present]:
                assert unit.jobs.move("j1", wanted, later(2), "why") == unit.jobs.get("j1")
                assert unit.jobs.get("j1").status is wanted
                assert (unit.jobs.get("j1").ended_at is None) is (wanted not in ENDED)
            else:
                with pytest.raises(IllegalMove, match=f"'{present}'.*'{wanted}'"):
                    unit.jobs.move("j1", wanted, later(2))
                assert unit.jobs.get("j1").status is present


def test_a_job_can_be_told_to_wait_for_a_person_until_it_ends(stored: UnitOfWorkFactory) -> None:
    with stored() as unit:
        assert unit.jobs.get("j1").hold is False
        assert unit.jobs.set_hold("j1", True) == unit.jobs.get("j1")
        assert unit.jobs.get("j1").hold is True
        assert unit.jobs.set_hold("j1", False).hold is False
        unit.jobs.add(a_job("j2", TALK).model_copy(update={"hold": True}), ())
        assert unit.jobs.get("j2").hold is True
        unit.jobs.move("j1", JobStatus.CANCELLED, later(1))
        with pytest.raises(IllegalMove, match=r"'cancelled'.*'held'"):
            unit.jobs.set_hold("j1", True)
        with pytest.raises(NotFound):
            unit.jobs.set_hold("j3", True)


def test_steps_that_are_over_are_reopened_on_another_version(stored: UnitOfWorkFactory) -> None:
    with stored() as unit:
        unit.jobs.move("j1", JobStatus.RUNNING, later(0))
        first = _claim(unit)
        unit.jobs.complete(first, later(1), '"said"')
        parse, commit = (unit.jobs.claim("j1", stage, "w1", later(1), 60) for stage in ("parse", "commit"))
        assert parse is not None
        assert commit is not None
        unit.jobs.bury(parse, later(2), "broken")

        reopened = unit.jobs.reopen("j1", STAGES, later(3), 7)

        assert reopened == unit.jobs.get("j1")
        assert (reopened.expected_version, reopened.status) == (7, JobStatus.RUNNING)
        steps = unit.jobs.steps("j1")
        assert [(step.status, step.attempts, step.epoch, step.output) for step in steps] == [
            (StepStatus.QUEUED, 0, 1, '"said"'),
            (StepStatus.QUEUED, 0, 1, None),
            (StepStatus.RUNNING, 1, 1, None),  # somebody is at it
        ]
        for step in steps[:2]:
            assert (step.owner, step.lease_until, step.started_at, step.ended_at, step.reason) == (None,) * 5
        for lost in (first, parse):
            with pytest.raises(LeaseLost):
                unit.jobs.complete(lost, later(4), "{}")
        again = _claim(unit, at=5, owner="w2")
        assert (again.epoch, unit.jobs.steps("j1")[0].started_at) == (2, later(5))


def test_what_has_ended_or_is_not_there_is_not_reopened(stored: UnitOfWorkFactory) -> None:
    with stored() as unit:
        with pytest.raises(NotFound, match="no step 'j1/nowhere'"):
            unit.jobs.reopen("j1", ("parse", "nowhere"), later(1), 1)
        with pytest.raises(NotFound, match="no job 'j2'"):
            unit.jobs.reopen("j2", ("parse",), later(1), 1)
        unit.jobs.move("j1", JobStatus.CANCELLED, later(1))
        with pytest.raises(IllegalMove, match=r"'cancelled'.*'running'"):
            unit.jobs.reopen("j1", ("parse",), later(2), 1)


def test_moving_nothing_is_not_found(stored: UnitOfWorkFactory) -> None:
    with stored() as unit, pytest.raises(NotFound):
        unit.jobs.move("j2", JobStatus.RUNNING, INSTANT)


def test_a_step_is_claimed_once_until_its_lease_ends(stored: UnitOfWorkFactory) -> None:
    with stored() as unit:
        first = _claim(unit)
        assert first == Lease(job="j1", stage="fan_out", epoch=1, owner="w1", until=later(60))
        assert unit.jobs.claim("j1", "fan_out", "w2", later(59.999999), 60) is None
        second = unit.jobs.claim("j1", "fan_out", "w2", later(60), 60)  # half-open: at its end it is over
        assert second == Lease(job="j1", stage="fan_out", epoch=2, owner="w2", until=later(120))
        step = unit.jobs.steps("j1")[0]
        assert (step.status, step.attempts, step.owner, step.started_at) == (StepStatus.RUNNING, 2, "w2", INSTANT)
        assert unit.jobs.claim("j1", "no such stage", "w1", INSTANT, 60) is None


def test_a_lost_lease_changes_nothing(stored: UnitOfWorkFactory) -> None:
    with stored() as unit:
        lost = _claim(unit)
        _claim(unit, at=60, owner="w2")
        before = unit.jobs.steps("j1")
        for use in (
            lambda: unit.jobs.complete(lost, later(61), "{}"),
            lambda: unit.jobs.release(lost, later(61), "stopped"),
            lambda: unit.jobs.bury(lost, later(61), "broken"),
            lambda: unit.jobs.renew(lost, later(61), 60),
            lambda: unit.jobs.complete(lost.model_copy(update={"stage": "nowhere"}), later(61), "{}"),
        ):
            with pytest.raises(LeaseLost, match="epoch 1"):
                use()
        assert unit.jobs.steps("j1") == before


def test_a_renewed_lease_holds_on(stored: UnitOfWorkFactory) -> None:
    with stored() as unit:
        lease = unit.jobs.renew(_claim(unit), later(50), 60)
        assert lease.until == later(110)
        assert unit.jobs.claim("j1", "fan_out", "w2", later(100), 60) is None


def test_many_leases_are_renewed_at_once_but_no_lost_one(stored: UnitOfWorkFactory) -> None:
    with stored() as unit:
        lost, other = _claim(unit), unit.jobs.claim("j1", "parse", "w1", INSTANT, 60)
        again = unit.jobs.claim("j1", "fan_out", "w2", later(60), 60)
        assert other is not None
        assert again is not None
        kept = unit.jobs.renew_all([lost, other], later(61), 60)
        assert kept == (other.model_copy(update={"until": later(121)}),)
        assert [step.lease_until for step in unit.jobs.steps("j1")[:2]] == [again.until, later(121)]
        assert unit.jobs.renew_all([], later(61), 60) == ()
        assert unit.jobs.ended(["j1", "unknown"]) == frozenset()
        unit.jobs.move("j1", JobStatus.CANCELLED, later(62))
        assert unit.jobs.renew_all([other], later(63), 60) == ()
        assert unit.jobs.ended(["j1", "unknown"]) == {"j1"}


def test_a_step_that_somebody_changes_is_held_and_not_waited_for(sql: SqlUnitOfWorkFactory) -> None:
    _store(sql)
    with sql() as unit:
        lease = _claim(unit)
        unit.commit()
    if sql.engine.dialect.name == "sqlite":
        pytest.skip("its writers are alone")
    with sql() as changing, sql() as unit:
        changing.jobs.renew(lease, later(10), 60)
        assert unit.jobs.renew_all([lease], later(20), 60) == (lease,)


def test_a_completed_step_is_done_for_good(stored: UnitOfWorkFactory) -> None:
    with stored() as unit:
        lease = _claim(unit)
        unit.jobs.complete(lease, later(70), '{"a": "é"}')  # late, but nobody took it
        step = unit.jobs.steps("j1")[0]
        assert (step.status, step.output, step.ended_at) == (StepStatus.DONE, '{"a": "é"}', later(70))
        assert step.lease_until is None
        assert unit.jobs.claim("j1", "fan_out", "w2", later(999), 60) is None
        with pytest.raises(LeaseLost):
            unit.jobs.complete(lease, later(71), "{}")


def test_a_released_step_is_queued_and_a_buried_one_dead(stored: UnitOfWorkFactory) -> None:
    with stored() as unit:
        unit.jobs.release(_claim(unit), later(1), "interrupted")
        step = unit.jobs.steps("j1")[0]
        assert (step.status, step.reason, step.owner, step.lease_until) == (
            StepStatus.QUEUED,
            "interrupted",
            None,
            None,
        )
        lease = _claim(unit, at=2)
        assert (lease.epoch, unit.jobs.steps("j1")[0].reason) == (2, None)
        unit.jobs.bury(lease, later(3), "broken")
        step = unit.jobs.steps("j1")[0]
        assert (step.status, step.reason, step.ended_at) == (StepStatus.DEAD, "broken", later(3))
        assert unit.jobs.claim("j1", "fan_out", "w2", later(999), 60) is None


def test_of_many_who_claim_at_once_one_wins(stored: UnitOfWorkFactory) -> None:
    won: list[Lease] = []
    start = threading.Barrier(6)

    def work(name: str) -> None:
        start.wait()
        with stored() as unit:
            lease = unit.jobs.claim("j1", "fan_out", name, INSTANT, 60)
            unit.commit()
        if lease is not None:
            won.append(lease)

    threads = [threading.Thread(target=work, args=(f"w{number}",)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [lease.epoch for lease in won] == [1]


def test_a_call_is_asked_then_landed_and_keeps_its_first_result(stored: UnitOfWorkFactory) -> None:
    failure = MemberFailure(error_class=FailureClass.TIMEOUT, detail="too slow")

    def land(unit: UnitOfWork, ordinal: int, result: object, at: float) -> None:
        unit.jobs.land_call(
            job="j1",
            stage="fan_out",
            member="writer-a",
            ordinal=ordinal,
            at=later(at),
            result=result,  # pyright: ignore[reportArgumentType] - a reply or a failure
            late=ordinal == 1,
        )

    with stored() as unit:
        unit.jobs.begin_call(a_call("j1", ordinal=1))
        unit.jobs.begin_call(a_call("j1"))
        asked_again = a_call("j1").model_copy(update={"asked_at": later(3)})
        unit.jobs.begin_call(asked_again)
        assert unit.jobs.calls("j1", "fan_out") == (asked_again, a_call("j1", ordinal=1))
        land(unit, 0, REPLY, 4)
        land(unit, 1, failure, 5)
        landed = unit.jobs.calls("j1", "fan_out")
        assert (landed[0].reply, landed[0].landed_at, landed[0].late) == (REPLY, later(4), False)
        assert (landed[1].failure, landed[1].landed_at, landed[1].late) == (failure, later(5), True)
        land(unit, 0, failure, 6)
        assert unit.jobs.calls("j1", "fan_out") == landed
        with pytest.raises(NotFound, match="no call 'j1/fan_out/writer-a#7'"):
            land(unit, 7, REPLY, 8)


def test_what_has_landed_is_not_asked_again(stored: UnitOfWorkFactory) -> None:
    with stored() as unit:
        unit.jobs.begin_call(a_call("j1"))
        unit.jobs.land_call(
            job="j1", stage="fan_out", member="writer-a", ordinal=0, at=later(1), result=REPLY, late=False
        )
        with pytest.raises(IllegalMove, match=r"writer-a#0.*'landed'.*'asked'"):
            unit.jobs.begin_call(a_call("j1"))
        with pytest.raises(IllegalMove):
            unit.jobs.begin_call(a_call("j1", ordinal=2).model_copy(update={"reply": REPLY}))
        with pytest.raises(NotFound, match="no step 'j1/nowhere'"):
            unit.jobs.begin_call(a_call("j1", stage="nowhere"))


def test_a_reply_with_text_no_database_holds_is_kept(stored: UnitOfWorkFactory) -> None:
    odd = REPLY.model_copy(update={"text": "cut \0 off \ud83e", "model_reported": None})
    with stored() as unit:
        unit.jobs.save_answers("j1", (an_answer(reply=odd),))
        assert unit.jobs.answers("j1")[0].reply == odd


def test_answers_are_replaced_as_a_whole(stored: UnitOfWorkFactory) -> None:
    other = CARD.model_copy(update={"name": "B"})
    with stored() as unit:
        unit.jobs.save_answers("j1", (an_answer(), an_answer(other), an_answer()), first=True)
        assert unit.jobs.answers("j1") == (an_answer(other), an_answer(), an_answer())
        unit.jobs.save_answers("j1", (an_answer(),))
        assert unit.jobs.answers("j1") == (an_answer(),)
        with pytest.raises(NotFound):
            unit.jobs.save_answers("j2", ())


def test_events_are_numbered_and_read_from_a_number_on(stored: UnitOfWorkFactory) -> None:
    with stored() as unit:
        unit.jobs.record("j1", later(1), "claimed", "fan_out")
        unit.jobs.record("j1", later(2), "done")
        first, second = unit.jobs.events("j1")
        assert (first.number, first.at, first.kind, first.detail) == (1, later(1), "claimed", "fan_out")
        assert (second.number, second.kind) == (2, "done")
        unit.jobs.record("j1", later(3), "again")
        assert [(event.number, event.kind) for event in unit.jobs.events("j1", after=1)] == [(2, "done"), (3, "again")]
        unit.commit()
    with stored() as unit:
        unit.jobs.record("j1", later(4), "kept")
        unit.jobs.record("j1", later(5), "with it")
        unit.commit()
    with stored() as unit:
        assert [event.number for event in unit.jobs.events("j1")] == [1, 2, 3, 4, 5]
        with pytest.raises(NotFound):
            unit.jobs.record("j2", INSTANT, "claimed")


def test_naive_instants_are_refused(stored: UnitOfWorkFactory) -> None:
    naive = datetime(2026, 3, 1)  # noqa: DTZ001 - the point of the test
    with stored() as unit:
        lease = _claim(unit)
        unit.jobs.begin_call(a_call("j1"))
        for use in (
            lambda: unit.jobs.claim("j1", "parse", "w1", naive, 60),
            lambda: unit.jobs.renew(lease, naive, 60),
            lambda: unit.jobs.complete(lease, naive, "{}"),
            lambda: unit.jobs.release(lease, naive, "r"),
            lambda: unit.jobs.bury(lease, naive, "r"),
            lambda: unit.jobs.record("j1", naive, "x"),
            lambda: unit.jobs.move("j1", JobStatus.CANCELLED, naive),
            lambda: unit.boundaries.as_recorded("talk", naive),
            lambda: unit.jobs.land_call(
                job="j1", stage="fan_out", member="writer-a", ordinal=0, at=naive, result=REPLY, late=False
            ),
        ):
            with pytest.raises(ValueError, match="is naive"):
                use()


def test_events_of_writers_at_once_get_numbers_of_their_own(sql: SqlUnitOfWorkFactory) -> None:
    _store(sql)

    def write() -> None:
        for _ in range(5):
            with sql() as unit:
                unit.jobs.record("j1", INSTANT, "tick")
                unit.commit()

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    with sql() as unit:
        assert [event.number for event in unit.jobs.events("j1")] == list(range(1, 21))
