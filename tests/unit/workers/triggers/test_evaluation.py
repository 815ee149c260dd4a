"""Evaluation after an append: what is decided is stored once, with the job it fires, whatever happens in between."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from dissolution.claims import Section
from dissolution.conversation import Conversation, Turn
from dissolution.errors import DayBudgetExceeded, EvaluationConflict
from dissolution.job import Job, JobStatus, Lane
from dissolution.outbox import Ring
from dissolution.policy.gate import TokenPressure
from dissolution.policy.job_policy import Policy
from dissolution.policy.triggers import BudgetSignalPolicy, DriftPolicy, SchedulePolicy, SurprisePolicy, TriggerPolicy
from dissolution.settings import Settings
from dissolution.triggering import Evaluation, ReasonCode, Signal, TriggerState, Watch
from dissolution.values import NotMeasured
from tests.factories import INSTANT, a_conversation, a_turn
from tests.running import running
from tests.unit.store.cycles import a_cycle
from tests.unit.store.ledgers import a_claim, a_receipt
from tests.unit.store.ledgers import a_job as job_of
from workers.services import Services
from workers.stages.trigger_pressure import notable_turns, pressure_now
from workers.triggers import evaluation as triggering
from workers.triggers.evaluation import after_append

NAME = "conv-1"
QUIET = TriggerPolicy(
    shadow=False,
    drift=DriftPolicy(distance=None, shift_depth=None),
    surprise=SurprisePolicy(alpha=None),
    lock_in=None,
    cooldown_tokens=0,
    cooldown_turns=0,
    min_new_tokens=0,
    min_gain=0.0,
)
"""Nothing fires but what a test adds."""
EVERY_FIVE = QUIET.model_copy(update={"schedule": SchedulePolicy(every_turns=5)})


def said(number: int) -> str:
    return f"In round {number} the team compares tariff {number} with the harbour plan and asks who pays for pilots."


def talk(turns: int) -> Conversation:
    return a_conversation(*(said(number) for number in range(1, turns + 1)), name=NAME)


@pytest.fixture
def services(tmp_path: Path) -> Generator[Services]:
    with running(tmp_path, []) as made:
        yield made


def watch(services: Services, triggers: TriggerPolicy, turns: int, *, fleet: str = "extractive") -> None:
    with services.unit_of_work() as work:
        work.conversations.extend(talk(turns))
        policy = Policy(triggers=triggers)
        work.triggers.watch(Watch(conversation=NAME, policy=policy, fleet=fleet, lane=Lane.BATCH, since=INSTANT))
        work.commit()


def append(services: Services, turn: Turn) -> tuple[Evaluation, ...]:
    with services.unit_of_work() as work:
        work.conversations.append(NAME, (turn,))
        work.commit()
    return after_append(services, NAME)


def jobs_of(services: Services) -> tuple[Job, ...]:
    with services.unit_of_work() as work:
        return work.jobs.find(NAME)


def state_of(services: Services) -> TriggerState:
    with services.unit_of_work() as work:
        state = work.triggers.state(NAME)
    assert state is not None
    return state


def end(services: Services, job: str, status: JobStatus) -> None:
    with services.unit_of_work() as work:
        work.jobs.move(job, JobStatus.RUNNING, INSTANT)
        work.jobs.move(job, status, INSTANT, "so it ended")
        work.commit()


def test_nothing_happens_to_a_conversation_nobody_watches(services: Services) -> None:
    with services.unit_of_work() as work:
        work.conversations.extend(talk(3))
        work.commit()
    assert after_append(services, NAME) == ()
    with services.unit_of_work() as work:
        assert work.triggers.state(NAME) is None
        assert notable_turns(work, NAME) is None


def test_every_turn_is_evaluated_once_in_order_and_stored(services: Services) -> None:
    watch(services, QUIET, 3)
    told = after_append(services, NAME)
    assert [(one.number, one.turn) for one in told] == [(1, 1), (2, 2), (3, 3)]
    assert after_append(services, NAME) == ()  # nothing new
    told += append(services, a_turn(4, said(4)))
    with services.unit_of_work() as work:
        assert work.triggers.evaluations(NAME) == told
        assert notable_turns(work, NAME) == ()
    assert state_of(services).tokens == told[-1].tokens == sum(services.counter.count(said(n)) for n in range(1, 5))


def test_more_turns_than_a_batch_are_read_batch_by_batch(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(triggering, "BATCH_TURNS", 4)
    watch(services, QUIET, 11)
    assert [one.turn for one in after_append(services, NAME)] == list(range(1, 12))
    assert state_of(services).revision == 3


def test_reading_at_once_and_one_by_one_is_the_same(tmp_path: Path) -> None:
    values: list[list[Any]] = []
    for folder, first in ((tmp_path / "a", 30), (tmp_path / "b", 1)):
        folder.mkdir()
        with running(folder, []) as services:
            watch(services, QUIET, first)
            told = list(after_append(services, NAME))
            for number in range(first + 1, 31):
                told.extend(append(services, a_turn(number, said(number), talk(30).turn(number).role)))
            values.append([one.model_dump() for one in told])
            values.append([state_of(services).memory])
    assert values[0] == values[2]
    assert values[1] == values[3]


def test_a_firing_submits_one_job_over_all_turns_and_later_turns_wait_for_its_end(services: Services) -> None:
    watch(services, EVERY_FIVE, 4)
    assert not any(one.decision.fires for one in after_append(services, NAME))
    append(services, a_turn(5, said(5)))
    (fired,) = append(services, a_turn(6, said(6)))
    (job,) = jobs_of(services)
    assert (fired.decision.fires, fired.job, fired.decision.called) == (True, job.id, (Signal.SCHEDULE,))
    assert (job.through, job.lane, job.fleet) == (6, Lane.BATCH, "extractive")
    held = [one for number in range(7, 14) for one in append(services, a_turn(number, said(number)))]
    assert not any(one.decision.fires for one in held)
    assert held[-1].decision.reasons[0].code is ReasonCode.JOB_IN_FLIGHT
    assert jobs_of(services) == (job,)
    end(services, job.id, JobStatus.HISTORY_KEPT)
    told = after_append(services, NAME)  # the job's end alone is looked at
    assert [one.turn for one in told] == [13]
    assert state_of(services).rejections == 1
    assert len(jobs_of(services)) == 2
    assert {one.through for one in jobs_of(services)} == {6, 13}


def test_a_batch_that_fires_in_its_middle_submits_one_job(services: Services) -> None:
    watch(services, EVERY_FIVE, 30)
    told = after_append(services, NAME)
    fired = [one for one in told if one.decision.fires]
    assert [one.turn for one in fired] == [6]
    assert fired[0].job == jobs_of(services)[0].id
    assert jobs_of(services)[0].through == 30
    later = [one for one in told if one.turn > 6 and Signal.SCHEDULE in one.decision.called]
    assert later
    assert {reason.code for one in later for reason in one.decision.reasons} >= {ReasonCode.JOB_IN_FLIGHT}


def test_shadow_mode_records_what_would_have_fired_and_submits_nothing(services: Services) -> None:
    watch(services, EVERY_FIVE.model_copy(update={"shadow": True}), 22)
    told = after_append(services, NAME)
    assert [one.turn for one in told if one.decision.fires] == [6, 11, 16, 21]
    assert {one.job for one in told} == {None}
    assert {one.shadow for one in told} == {True}
    assert jobs_of(services) == ()


def test_a_persons_call_is_no_trial(services: Services) -> None:
    watch(services, EVERY_FIVE.model_copy(update={"shadow": True}), 21)
    assert after_append(services, NAME)[-1].decision.fires  # what the shadow stands for covers every turn
    assert jobs_of(services) == ()
    (called,) = after_append(services, NAME, asked_by="ann: the sprint is over")
    (job,) = jobs_of(services)
    assert (called.shadow, called.job, job.through) == (False, job.id, 21)
    assert [value.note for value in called.values if value.signal is Signal.MANUAL] == ["by ann: the sprint is over"]
    (again,) = after_append(services, NAME, asked_by="ben")
    assert {reason.code for reason in again.decision.reasons} >= {ReasonCode.JOB_IN_FLIGHT}
    later = append(services, a_turn(22, said(22)))
    assert {one.shadow for one in later} == {True}


def test_a_persons_call_in_shadow_mode_is_held_where_a_boundary_covers_every_turn(services: Services) -> None:
    watch(services, EVERY_FIVE.model_copy(update={"shadow": True}), 7)
    after_append(services, NAME)
    after_append(services, NAME, asked_by="ann")
    (job,) = jobs_of(services)
    commit(services, job, 7)
    (held,) = after_append(services, NAME, asked_by="ann")
    assert {reason.code for reason in held.decision.reasons} >= {ReasonCode.COVERED, ReasonCode.TOO_LITTLE}
    for number in range(8, 13):
        append(services, a_turn(number, said(number)))  # the fifth is a firing of the shadow's
    (called,) = after_append(services, NAME, asked_by="ann")
    assert (called.decision.fires, len(jobs_of(services))) == (True, 2)
    assert called.context_tokens > sum(services.counter.count(said(number)) for number in range(8, 13))


def test_a_committed_boundary_is_taken_in(services: Services) -> None:
    watch(services, EVERY_FIVE, 6)
    after_append(services, NAME)
    (job,) = jobs_of(services)
    append(services, a_turn(7, said(7)))
    commit(services, job, 6)
    (evaluation,) = append(services, a_turn(8, said(8)))
    state = state_of(services)
    assert (state.boundary_version, state.rejections, state.job) == (1, 0, None)
    assert state.boundary is not None
    assert (state.boundary.turn, state.boundary.tokens) == (
        6,
        sum(services.counter.count(said(n)) for n in range(1, 7)),
    )
    assert state.held_tokens == services.counter.count("Pilots are paid by the harbour.")
    newer = services.counter.count(said(7)) + services.counter.count(said(8))
    assert evaluation.context_tokens == state.held_tokens + newer
    assert evaluation.boundary_version == 1


def commit(services: Services, job: Job, through: int) -> None:
    """A boundary of one claim, committed by the job."""
    conversation = a_conversation(*(said(number) for number in range(1, through + 1)), name=NAME)
    claim = a_claim("c1", "Pilots are paid by the harbour.", conversation, section=Section.KNOWN)
    boundary = a_cycle(job.id, None, (claim,), conversation=conversation)
    with services.unit_of_work() as work:
        work.jobs.move(job.id, JobStatus.RUNNING, INSTANT)
        work.boundaries.commit(boundary, a_receipt(job), 0, INSTANT)
        work.jobs.move(job.id, JobStatus.COMMITTED, INSTANT)
        work.commit()


def test_turns_that_a_boundary_covers_already_fire_nothing(services: Services) -> None:
    watch(services, EVERY_FIVE, 12)
    job = job_of("j-by-hand", talk(12))
    with services.unit_of_work() as work:
        work.jobs.add(job, ("commit",))
        work.commit()
    commit(services, job, 12)
    told = after_append(services, NAME)
    assert not any(one.decision.fires for one in told)
    assert ReasonCode.COVERED in {reason.code for one in told for reason in one.decision.reasons}
    state = state_of(services)
    assert (state.boundary_version, state.through) == (1, 12)
    assert state.boundary is not None
    assert state.boundary.tokens == state.tokens


def test_a_person_may_ask_without_a_new_turn(services: Services) -> None:
    watch(services, QUIET, 4)
    after_append(services, NAME)
    (evaluation,) = after_append(services, NAME, asked_by="ann")
    assert evaluation.decision.called == (Signal.MANUAL,)
    assert evaluation.decision.reasons[0].words.endswith("by ann")
    assert evaluation.job == jobs_of(services)[0].id
    (again,) = after_append(services, NAME, asked_by="bob")
    assert again.decision.reasons[0].code is ReasonCode.JOB_IN_FLIGHT


def test_a_job_that_is_refused_is_a_hold_with_the_reason(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    watch(services, EVERY_FIVE, 5)
    after_append(services, NAME)

    def refuse(*_: object) -> None:
        raise DayBudgetExceeded("default", "2026-03-01", "6", "5")

    monkeypatch.setattr(triggering, "refuse_over_caps", refuse)
    (evaluation,) = append(services, a_turn(6, said(6)))
    assert not evaluation.decision.fires
    assert evaluation.decision.reasons[0].code is ReasonCode.REFUSED
    assert "day_budget_exceeded" in evaluation.decision.reasons[0].words
    assert (jobs_of(services), state_of(services).rejections) == ((), 1)
    with services.unit_of_work() as work:
        assert work.triggers.evaluations(NAME, after=5) == (evaluation,)


def test_a_conversation_too_large_for_one_job_is_a_hold_with_the_reason(services: Services) -> None:
    small = replace(services, settings=services.settings.model_copy(update={"max_job_turns": 5}))
    watch(small, EVERY_FIVE, 5)
    after_append(small, NAME)
    (evaluation,) = append(small, a_turn(6, said(6)))
    assert "snapshot_too_large" in evaluation.decision.reasons[0].words
    assert jobs_of(small) == ()


def test_the_settings_may_watch_whatever_nobody_watches_by_name(services: Services, tmp_path: Path) -> None:
    file = tmp_path / "policy.toml"
    file.write_text("[triggers]\nname = 'mine'\n", encoding="utf-8")
    settings = Settings.model_validate({**services.settings.model_dump(), "watch": "shadow", "watch_policy": file})
    with services.unit_of_work() as work:
        work.conversations.extend(talk(2))
        work.commit()
    assert len(after_append(replace(services, settings=settings), NAME)) == 2
    with services.unit_of_work() as work:
        made = work.triggers.watched(NAME)
    assert made is not None
    assert (made.policy.triggers.name, made.policy.triggers.shadow, made.fleet) == ("mine", True, "extractive")


def test_another_window_begins_anew_and_mixes_nothing(services: Services) -> None:
    watch(services, QUIET, 40)
    after_append(services, NAME)
    before = state_of(services).estimators
    wider = QUIET.model_copy(update={"drift": DriftPolicy(window_tokens=800)})
    watch(services, wider, 40)
    (evaluation,) = append(services, a_turn(41, said(41)))
    drift = next(value for value in evaluation.values if value.signal is Signal.DRIFT)
    assert drift.value == NotMeasured(not_measured="the opening of the conversation is not complete")
    assert state_of(services).estimators != before
    assert evaluation.turn == 41  # what was read stays read


def test_another_process_that_was_first_is_followed(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    watch(services, QUIET, 3)
    real, calls = triggering.measured_turns, 0

    def slow(*arguments: Any) -> Any:  # noqa: ANN401 - passed on as it is
        nonlocal calls
        calls += 1
        if calls == 1:
            assert len(after_append(services, NAME)) == 3  # somebody else evaluates meanwhile
        return real(*arguments)

    monkeypatch.setattr(triggering, "measured_turns", slow)
    assert after_append(services, NAME) == ()
    with services.unit_of_work() as work:
        assert [one.number for one in work.triggers.evaluations(NAME)] == [1, 2, 3]


def test_who_is_second_again_and_again_gives_up(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    watch(services, QUIET, 3)

    def conflict(*_: object) -> None:
        raise EvaluationConflict(NAME, 1, 2)

    monkeypatch.setattr(triggering, "_stored", conflict)
    with pytest.raises(EvaluationConflict):
        after_append(services, NAME)


def test_the_gate_hears_of_a_context_that_fills_up(services: Services) -> None:
    tight = QUIET.model_copy(update={"budget": BudgetSignalPolicy(context_tokens=500, soft_share=0.4, hard_share=0.8)})
    watch(services, tight, 2)

    def pressure(through: int) -> TokenPressure:
        job = job_of("j1", talk(through)).model_copy(update={"policy": Policy(triggers=tight), "through": through})
        with services.unit_of_work() as work:
            return pressure_now(work, job)

    assert pressure(2) is TokenPressure.NONE  # never evaluated
    found: list[TokenPressure] = []
    after_append(services, NAME)
    for number in range(3, 31):
        append(services, a_turn(number, said(number)))
        found.append(pressure(number))
    assert list(dict.fromkeys(found)) == list(TokenPressure)
    assert pressure(31) is TokenPressure.NONE  # what is remembered is older than the job


KILLED = """
import json, os, signal, sys
from pathlib import Path
from tests.factories import a_turn
from tests.running import running
from tests.unit.workers.triggers.test_evaluation import NAME, said
from workers.triggers import evaluation as triggering

