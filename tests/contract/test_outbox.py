"""Outbox: one suite over every adapter."""

import threading
from datetime import datetime

import pytest

from dissolution.errors import LeaseLost
from dissolution.job import JobStatus, Lane
from dissolution.outbox import Ring
from dissolution.ports.store import UnitOfWork, UnitOfWorkFactory
from store.sql.unit_of_work import SqlUnitOfWorkFactory
from tests.factories import INSTANT, a_conversation
from tests.unit.store.ledgers import STAGES, a_job, later

QUEUE = "io-1"
RESEND_S = 15.0


def ring(job: str = "j1", stage: str = "fan_out", queue: str = QUEUE) -> Ring:
    return Ring(job=job, stage=stage, queue=queue)


def due(*wanted: tuple[Ring, datetime]) -> dict[Ring, datetime]:
    return dict(wanted)


@pytest.fixture
def stored(units: UnitOfWorkFactory) -> UnitOfWorkFactory:
    """Two jobs for workers, j1 and j2, and j0 that its maker runs."""
    with units() as unit:
        for name, lane in (("j0", None), ("j1", Lane.BATCH), ("j2", Lane.INTERACTIVE)):
            talk = a_conversation("One.", "Two.", name=f"talk-{name}")
            unit.conversations.extend(talk)
            unit.jobs.add(a_job(name, talk).model_copy(update={"lane": lane}), STAGES)
        unit.commit()
    return units


def take(unit: UnitOfWork, at: float = 0, limit: int = 10, queue: str = QUEUE) -> tuple[Ring, ...]:
    return unit.outbox.take(queue, later(at), limit, RESEND_S)


def test_lane_and_tenant_of_a_job_come_back(stored: UnitOfWorkFactory) -> None:
    with stored() as unit:
        assert [unit.jobs.get(name).lane for name in ("j0", "j1", "j2")] == [None, Lane.BATCH, Lane.INTERACTIVE]
        assert unit.jobs.get("j1").tenant == "default"


def test_a_ring_is_taken_once_it_is_due_from_its_queue_alone(stored: UnitOfWorkFactory) -> None:
    with stored() as unit:
        unit.outbox.put(ring(), INSTANT, later(5))
        unit.outbox.put(ring("j2", queue="cpu-1"), INSTANT, INSTANT)
        assert take(unit, 4.9) == ()
        assert take(unit, 5) == (ring(),)
        assert take(unit, 5) == ()
        assert take(unit, 5, queue="cpu-1") == (ring("j2", queue="cpu-1"),)


def test_the_ring_of_a_step_that_is_over_gives_way_to_those_that_follow(stored: UnitOfWorkFactory) -> None:
    first, second = STAGES[1:3]
    with stored() as unit:
        unit.outbox.put(ring(), INSTANT, INSTANT)
        assert take(unit) == (ring(),)
        wanted = due((ring(stage=first, queue="cpu-1"), later(9)), (ring(stage=second), later(7)))
        assert unit.outbox.follow("j1", STAGES[0], wanted, later(3)) == tuple(wanted)
        rows = {row.ring: (row.created_at, row.due_at, row.sent_at, row.attempts) for row in unit.outbox.of_job("j1")}
        assert rows == {one: (later(3), at, None, 0) for one, at in wanted.items()}
        again = due((ring(stage=second), later(20)))
        assert unit.outbox.follow("j1", first, again, later(4)) == ()  # it stands, and stays as it is
        assert [(row.ring.stage, row.due_at) for row in unit.outbox.of_job("j1")] == [(second, later(7))]
        assert unit.outbox.follow("j1", second, {}, later(5)) == ()
        assert unit.outbox.of_job("j1") == ()
        assert unit.outbox.follow("j1", second, due((ring(stage=first), later(6))), later(5)) == (ring(stage=first),)


