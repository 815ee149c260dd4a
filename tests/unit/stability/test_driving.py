"""Runs that workers do: advanced by messages that may be lost, repeated, or come when nothing can be done."""

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from dissolution.job import Job, JobStatus, Lane
from dissolution.ports.models import Member
from dissolution.stability import Arm, CycleFigures, RunStatus, StabilityPlan, StabilityRun
from dissolution.values import NotMeasured
from stability import driving
from stability.driving import advance_run
from stability.run import Runner, cancel_run, start_run, stored_run
from tests.stating import STATING
from tests.unit.stability.runs import a_plan, serving, timeless
from workers.runtime.inline import run_job
from workers.services import Services


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    with serving(tmp_path) as opened:
        yield opened


def workers(services: Services) -> list[str]:
    """What workers would do now: every queued job of the lane, to its end."""
    with services.unit_of_work() as work:
        waiting = [job.id for job in work.jobs.find("j") if job.status is JobStatus.QUEUED]
    for job in waiting:
        run_job(services, job)
    return waiting


def begun(services: Services, *arms: Arm, replicates: int = 1, **rest: object) -> StabilityRun:
    return start_run(services, a_plan(services, *arms, replicates=replicates, lane=Lane.STABILITY, **rest))


def to_its_end(services: Services, run: StabilityRun, limit: int = 20) -> StabilityRun:
    for _ in range(limit):
        advance_run(services, run.id)
        found = stored_run(services, run.id)
        if found.status is not RunStatus.RUNNING:
            return found
        workers(services)
    pytest.fail(f"the run has not ended after {limit} rounds")


def test_workers_come_to_the_figures_of_a_run_that_is_done_here(services: Services) -> None:
    arms = (Arm.LEDGER, Arm.REWRITE, Arm.TRUNCATION)
    here = start_run(services, a_plan(services, *arms))
    Runner(services, here).go_on()
    theirs = begun(services, *arms)
    assert to_its_end(services, theirs).status is RunStatus.DONE
    with services.unit_of_work() as work:
        left, right = (work.stability.cells(run.id) for run in (here, theirs))
        lanes = {work.jobs.get(cell.job).lane for cell in right if cell.job is not None}
    assert [timeless(one.figures) for one in left] == [timeless(one.figures) for one in right]
    assert lanes == {Lane.STABILITY}
    assert advance_run(services, theirs.id) == 0


def test_a_message_that_comes_twice_begins_nothing_twice(services: Services) -> None:
    run = begun(services, Arm.LEDGER, replicates=2)
    assert [advance_run(services, run.id) for _ in range(3)] == [2, 0, 0]
    assert len(workers(services)) == 2
    with services.unit_of_work() as work:
        assert [one.run for one in work.stability.due()] == [run.id]


def test_a_truncation_waits_for_the_size_it_may_fill(services: Services) -> None:
    run = begun(services, Arm.TRUNCATION, Arm.LEDGER)
    advance_run(services, run.id)
    with services.unit_of_work() as work:
        assert [cell.figures for cell in work.stability.cells(run.id)] == [None] * 6
    to_its_end(services, run)
    with services.unit_of_work() as work:
        cells = work.stability.cells(run.id)
    sizes = {cell.key.name: cell.figures.tokens for cell in cells if isinstance(cell.figures, CycleFigures)}
    assert len(sizes) == 6
    assert all(sizes[f"truncation-r1-c{cycle}"] > 0 for cycle in (1, 2, 3))


def test_only_so_many_jobs_of_a_run_are_at_work_at_a_time(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driving, "MOST_JOBS", 2)
    run = begun(services, Arm.LEDGER, Arm.NO_GATE, Arm.NO_AUDIT)
    assert advance_run(services, run.id) == 2


def test_a_run_with_a_cap_has_one_job_at_a_time_which_may_use_no_more_than_is_left(services: Services) -> None:
    run = begun(services, Arm.LEDGER, Arm.NO_GATE, max_usd=Decimal("0.25"))
    assert advance_run(services, run.id) == 1
    with services.unit_of_work() as work:
        (job,) = work.jobs.find("j")
    assert job.policy.budget.max_usd == Decimal("0.25")


def test_a_run_without_money_is_stopped(services: Services) -> None:
    run = begun(services, Arm.LEDGER, max_usd=Decimal(0))
    assert advance_run(services, run.id) == 0
    ended = stored_run(services, run.id)
    assert (ended.status, ended.reason) == (RunStatus.STOPPED, "the cap of 0 USD is reached")


def test_a_cancelled_run_begins_nothing_more(services: Services) -> None:
    run = begun(services, Arm.LEDGER)
    advance_run(services, run.id)
    cancel_run(services, run.id, "enough")
    assert workers(services) == []
    assert advance_run(services, run.id) == 0
    with services.unit_of_work() as work:
        assert {job.status for job in work.jobs.find("j")} == {JobStatus.CANCELLED}
        assert work.stability.due() == ()


def test_a_run_that_nobody_left_to_workers_is_left_alone(services: Services) -> None:
    run = start_run(services, a_plan(services))
    assert advance_run(services, run.id) == 0
    with services.unit_of_work() as work:
        assert work.stability.due() == ()


def test_a_yardstick_that_is_gone_ends_the_run_with_the_reason(services: Services, tmp_path: Path) -> None:
    truth = tmp_path / "truth.json"
    truth.write_text('{"truth": {"claims": []}}', encoding="utf-8")
    run = begun(services, truth=str(truth))
    truth.unlink()
    assert advance_run(services, run.id) == 0
    ended = stored_run(services, run.id)
    assert ended.status is RunStatus.STOPPED
    assert "truth.json" in str(ended.reason)


def test_a_cell_that_cannot_be_measured_does_not_hold_the_run(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("stability.cells.measure_cell", broken)
    run = begun(services, checkpoints=(2, 4))
    assert to_its_end(services, run).status is RunStatus.DONE
    with services.unit_of_work() as work:
        reasons = [cell.figures for cell in work.stability.cells(run.id)]
    assert reasons == [NotMeasured(not_measured="measuring it broke: ZeroDivisionError")] * 2


def stating(_job: Job) -> tuple[Member, ...]:
    return STATING


def test_the_truth_of_a_plan_may_come_with_it(services: Services) -> None:
    known = '{"truth": {"claims": [{"id": "K1", "kind": "fact", "established_turn": 1, "must_have": ["9090"]}]}}'
    services = replace(services, fleet=stating)
    plan: StabilityPlan = a_plan(services, known=known, checkpoints=(2,))
    run = start_run(services, plan)
    Runner(services, run).go_on()
    with services.unit_of_work() as work:
        (cell,) = work.stability.cells(run.id)
    assert isinstance(cell.figures, CycleFigures)
    assert not isinstance(cell.figures.truth, NotMeasured)
    assert (cell.figures.truth.true_now, cell.figures.truth.held) == (1, 1)
