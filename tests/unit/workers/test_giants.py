"""A step that computes for long ends when its job is cancelled, or when it needs more than it may have."""

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.giants import conversation_of, reply_about
from devtools.scripted import Say
from dissolution.checking import check
from dissolution.job import Job, JobStatus, Lane, StepStatus
from dissolution.settings import Settings
from tests.factories import a_conversation
from tests.running import a_job, a_member, running
from workers.execution import leases, steps
from workers.execution.steps import run_step
from workers.pipeline import STAGES
from workers.runtime.inline import run_job
from workers.services import Services, Silent
from workers.step_results import StepResult

pytestmark = pytest.mark.slow  # conversations of a giant's size

GIANT = conversation_of(250, 256)
MEMBERS = [a_member(name, Say(reply_about(GIANT))) for name in ("ann", "ben", "cem")]


class Cancelling(Silent):
    """Cancels the job as soon as a stage begins."""

    def __init__(self, services: Services, stage: str) -> None:
        self._services = services
        self._stage = stage

    def stage_started(self, job: str, stage: str) -> None:
        if stage == self._stage:
            with self._services.unit_of_work() as work:
                work.jobs.move(job, JobStatus.CANCELLED, self._services.clock.now())
                work.commit()


@pytest.mark.parametrize("stage", ["register", "question_bank", "consensus", "frame_audit"])
def test_a_cancel_ends_a_stage_that_computes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stage: str) -> None:
    monkeypatch.setattr(leases, "LOOK_S", 0.005)
    with running(tmp_path, MEMBERS) as services:
        job = a_job(services, GIANT)
        ended = run_job(replace(services, progress=Cancelling(services, stage)), job.id)
        assert ended.status is JobStatus.CANCELLED
        with services.unit_of_work() as work:
            found = {step.stage: step.status for step in work.jobs.steps(job.id)}
    assert found[stage] is not StepStatus.DONE, "it was computed to its end although nobody wanted it"
    needing = {stage}
    for one in STAGES:  # in running order
        if needing.intersection(one.after):
            needing.add(one.name)
    assert all(found[one] is StepStatus.QUEUED for one in needing - {stage})


def for_ever(_services: Services, _job: Job) -> StepResult:
    """A step that computes until it is ended."""
    while True:
        check()


@pytest.mark.parametrize(
    ("lane", "limit", "setting"),
    [
        pytest.param(Lane.BATCH, {"max_memory_mb": 200}, "max_memory_mb", id="memory"),
        pytest.param(Lane.BATCH, {"step_limit_s": 5.0}, "step_limit_s", id="time"),
    ],
)
def test_a_step_over_its_limit_ends_its_job_with_the_figure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lane: Lane, limit: dict[str, float], setting: str
) -> None:
    monkeypatch.setattr(leases, "LOOK_S", 0.005)
    monkeypatch.setattr(leases, "AFTER_LIMIT_S", -5.0)
    monkeypatch.setitem(steps.STEPS, "fan_out", for_ever)  # pyright: ignore[reportArgumentType] - a dict underneath
    sizes = iter((100.0, 250.0, 350.0))
    monkeypatch.setattr(leases, "resident_mb", lambda: next(sizes, 350.0) if setting == "max_memory_mb" else 0.0)
    settings = Settings(db=f"sqlite:///{tmp_path / 'ledger.sqlite3'}", embedder="hashing", **limit)  # pyright: ignore[reportArgumentType] - pydantic checks them
    with running(tmp_path, MEMBERS, settings) as services:
        job = a_job(services, a_conversation("We deploy on Tuesday."), lane=lane)
        assert run_step(services, job.id, "fan_out")
        with services.unit_of_work() as work:
            ended = work.jobs.get(job.id)
    assert ended.status is JobStatus.HISTORY_KEPT
    assert ended.reason is not None
    assert setting in ended.reason


def test_a_large_process_does_not_end_a_step_that_takes_little(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "LOOK_S", 0.005)
    monkeypatch.setattr(leases, "resident_mb", lambda: 5000.0)
    with running(tmp_path, MEMBERS) as services:
        job = a_job(services, GIANT, lane=Lane.BATCH)
        assert run_step(services, job.id, "register")
        with services.unit_of_work() as work:
            found = {step.stage: step.status for step in work.jobs.steps(job.id)}
    assert found["register"] is StepStatus.DONE