place, number = sys.argv[2], int(sys.argv[3])
def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)
with running(Path(sys.argv[1]), []) as services:
    with services.unit_of_work() as work:
        work.conversations.append(NAME, (a_turn(number, said(number)),))
        work.commit()
    if place == "before":
        die()
    if place == "measuring":
        triggering.measured_turns = die
    if place == "storing":
        triggering._stored = die
    if place == "submitting":
        real = triggering.submit
        def submit(*arguments, after, **named):
            return real(*arguments, after=lambda work, job: (after(work, job), die()), **named)
        triggering.submit = submit
    triggering.after_append(services, NAME)
    die()
"""


@pytest.mark.parametrize("place", ["before", "measuring", "storing", "submitting", "after"])
@pytest.mark.usefixtures("processes")
def test_a_process_killed_at_any_point_loses_neither_turn_nor_evaluation_nor_job(tmp_path: Path, place: str) -> None:
    with running(tmp_path, []) as services:
        watch(services, EVERY_FIVE, 5)
        after_append(services, NAME)
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(tmp_path), place, "6"],
        cwd=Path(__file__).parents[4],
        env={**os.environ, "PYTHONPATH": "."},
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    with running(tmp_path, []) as services:
        with services.unit_of_work() as work:
            assert work.triggers.behind(9, INSTANT) == (() if place == "after" else (NAME,))
            assert len(work.conversations.get(NAME).turns) == 6
        caught_up = after_append(services, NAME)
        assert len(caught_up) == (0 if place == "after" else 1)
        (job,) = jobs_of(services)
        with services.unit_of_work() as work:
            evaluations = work.triggers.evaluations(NAME)
            assert work.triggers.behind(9, INSTANT) == ()
    assert [one.turn for one in evaluations] == [1, 2, 3, 4, 5, 6]
    assert (evaluations[-1].job, evaluations[-1].decision.fires) == (job.id, True)


def test_an_interactive_job_is_rung_for_after_it_is_stored(services: Services) -> None:
    rung: list[Ring] = []

    class Bell:
        def ring(self, ring: Ring) -> None:
            with services.unit_of_work() as work:
                assert work.jobs.get(ring.job).status is JobStatus.QUEUED
            rung.append(ring)

    watch(services, EVERY_FIVE, 6)
    with services.unit_of_work() as work:
        held = cast("Watch", work.triggers.watched(NAME))
        work.triggers.watch(held.model_copy(update={"lane": Lane.INTERACTIVE}))
        work.commit()
    after_append(replace(services, bell=Bell()), NAME)
    assert {ring.job for ring in rung} == {jobs_of(services)[0].id}


def test_an_evaluation_holds_no_words_of_the_conversation(services: Services) -> None:
    secret = "Zanzibar cinnamon ledger of the third quarter"
    watch(services, EVERY_FIVE, 5)
    append(services, a_turn(6, f"{secret}. Not the {secret}. We do not choose the {secret} 44."))
    with services.unit_of_work() as work:
        stored = json.dumps([one.model_dump(mode="json") for one in work.triggers.evaluations(NAME)])
    assert "zanzibar" not in stored.lower()
    assert b"zanzibar" not in state_of(services).memory.lower()