def test_what_nobody_takes_up_is_sent_again_after_ever_longer_waits(stored: UnitOfWorkFactory) -> None:
    with stored() as unit:
        unit.outbox.put(ring(), INSTANT, INSTANT)
        at = 0.0
        for wait_s in (15, 30, 60, 120, 240, 480, 480):
            assert take(unit, at) == (ring(),)
            assert take(unit, at + wait_s - 0.1) == ()
            at += wait_s
        (row,) = unit.outbox.of_job("j1")
        assert (row.attempts, row.sent_at, row.due_at) == (7, later(at - 480), later(at))


def test_those_due_longest_come_first_and_no_more_than_there_is_room_for(stored: UnitOfWorkFactory) -> None:
    with stored() as unit:
        unit.outbox.put(ring("j1"), INSTANT, later(2))
        unit.outbox.put(ring("j2"), INSTANT, later(1))
        assert take(unit, 3, limit=1) == (ring("j2"),)
        assert take(unit, 3, limit=1) == (ring("j1"),)


def queued(unit: UnitOfWork, tenant: str, number: int, turns: int, due: float) -> str:
    talk = a_conversation(*map(str, range(turns)), name=f"talk-{tenant}{number}")
    job = a_job(f"{tenant}{number}", talk).model_copy(update={"lane": Lane.BATCH, "tenant": tenant})
    unit.conversations.extend(talk)
    unit.jobs.add(job, STAGES)
    unit.outbox.put(ring(job.id), INSTANT, later(due))
    return job.id


def test_the_jobs_of_one_tenant_hold_up_no_other_s(units: UnitOfWorkFactory) -> None:
    with units() as unit:
        heavy = [queued(unit, "a", number, 9, due=number / 10) for number in range(3)]
        light = [queued(unit, "b", number, 2, due=1 + number / 10) for number in range(3)]
        first = [one.job for one in take(unit, 5, limit=3)]
        assert first == [heavy[0], light[0], light[1]], "due first; then whose tenant has less work before it"
        assert [one.job for one in take(unit, 5, limit=9)] == [light[2], heavy[1], heavy[2]]


def test_what_a_tenant_has_at_work_or_on_its_way_counts_before_what_it_has_waiting(units: UnitOfWorkFactory) -> None:
    with units() as unit:
        at_work, sent = (queued(unit, tenant, 1, 5, due=0) for tenant in "ab")
        assert len(take(unit, 0)) == 2
        unit.jobs.claim(at_work, "fan_out", "w1", INSTANT, 60)
        waiting = [queued(unit, tenant, 2, 1, due=place) for place, tenant in enumerate("abc")]
        assert [one.job for one in take(unit, 9)] == [waiting[2], waiting[0], waiting[1]]
        unit.outbox.settle(sent, "fan_out")
        assert [unit.outbox.at_work(tenant, {QUEUE}, later(9)) for tenant in "ab"] == [1, 0]
        assert unit.outbox.at_work("a", {"cpu-1"}, later(9)) == 0
        assert unit.outbox.at_work("a", {QUEUE}, later(60)) == 0, "its lease has run out"


def test_a_step_that_is_held_is_not_rung_for_until_its_lease_runs_out(stored: UnitOfWorkFactory) -> None:
    with stored() as unit:
        unit.outbox.put(ring(), INSTANT, INSTANT)
        unit.jobs.claim("j1", "fan_out", "w1", INSTANT, 60)
        assert take(unit, 59) == ()
        assert [(row.ring, row.owner) for row in unit.outbox.held(later(59), 10)] == [(ring(), "w1")]
        assert unit.outbox.held(later(59), 0) == ()
        assert unit.outbox.held(later(60), 10) == ()
        assert take(unit, 60) == (ring(),)


def test_a_step_that_is_over_is_rung_for_no_more(stored: UnitOfWorkFactory) -> None:
    with stored() as unit:
        unit.outbox.put(ring(), INSTANT, INSTANT)
        unit.outbox.put(ring(stage="parse"), INSTANT, INSTANT)
        unit.outbox.settle("j1", "fan_out")
        unit.outbox.settle("j1", "fan_out")
        assert take(unit) == (ring(stage="parse"),)


