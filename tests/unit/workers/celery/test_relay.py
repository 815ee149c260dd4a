"""The relay: it sends what is due, again if it was lost, no more than there is room for, whoever else does."""

import threading
from collections.abc import Generator
from datetime import timedelta
from pathlib import Path

import pytest

from devtools.clock import FixedClock
from dissolution.errors import StoreUnavailable
from dissolution.job import JobStatus, Lane
from dissolution.outbox import Ring
from dissolution.ports.store import UnitOfWork
from dissolution.settings import Settings
from dissolution.triggering import TriggerState, Watch
from tests.factories import INSTANT, a_conversation
from tests.running import a_job, running
from workers.celery.relay import SWEEP_S, Relay, RelayRound
from workers.concurrency.processes import this_process
from workers.pipeline import QueueClass, queue_name
from workers.services import Services
from workers.triggers.due_evaluations import WATCH_S

IO = queue_name(QueueClass.IO, Lane.BATCH)
CPU = queue_name(QueueClass.CPU, Lane.BATCH)
GIANT = queue_name(QueueClass.GIANT, Lane.BATCH)


class Broker:
    """A broker that remembers what it was sent."""

    def __init__(self) -> None:
        self.queues: dict[str, list[Ring]] = {}
        self.away = False
        self.empty = False
        self.room_for = 10_000

    def depth(self, queue: str) -> int | None:
        return None if self.away else len(self.queues.get(queue, ()))

    def lost_everything(self) -> bool:
        was, self.empty = self.empty, False
        return was

    def sent(self, ring: Ring) -> bool:
        if self.away or self.room_for == 0:
            return False
        self.room_for -= 1
        self.queues.setdefault(ring.queue, []).append(ring)
        return True

    def drained(self, queue: str = IO) -> list[str]:
        """What waits in a queue, taken out."""
        return [f"{ring.job}/{ring.stage}" for ring in self.queues.pop(queue, ())]


class WallClock(FixedClock):
    """A clock that somebody can set back."""

    def set_back(self, seconds: float) -> None:
        self._instant -= timedelta(seconds=seconds)


class World:
    """A store, a broker, a clock and a relay between them."""

    def __init__(self, services: Services, **settings: object) -> None:
        self.services = services
        self.broker = Broker()
        self.clock = WallClock(INSTANT)
        self.settings = Settings.model_validate({"relay_s": 0.05, "resend_s": 15, **settings})
        self.relay = self.another()

    def another(self) -> Relay:
        return Relay(
            self.settings,
            unit_of_work=self.services.unit_of_work,
            clock=self.clock,
            doorbell=self.broker,
            sender=self.broker,
        )

    def job(self, name: str) -> str:
        return a_job(self.services, a_conversation("One.", "Two.", name=name), lane=Lane.BATCH).id

    def claim(self, job: str, stage: str, owner: str, lease_s: float = 60) -> None:
        with self.services.unit_of_work() as work:
            assert work.jobs.claim(job, stage, owner, self.clock.now(), lease_s) is not None
            work.commit()


@pytest.fixture
def world(tmp_path: Path) -> Generator[World]:
    with running(tmp_path, []) as services:
        yield World(services)


def watched(services: Services, name: str) -> None:
    """A watched conversation of two turns that nobody has evaluated."""
    with services.unit_of_work() as work:
        work.conversations.extend(a_conversation("One.", "Two.", name=name))
        work.triggers.watch(Watch(conversation=name, since=INSTANT))
        work.commit()


def test_evaluations_that_are_behind_are_asked_for_until_they_are_done(world: World) -> None:
    watched(world.services, "a")
    watched(world.services, "b")
    asked: list[str] = []
    away = {"b"}

    def ask(conversation: str) -> bool:
        asked.append(conversation)
        return conversation not in away

    relay = Relay(
        world.settings,
        unit_of_work=world.services.unit_of_work,
        clock=world.clock,
        doorbell=world.broker,
        sender=world.broker,
        evaluator=ask,
    )
    assert relay.look() == RelayRound(behind=1)  # the broker went away before the second
    assert relay.look() == RelayRound()  # it looks every two seconds
    away.clear()
    world.clock.advance(WATCH_S)
    assert relay.look() == RelayRound(behind=1)
    assert asked == ["a", "b", "b"]
    world.clock.advance(world.settings.resend_s)
    assert relay.look() == RelayRound(behind=2)  # nobody took them up
    with world.services.unit_of_work() as work:
        work.triggers.save(TriggerState(conversation="a", through=2), ())
        work.commit()
    world.clock.advance(world.settings.resend_s)
    assert relay.look() == RelayRound(behind=1)
    assert asked[-1] == "b"
    assert world.relay.look() == RelayRound()  # a relay without an evaluator asks nobody


