"""Whole runs on the extractive fleet: finished, interrupted, capped, cancelled."""

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from dissolution.errors import InputError, NotFound, SnapshotTooLarge
from dissolution.job import JobStatus
from dissolution.policy.probe import ProbePolicy
from dissolution.stability import Arm, CycleFigures, RunStatus
from dissolution.values import NotMeasured
from stability.measures import NO_SECTIONS
from stability.run import Runner, cancel_run, checkpoints_every, spent, start_run
from tests.factories import a_conversation
from tests.unit.stability.runs import TALK, a_plan, serving, timeless
from workers.services import Services


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    with serving(tmp_path) as opened:
        yield opened


def test_a_run_measures_every_cell_by_ordinary_jobs(services: Services) -> None:
    run = start_run(services, a_plan(services, Arm.LEDGER, Arm.TRUNCATION, replicates=2))
    ended = Runner(services, run).go_on()
    assert ended.status is RunStatus.DONE
    with services.unit_of_work() as work:
        cells = work.stability.cells(run.id)
        jobs = [work.jobs.get(cell.job) for cell in cells if cell.job is not None]
    assert len(jobs) == 6
    assert {job.status for job in jobs} == {JobStatus.COMMITTED}
    assert all(isinstance(cell.figures, CycleFigures) for cell in cells)
    later = [cell.figures for cell in cells if cell.key.arm is Arm.LEDGER and cell.key.cycle > 1]
    assert all(isinstance(one, CycleFigures) and one.commitment_survival == NO_SECTIONS for one in later)


def test_what_was_stored_is_not_done_again(services: Services) -> None:
    """The run is interrupted after its second job was submitted, before anything of it ran."""
    run = start_run(services, a_plan(services))
    told: list[str] = []

    def interrupt(line: str) -> None:
        told.append(line)
        if len(told) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Runner(services, run, told=interrupt).go_on()
    with services.unit_of_work() as work:
        before = [cell.job for cell in work.stability.cells(run.id)]
    assert sum(job is not None for job in before) == 2
    assert Runner(services, run).go_on().status is RunStatus.DONE
    with services.unit_of_work() as work:
        after = work.stability.cells(run.id)
        ids = {name for name in work.conversations.ids() if "~" in name}
    assert [cell.job for cell in after][:2] == before[:2]
    assert len(ids) == 1


@pytest.mark.slow  # runs of several cycles
def test_an_interrupted_run_comes_to_the_figures_of_one_that_was_not(services: Services) -> None:
    whole, broken = (start_run(services, a_plan(services, Arm.REWRITE)) for _ in range(2))
    Runner(services, whole).go_on()
    told: list[str] = []

    def interrupt(line: str) -> None:
        told.append(line)
        if len(told) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Runner(services, broken, told=interrupt).go_on()
    Runner(services, broken).go_on()
    with services.unit_of_work() as work:
        left, right = (work.stability.cells(run.id) for run in (whole, broken))
    assert [timeless(one.figures) for one in left] == [timeless(one.figures) for one in right]


def test_a_cancelled_run_keeps_what_it_measured(services: Services) -> None:
    run = start_run(services, a_plan(services))

    def cancel(line: str) -> None:
        if "c2" in line.partition(":")[0]:  # the name of the cell; the job's id after it may have any letters
            cancel_run(services, run.id, "enough")

    ended = Runner(services, run, told=cancel).go_on()
    assert (ended.status, ended.reason) == (RunStatus.CANCELLED, "enough")
    with services.unit_of_work() as work:
        cells = work.stability.cells(run.id)
        second = work.jobs.get(str(cells[1].job))
    assert isinstance(cells[0].figures, CycleFigures)
    assert second.status is JobStatus.CANCELLED
    assert cells[2].job is None


def test_a_run_stops_at_its_cap(services: Services) -> None:
    run = start_run(services, a_plan(services, max_usd=Decimal(0)))
    ended = Runner(services, run).go_on()
    assert ended.status is RunStatus.STOPPED
    assert "cap" in str(ended.reason)
    assert spent(services, run) == 0


def test_a_job_that_commits_nothing_is_told_and_the_next_cycle_runs(services: Services) -> None:
    empty = a_conversation("Hm.", "Hm.", *[turn.content for turn in TALK.turns[:4]], name="empty-start")
    with services.unit_of_work() as work:
        work.conversations.extend(empty)
        work.commit()
    run = start_run(services, a_plan(services, conversation=empty.id))
    assert Runner(services, run).go_on().status is RunStatus.DONE
    with services.unit_of_work() as work:
        cells = work.stability.cells(run.id)
    assert isinstance(cells[0].figures, NotMeasured)
    assert "without a boundary" in cells[0].figures.not_measured
    assert isinstance(cells[2].figures, CycleFigures)


def test_bad_plans_are_refused_before_anything_is_stored(services: Services) -> None:
    with pytest.raises(InputError, match="checkpoint 9"):
        start_run(services, a_plan(services, checkpoints=(2, 9)))
    with pytest.raises(NotFound):
        start_run(services, a_plan(services, conversation="nobody"))
    with pytest.raises(InputError, match="truth file"):
        start_run(services, a_plan(services, truth="/nowhere/truth.json"))
    small = replace(services, settings=services.settings.model_copy(update={"max_job_turns": 1}))
    with pytest.raises(SnapshotTooLarge, match="have 1"):
        start_run(small, a_plan(services))
    with services.unit_of_work() as work:
        assert work.stability.runs() == ()


def test_checkpoints_end_with_the_conversation() -> None:
    assert checkpoints_every(TALK, 4) == (4, 6)
    assert checkpoints_every(TALK, 3) == (3, 6)
    assert checkpoints_every(TALK, 100) == (6,)


def test_without_a_gate_a_candidate_is_committed_that_the_gate_would_not_let_pass(services: Services) -> None:
    """The bank is too small to convince a gate whose verdict holds, so the history stays; its arm has no state."""
    plan = a_plan(services, Arm.LEDGER, Arm.NO_GATE, Arm.NO_AUDIT, checkpoints=(6,))
    policy = plan.policy.model_copy(update={"probe": ProbePolicy(offline="enforce")})
    run = start_run(services, plan.model_copy(update={"policy": policy}))
    Runner(services, run).go_on()
    with services.unit_of_work() as work:
        ledger, no_gate, no_audit = work.stability.cells(run.id)
        outputs = {
            cell.key.arm: {step.stage: str(step.output) for step in work.jobs.steps(str(cell.job))}
            for cell in (ledger, no_gate, no_audit)
        }
    assert isinstance(ledger.figures, NotMeasured)
    assert "history stays in force" in ledger.figures.not_measured
    assert isinstance(no_gate.figures, CycleFigures)
    ran = {
        arm: ("not_run" not in found["question_bank"], "switches it off" not in found["frame_audit"])
        for arm, found in outputs.items()
    }
    assert ran == {Arm.LEDGER: (True, True), Arm.NO_GATE: (False, True), Arm.NO_AUDIT: (True, False)}