@pytest.mark.parametrize("status", [JobStatus.CANCELLED, JobStatus.FAILED, JobStatus.HISTORY_KEPT])
def test_a_job_that_ends_takes_its_rings_with_it(stored: UnitOfWorkFactory, status: JobStatus) -> None:
    with stored() as unit:
        unit.outbox.put(ring(), INSTANT, INSTANT)
        unit.outbox.put(ring("j2"), INSTANT, INSTANT)
        unit.jobs.move("j1", JobStatus.RUNNING, INSTANT)
        assert len(unit.outbox.of_job("j1")) == 1
        unit.jobs.move("j1", status, INSTANT)
        assert (unit.outbox.of_job("j1"), take(unit)) == ((), (ring("j2"),))


def test_a_held_job_keeps_its_rings_and_is_not_rung_for(stored: UnitOfWorkFactory) -> None:
    with stored() as unit:
        unit.outbox.put(ring(), INSTANT, INSTANT)
        unit.jobs.move("j1", JobStatus.RUNNING, INSTANT)
        unit.jobs.move("j1", JobStatus.HELD, INSTANT)
        assert (take(unit), unit.outbox.queues(INSTANT)) == ((), ())
        assert unit.jobs.claim("j1", "fan_out", "w1", INSTANT, 60) is None
        unit.jobs.move("j1", JobStatus.RUNNING, INSTANT)
        assert take(unit) == (ring(),)


def test_wanting_a_ring_again_puts_it_off_and_counts_on(stored: UnitOfWorkFactory) -> None:
    with stored() as unit:
        unit.outbox.put(ring(), INSTANT, INSTANT)
        take(unit)
        unit.outbox.put(ring(), later(1), later(9))
        (row,) = unit.outbox.of_job("j1")
        assert (row.created_at, row.due_at, row.sent_at, row.attempts) == (INSTANT, later(9), None, 1)


def test_what_the_broker_lost_is_due_at_once_but_what_rests_stays(stored: UnitOfWorkFactory) -> None:
    with stored() as unit:
        unit.outbox.put(ring(), INSTANT, INSTANT)
        unit.outbox.put(ring(stage="parse"), INSTANT, INSTANT)
        take(unit)
        unit.outbox.put(ring("j2"), INSTANT, later(100))  # gives a broken step its rest
        assert unit.outbox.bring_forward(later(1), job="j1", stage="parse") == 1
        assert take(unit, 1) == (ring(stage="parse"),)
        assert unit.outbox.bring_forward(later(2)) == 2
        assert sorted(one.stage for one in take(unit, 2)) == ["fan_out", "parse"]


def test_what_a_clock_that_was_set_back_left_in_the_future_is_bounded(stored: UnitOfWorkFactory) -> None:
    hours = 7200.0
    with stored() as unit:
        unit.outbox.put(ring(), later(hours), later(hours))
        unit.outbox.put(ring("j2"), later(hours), later(hours + 2))
        assert take(unit, hours) == (ring(),)  # and is sent again only two hours from INSTANT
        unit.outbox.put(ring(stage="parse"), INSTANT, later(299))  # rests, as it may
        held = unit.jobs.claim("j2", "fan_out", "w1", later(hours), 60)
        honest = unit.jobs.claim("j2", "parse", "w1", later(59), 60)  # by a clock that is a little ahead
        assert held is not None
        assert honest is not None

        assert unit.outbox.rein_in(INSTANT, lease_s=60, wait_s=300) == 3
        assert unit.outbox.rein_in(INSTANT, lease_s=60, wait_s=300) == 0

        until = {step.stage: step.lease_until for step in unit.jobs.steps("j2") if step.lease_until is not None}
        assert until == {"fan_out": later(60), "parse": later(119)}
        assert take(unit, 0) == (ring(),)
        assert ring("j2") not in take(unit, 59)
        assert ring("j2") in take(unit, 60)
        assert unit.jobs.claim("j2", "fan_out", "w2", later(59), 60) is None
        assert unit.jobs.claim("j2", "fan_out", "w2", later(60), 60) is not None