def first(*jobs: str) -> set[str]:
    return {f"{job}/{stage}" for job in jobs for stage in ("fan_out", "register", "question_bank")}


def test_a_stored_job_is_sent_once(world: World) -> None:
    job = world.job("a")
    assert world.relay.look().sent == 3
    assert world.relay.look() == RelayRound()
    assert world.another().look() == RelayRound()
    assert set(world.broker.drained()) == first(job)


def test_a_lost_message_is_sent_again_when_nobody_took_it_up(world: World) -> None:
    job = world.job("a")
    world.relay.look()
    world.broker.queues.clear()
    world.claim(job, "register", "somebody")
    world.clock.advance(14.9)
    assert world.relay.look().sent == 0
    world.clock.advance(0.1)
    assert world.relay.look().sent == 2
    assert set(world.broker.drained()) == first(job) - {f"{job}/register"}


def test_a_wiped_redis_gets_everything_again_at_once(world: World) -> None:
    job = world.job("a")
    world.relay.look()
    world.broker.queues.clear()
    world.broker.empty = True
    assert world.relay.look() == RelayRound(sent=3, lost=True)
    assert set(world.broker.drained()) == first(job)


def test_redis_holds_a_window_and_the_rest_waits_in_its_order(world: World) -> None:
    jobs = [world.job(f"c{number}") for number in range(4)]
    relay = World(world.services, queue_window=5)
    relay.broker = world.broker
    relay.clock = world.clock
    small = relay.another()
    assert small.look().sent == 5
    assert small.look().sent == 0
    assert set(world.broker.drained()) < first(*jobs[:2])
    assert small.look().sent == 5
    world.broker.drained()
    assert small.look().sent == 2


def test_a_queue_that_is_nearly_full_is_left_alone(world: World) -> None:
    for number in range(4):
        world.job(f"c{number}")
    relay = World(world.services, queue_window=8)
    relay.broker = world.broker
    relay = relay.another()
    assert relay.look().sent == 8
    del world.broker.queues[IO][0]
    assert relay.look().sent == 0, "one place of eight is not worth a look at all that waits"
    del world.broker.queues[IO][0]
    assert relay.look().sent == 2


def test_the_next_giant_is_chosen_when_there_is_room(world: World) -> None:
    for number in range(3):
        job = world.job(f"c{number}")
        with world.services.unit_of_work() as work:
            for row in work.outbox.of_job(job):
                giant = row.ring.model_copy(update={"queue": GIANT})
                work.outbox.put(giant, INSTANT, INSTANT)
            work.commit()
    assert world.relay.look().sent == 1
    assert world.relay.look().sent == 0
    world.broker.drained(GIANT)
    assert world.relay.look().sent == 1


def test_an_expired_lease_is_rung_for(world: World) -> None:
    job = world.job("a")
    world.relay.look()
    world.broker.drained()
    world.claim(job, "fan_out", "another-machine:1:2:3", lease_s=60)
    world.claim(job, "register", "another-machine:1:2:3", lease_s=90)
    world.claim(job, "question_bank", "another-machine:1:2:3", lease_s=90)
    world.clock.advance(59)
    assert world.relay.look() == RelayRound()
    world.clock.advance(1)
    world.relay.look()
    assert world.broker.drained() == [f"{job}/fan_out"]


@pytest.mark.parametrize("restarted", [False, True])
def test_a_clock_set_back_two_hours_keeps_nothing_waiting_for_longer_than_a_lease(
    world: World, *, restarted: bool
) -> None:
    """With a kill at the same moment: nobody renews, and the message is gone, too."""
    job = world.job("a")
    world.relay.look()
    world.broker.drained()
    world.claim(job, "fan_out", "another-machine:1:2:3", lease_s=world.settings.lease_s)
    world.relay.look()

    world.clock.set_back(7200)
    if restarted:
        world.relay = world.another()
    world.relay.look()

    # What was sent and not taken up is sent again at once, what was held when its lease has run out.
    assert set(world.broker.drained()) == {f"{job}/register", f"{job}/question_bank"}
    world.clock.advance(world.settings.lease_s - 1)
    world.relay.look()
    assert f"{job}/fan_out" not in world.broker.drained()
    world.clock.advance(1)
    world.relay.look()
    assert f"{job}/fan_out" in world.broker.drained()
    with world.services.unit_of_work() as work:
        assert work.jobs.claim(job, "fan_out", "b", world.clock.now(), 60) is not None


