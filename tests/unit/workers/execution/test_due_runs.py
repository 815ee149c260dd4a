"""Which stability runs are taken up, when again, and by whom: the relay's messages, the embedded runner, a worker."""

import logging
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from devtools.clock import FixedClock
from dissolution.errors import NotFound, StoreUnavailable
from dissolution.job import Lane
from dissolution.settings import Settings
from dissolution.stability import Arm, RunStatus, StabilityRun
from dissolution.values import NotMeasured
from stability.driving import advance_run
from stability.run import start_run, stored_run
from tests.factories import INSTANT
from tests.polling import eventually
from tests.unit.stability.runs import a_plan, serving
from tests.unit.workers.celery.test_relay import Broker
from workers.celery.app import ADVANCE
from workers.celery.process import WorkerProcess
from workers.celery.relay import Relay, RelayRound
from workers.execution.due_runs import LOOK, DueRuns
from workers.pipeline import QueueClass
from workers.runtime.embedded import EmbeddedBell, EmbeddedRunner, advance_one
from workers.services import NoBell, Services

SETTINGS = Settings(relay_s=0.05, resend_s=15)
GONE = NotMeasured(not_measured="it was tried")


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    with serving(tmp_path) as opened:
        yield opened


def begun(services: Services) -> StabilityRun:
    return start_run(services, a_plan(services, Arm.TRUNCATION, lane=Lane.STABILITY))


def settle(services: Services, run: StabilityRun, place: int) -> None:
    with services.unit_of_work() as work:
        work.stability.settle(run.id, work.stability.cells(run.id)[place].key, GONE)
        work.commit()


def test_a_run_is_taken_up_when_it_has_come_further_or_its_message_may_be_lost(services: Services) -> None:
    run, clock = begun(services), FixedClock(INSTANT)
    due = DueRuns(services.unit_of_work, clock, again_s=15)
    assert due.now() == (run.id,)
    due.taken(run.id)
    assert due.now() == ()  # it looks every two seconds
    clock.advance(LOOK.total_seconds())
    assert due.now() == ()  # no further than it was
    settle(services, run, 0)
    clock.advance(LOOK.total_seconds())
    assert due.now() == (run.id,)
    clock.advance(LOOK.total_seconds())
    assert due.now() == (run.id,)  # nobody took it up
    due.taken(run.id)
    clock.advance((timedelta(seconds=15)).total_seconds())
    assert due.now() == (run.id,)


def test_the_relay_asks_for_runs_until_the_broker_is_away(services: Services) -> None:
    first, second = begun(services), begun(services)
    asked: list[str] = []
    clock, broker, away = FixedClock(INSTANT), Broker(), {second.id}

    def ask(run: str) -> bool:
        asked.append(run)
        return run not in away

    def relay(**more: object) -> Relay:
        given = {"unit_of_work": services.unit_of_work, "clock": clock, "doorbell": broker, "sender": broker}
        return Relay(SETTINGS, **(given | more))  # pyright: ignore[reportArgumentType] - named above

    sending = relay(advancer=ask)
    assert sending.look() == RelayRound(runs=1)
    away.clear()
    clock.advance(LOOK.total_seconds())
    assert sending.look() == RelayRound(runs=1)
    assert sorted(asked) == sorted([first.id, second.id, second.id])
    assert relay().look() == RelayRound()  # without somebody to ask it asks nobody


def test_the_service_alone_does_a_run_and_goes_on_with_it_after_a_restart(services: Services) -> None:
    run = start_run(services, a_plan(services, Arm.LEDGER, checkpoints=(2, 4), lane=Lane.STABILITY))

    def embedded(until: str) -> None:
        stop = threading.Event()
        runner = EmbeddedRunner(services.settings, EmbeddedBell(), advance_run)
        thread = threading.Thread(target=runner.run, args=(stop,), daemon=True)
        thread.start()
        eventually(lambda: has_come_to(until), what=until)
        stop.set()
        thread.join(30)
        assert not thread.is_alive()

    def has_come_to(until: str) -> bool:
        with services.unit_of_work() as work:
            begun = work.stability.cells(run.id)[0].job is not None
        return begun if until == "begun" else stored_run(services, run.id).status is RunStatus.DONE

    embedded("begun")
    assert stored_run(services, run.id).status is RunStatus.RUNNING
    embedded("done")


def test_what_a_run_stumbles_over_ends_neither_runner_nor_worker(
    services: Services, caplog: pytest.LogCaptureFixture
) -> None:
    def missing(_: Services, run: str) -> int:
        kind = "stability run"
        raise NotFound(kind, run)

    def broken(_: Services, run: str) -> int:
        raise ZeroDivisionError(run)

    def away(_: Services, run: str) -> int:
        raise StoreUnavailable(run, "try again")

    with caplog.at_level(logging.INFO):
        for advance in (missing, broken):
            advance_one(services, "run-a", advance)
            process = WorkerProcess(services.settings, NoBell(), QueueClass.IO, advance)
            process.run("run-b", ADVANCE)
            process.stop()
        with pytest.raises(StoreUnavailable):  # the runner waits for a database that is away
            advance_one(services, "run-a", away)
        WorkerProcess(services.settings, NoBell(), QueueClass.IO).run("run-c", ADVANCE)
        process = WorkerProcess(services.settings, NoBell(), QueueClass.IO, lambda _services, _run: 3)
        process.run("run-d", ADVANCE)
        process.stop()
    told = caplog.text
    assert "stability run run-a: no stability run 'run-a'" in told
    assert "stability run run-b: ZeroDivisionError" in told
    assert "run-c: this program cannot go on with it" in told
    assert "stability run run-d: 3 cells begun or measured" in told