def test_a_lease_that_was_reined_in_is_still_its_holders(stored: UnitOfWorkFactory) -> None:
    with stored() as unit:
        held = unit.jobs.claim("j1", "fan_out", "w1", later(7200), 60)
        assert held is not None
        unit.outbox.rein_in(INSTANT, lease_s=60, wait_s=300)
        renewed = unit.jobs.renew(held, later(20), 60)
        unit.jobs.complete(renewed, later(70), "{}")


def test_a_job_for_workers_without_a_ring_is_a_stray(stored: UnitOfWorkFactory) -> None:
    with stored() as unit:
        assert unit.outbox.strays(10) == ("j1", "j2")
        assert unit.outbox.strays(1) == ("j1",)
        unit.outbox.put(ring("j1"), INSTANT, later(100))
        assert unit.outbox.strays(10) == ("j2",)
        unit.jobs.move("j2", JobStatus.CANCELLED, INSTANT)
        assert unit.outbox.strays(10) == ()


def test_queues_and_jobs_are_counted(stored: UnitOfWorkFactory) -> None:
    with stored() as unit:
        assert unit.outbox.queues(INSTANT) == ()
        for place, name in enumerate(("j1", "j2")):
            unit.outbox.put(ring(name), later(place), later(place))
            unit.outbox.put(ring(name, "parse"), later(5), later(5))
        unit.jobs.claim("j1", "fan_out", "w1", INSTANT, 60)
        unit.jobs.claim("j2", "fan_out", "w1", INSTANT, 10)
        (count,) = unit.outbox.queues(later(30))
        assert (count.queue, count.waiting, count.running, count.expired) == (QUEUE, 2, 1, 1)
        assert count.oldest_at == later(5)
        assert dict(unit.outbox.job_counts()) == {JobStatus.QUEUED: 3}
        assert [job.id for job in unit.jobs.unfinished(2)] == ["j0", "j1"]


def test_nothing_is_rung_for_when_the_transaction_is_rolled_back(stored: UnitOfWorkFactory) -> None:
    with stored() as unit:
        unit.outbox.put(ring(), INSTANT, INSTANT)
    with stored() as unit:
        assert unit.outbox.of_job("j1") == ()


def test_a_renewal_is_refused_when_the_job_has_ended(stored: UnitOfWorkFactory) -> None:
    with stored() as unit:
        lease = unit.jobs.claim("j1", "fan_out", "w1", INSTANT, 60)
        assert lease is not None
        assert unit.jobs.renew(lease, later(1), 60).until == later(61)
        unit.jobs.move("j1", JobStatus.CANCELLED, INSTANT)
        with pytest.raises(LeaseLost):
            unit.jobs.renew(lease, later(2), 60)
        assert unit.jobs.claim("j1", "parse", "w1", INSTANT, 60) is None


def test_an_attempt_that_does_not_count_is_taken_off(stored: UnitOfWorkFactory) -> None:
    with stored() as unit:
        for counted, attempts in ((True, 1), (False, 1), (True, 2)):
            lease = unit.jobs.claim("j1", "fan_out", "w1", INSTANT, 60)
            assert lease is not None
            unit.jobs.release(lease, INSTANT, "why", counted=counted)
            assert unit.jobs.steps("j1")[0].attempts == attempts


def test_two_relays_at_once_take_each_ring_once(sql: SqlUnitOfWorkFactory) -> None:
    talk = a_conversation("One.")
    names = [f"j{number:03}" for number in range(60)]
    with sql() as unit:
        unit.conversations.extend(talk)
        for name in names:
            unit.jobs.add(a_job(name, talk).model_copy(update={"lane": Lane.BATCH}), STAGES)
            unit.outbox.put(ring(name), INSTANT, INSTANT)
        unit.commit()
    taken: list[Ring] = []
    start = threading.Barrier(3)

    def relay() -> None:
        start.wait(10)
        while True:
            with sql() as unit:
                got = take(unit, limit=7)
                unit.commit()
            if not got:
                return
            taken.extend(got)

    threads = [threading.Thread(target=relay) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(one.job for one in taken) == names