def test_a_process_of_this_machine_that_is_gone_is_noticed_before_its_lease_ends(world: World) -> None:
    job = world.job("a")
    world.relay.look()
    world.broker.drained()
    mine = this_process()
    gone = mine.rpartition(":")[0] + ":1"
    world.claim(job, "fan_out", gone)
    world.claim(job, "register", mine)
    assert world.relay.look().orphans == 1
    assert world.broker.drained() == [f"{job}/fan_out"]
    assert world.relay.look().orphans == 0  # it is on its way
    world.clock.advance(15)
    world.relay.look()
    assert f"{job}/fan_out" in world.broker.drained()


def test_a_broker_that_is_away_costs_nothing_and_gets_all_when_it_is_back(world: World) -> None:
    job = world.job("a")
    world.broker.away = True
    assert world.relay.look() == RelayRound()
    world.broker.away = False
    world.broker.room_for = 1  # it goes away in the middle
    assert world.relay.look().sent == 1
    world.broker.room_for = 100
    assert world.relay.look().sent == 2
    assert sorted(world.broker.drained()) == sorted(first(job))


def test_a_job_without_a_ring_is_taken_up_and_one_that_its_maker_runs_is_not(world: World) -> None:
    job = world.job("a")
    a_job(world.services, a_conversation("Mine.", name="mine"))
    with world.services.unit_of_work() as work:
        for stage in ("fan_out", "register", "question_bank"):
            work.outbox.settle(job, stage)
        work.commit()
    assert world.relay.look().strays == 1
    world.clock.advance(SWEEP_S)
    assert world.relay.look() == RelayRound(sent=3)
    assert set(world.broker.drained()) == first(job)


def test_a_job_that_was_cancelled_is_not_rung_for(world: World) -> None:
    job = world.job("a")
    with world.services.unit_of_work() as work:
        work.jobs.move(job, JobStatus.CANCELLED, INSTANT)
        work.commit()
    assert world.relay.look() == RelayRound()


def test_ten_thousand_queued_jobs_cost_a_look_next_to_nothing(world: World) -> None:
    """What is not due, and what waits in other queues, is not read: the plan uses the index on queue and due time."""
    from sqlalchemy import text

    from store.sql.unit_of_work import SqlUnitOfWorkFactory

    factory = world.services.unit_of_work
    assert isinstance(factory, SqlUnitOfWorkFactory)
    plan = (
        "EXPLAIN QUERY PLAN SELECT o.id FROM outbox o JOIN steps s ON s.job = o.job AND s.stage = o.stage "
        "JOIN jobs j ON j.id = o.job WHERE o.queue = 'q' AND o.due_at <= '2026' ORDER BY o.due_at, o.id LIMIT 200"
    )
    with factory.engine.connect() as connection:
        lines = [row[-1] for row in connection.execute(text(plan))]
        running = "SELECT job FROM steps WHERE status = 'running' AND lease_until > '2026' ORDER BY lease_until LIMIT 9"
        (steps,) = [row[-1] for row in connection.execute(text(f"EXPLAIN QUERY PLAN {running}"))]
    assert any("ix_outbox_queue_due_at" in line for line in lines)
    assert not any(line.startswith("SCAN") for line in lines)
    assert "ix_steps_running" in steps


def test_the_loop_outlives_a_database_that_is_away_and_ends_when_told_to(world: World) -> None:
    stop, looked = threading.Event(), threading.Event()
    fails = [True, True]

    class Sometimes:
        def __call__(self) -> UnitOfWork:
            if fails:
                fails.pop()
                raise StoreUnavailable("db", "away")
            looked.set()
            return world.services.unit_of_work()

        reading = __call__

    relay = Relay(
        world.settings, unit_of_work=Sometimes(), clock=world.clock, doorbell=world.broker, sender=world.broker
    )
    world.job("a")
    thread = threading.Thread(target=relay.run, args=(stop,))
    thread.start()
    assert looked.wait(30)
    stop.set()
    thread.join(30)
    assert not thread.is_alive()
    assert fails == []


def test_no_message_of_the_cpu_class_lands_in_an_io_queue(world: World) -> None:
    job = world.job("a")
    with world.services.unit_of_work() as work:
        work.outbox.put(Ring(job=job, stage="parse", queue=CPU), INSTANT, INSTANT + timedelta(0))
        work.commit()
    world.relay.look()
    assert world.broker.drained(CPU) == [f"{job}/parse"]
    assert set(world.broker.drained(IO)) == first(job)
