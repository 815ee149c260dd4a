"""Triggers that decide though nobody appends: beside the service of one machine, and wherever a relay asks."""

import logging
import threading
from collections.abc import Generator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import NoReturn, cast

import pytest

from devtools.clock import FixedClock
from dissolution.errors import StoreUnavailable
from dissolution.job import JobStatus
from dissolution.policy.job_policy import Policy
from dissolution.policy.triggers import SchedulePolicy
from dissolution.ports.store import UnitOfWork
from dissolution.triggering import Evaluation, ReasonCode, Watch
from tests.factories import INSTANT, a_turn
from tests.polling import eventually
from tests.running import running
from tests.unit.workers.triggers.test_evaluation import (
    EVERY_FIVE,
    NAME,
    QUIET,
    append,
    end,
    jobs_of,
    said,
    state_of,
    watch,
)
from workers.runtime.embedded_triggers import EmbeddedTriggers
from workers.services import Services
from workers.triggers.due_evaluations import WATCH_S
from workers.triggers.evaluation import after_append

HOURLY = QUIET.model_copy(update={"schedule": SchedulePolicy(every_hours=2)})


@pytest.fixture
def services(tmp_path: Path) -> Generator[Services]:
    with running(tmp_path, []) as made:
        yield made


def clock_of(services: Services) -> FixedClock:
    return cast("FixedClock", services.clock)


def look(services: Services, triggers: EmbeddedTriggers) -> int:
    clock_of(services).advance(WATCH_S)
    return triggers.look()


def told(services: Services) -> tuple[Evaluation, ...]:
    with services.unit_of_work() as work:
        return work.triggers.evaluations(NAME)


def test_turns_that_were_stored_and_never_read_are_read(services: Services) -> None:
    triggers = EmbeddedTriggers(services)
    watch(services, EVERY_FIVE, 6)
    assert triggers.look() == 1
    assert [one.turn for one in told(services)] == [1, 2, 3, 4, 5, 6]
    assert len(jobs_of(services)) == 1
    assert triggers.look() == 0  # between two looks
    assert look(services, triggers) == 0


def test_a_schedule_of_hours_comes_due_though_nobody_says_anything(services: Services) -> None:
    triggers = EmbeddedTriggers(services)
    watch(services, HOURLY, 3)
    assert triggers.look() == 1
    assert jobs_of(services) == ()
    assert look(services, triggers) == 0  # nothing is due, so nothing is evaluated
    clock_of(services).advance(2 * 3600)
    assert look(services, triggers) == 1
    (job,) = jobs_of(services)
    last = told(services)[-1]
    assert (last.number, last.turn, last.job, last.surprise) == (4, 3, job.id, None)
    end(services, job.id, JobStatus.HISTORY_KEPT)
    assert look(services, triggers) == 1  # its end is taken in, once
    assert state_of(services).rejections == 1
    assert look(services, triggers) == 0


def test_what_cannot_fire_when_its_hours_are_over_is_not_looked_at_all_the_time(services: Services) -> None:
    triggers = EmbeddedTriggers(services)
    watch(services, HOURLY.model_copy(update={"min_new_tokens": 10_000}), 3)
    assert triggers.look() == 1
    clock_of(services).advance(2 * 3600)
    assert look(services, triggers) == 1
    assert told(services)[-1].decision.reasons[0].code is ReasonCode.TOO_LITTLE
    clock_of(services).advance(48 * 3600)
    assert look(services, triggers) == 0
    assert len(told(services)) == 4


def test_turns_that_came_during_a_job_are_decided_about_when_it_ends(services: Services) -> None:
    triggers = EmbeddedTriggers(services)
    watch(services, EVERY_FIVE, 6)
    assert triggers.look() == 1
    (first,) = jobs_of(services)
    held = [append(services, a_turn(number, said(number))) for number in range(7, 13)]
    assert held[-1][0].decision.reasons[0].code is ReasonCode.JOB_IN_FLIGHT
    assert look(services, triggers) == 0  # the job goes on
    end(services, first.id, JobStatus.FAILED)
    assert look(services, triggers) == 1
    second = [job for job in jobs_of(services) if job.id != first.id]
    assert [job.through for job in second] == [12]
    assert told(services)[-1].job == second[0].id


def test_a_conversation_is_decided_about_anew_when_it_is_watched_otherwise(services: Services) -> None:
    triggers = EmbeddedTriggers(services)
    watch(services, QUIET, 6)
    assert triggers.look() == 1
    with services.unit_of_work() as work:
        other = Watch(conversation=NAME, policy=Policy(triggers=EVERY_FIVE), since=services.clock.now())
        work.triggers.watch(other)
        work.commit()
    assert look(services, triggers) == 1
    assert [job.through for job in jobs_of(services)] == [6]
    assert look(services, triggers) == 0


def test_a_conversation_whose_triggers_fail_is_tried_again_later_and_stops_no_other(
    services: Services, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(fleet: str) -> NoReturn:
        raise ZeroDivisionError(said(1)) if fleet == "extractive" else StoreUnavailable(fleet, "try again")

    failing = replace(services, surprise=broken)
    triggers = EmbeddedTriggers(failing)
    watch(services, EVERY_FIVE, 1)
    with caplog.at_level(logging.INFO):
        assert triggers.look() == 1
        assert look(services, triggers) == 0  # it is left alone for a while
        clock_of(services).advance(services.settings.resend_s)
        assert triggers.look() == 1
    assert f"triggers of {NAME!r}: ZeroDivisionError" in caplog.text
    assert "harbour" not in caplog.text  # no word of the conversation
    assert len(after_append(services, NAME)) == 1


def test_a_database_that_is_away_is_waited_for_and_stopping_ends_the_thread(
    services: Services, caplog: pytest.LogCaptureFixture
) -> None:
    watch(services, EVERY_FIVE, 2)
    away = [True]

    def units() -> UnitOfWork:
        if away:
            away.clear()
            place = "the database"
            raise StoreUnavailable(place, "try again")
        return services.unit_of_work()

    stop = threading.Event()
    triggers = EmbeddedTriggers(replace(services, unit_of_work=units, clock=Ticking()))
    thread = threading.Thread(target=triggers.run, args=(stop,), daemon=True)
    thread.start()
    eventually(lambda: told(services), limit_s=30, what="the evaluation")
    stop.set()
    thread.join(30)
    assert not thread.is_alive()
    assert "triggers wait" in caplog.text


def test_a_thread_that_is_told_to_stop_begins_no_other_conversation(services: Services) -> None:
    watch(services, EVERY_FIVE, 2)
    stop = threading.Event()
    stop.set()
    assert EmbeddedTriggers(services).look(stop) == 0
    assert told(services) == ()


class Ticking(FixedClock):
    """Every reading is two seconds after the one before."""

    def __init__(self) -> None:
        super().__init__(INSTANT)

    def now(self) -> datetime:
        self.advance(WATCH_S)
        return super().now()
