"""A disk that is full while a step is at work: when there is room again the step is done, by whoever held it."""

import resource
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from devtools.scripted import Say
from dissolution.errors import StoreUnavailable
from dissolution.job import JobStatus, Lane, StepStatus
from dissolution.settings import Settings
from tests.environments import unmeasured
from tests.factories import a_conversation
from tests.polling import eventually
from tests.running import a_job, a_member, running
from tests.unit.workers.runtime.test_embedded import submitted
from workers.bootstrap import open_store
from workers.execution import steps
from workers.execution.steps import run_step
from workers.services import NoBell

NEVER_S = 3600.0
"""A lease that does not run out while a test runs."""


@pytest.mark.usefixtures("processes")
def test_the_job_of_a_full_disk_goes_on_as_soon_as_there_is_room(tmp_path: Path) -> None:
    settings = Settings(db=f"sqlite:///{tmp_path / 'ledger.sqlite3'}", embedder="hashing")
    job = submitted(settings, NoBell(), Lane.INTERACTIVE)
    command = [sys.executable, "-m", "tests.unit.workers.full_disk_runner", settings.db, str(NEVER_S)]
    runner = subprocess.Popen(command, env=unmeasured(), stderr=subprocess.PIPE, text=True)
    assert runner.stderr is not None
    try:
        said = next((line for line in runner.stderr if "jobs wait" in line), "it ended")
        assert "nothing of this step was stored" in said
        reading = open_store(settings, reading=True)
        with reading() as work:
            assert work.jobs.get(job).status is JobStatus.RUNNING
            assert {step.stage: step.status for step in work.jobs.steps(job)}["parse"] is StepStatus.RUNNING

        most = resource.prlimit(runner.pid, resource.RLIMIT_FSIZE)[1]
        resource.prlimit(runner.pid, resource.RLIMIT_FSIZE, (most, most))

        def status() -> JobStatus:
            with reading() as work:
                return work.jobs.get(job).status

        eventually(lambda: status() is JobStatus.COMMITTED, what="the job's end")
    finally:
        runner.kill()
        runner.communicate()


def test_a_step_that_this_process_works_at_is_not_taken_over_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A message that comes twice, while the step is at work."""
    with running(tmp_path, [a_member("m", Say("KNOWN\n- It is. [turn 1]"))]) as services:
        job = a_job(services, a_conversation("It is.", "Yes."), lane=Lane.BATCH).id
        does, again = steps.STEPS["fan_out"], list[bool]()

        def fan_out(*given: object) -> object:
            again.append(run_step(replace(services), job, "fan_out"))
            return does(*given)  # pyright: ignore[reportArgumentType] - handed on as it came

        monkeypatch.setattr(steps, "STEPS", {**steps.STEPS, "fan_out": fan_out})
        assert run_step(services, job, "fan_out")
        assert again == [False]
        assert (job, "fan_out") not in steps.IN_HAND


def test_a_claim_that_could_not_be_committed_leaves_nothing_in_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(tmp_path, [a_member("m", Say("KNOWN"))]) as services:
        job = a_job(services, a_conversation("It is.", "Yes."), lane=Lane.BATCH).id

        def full(*_: object) -> None:
            raise StoreUnavailable("database", "the disk is full")

        with services.unit_of_work() as work:
            kind = type(work)
        with monkeypatch.context() as patched:
            patched.setattr(kind, "commit", full)
            with pytest.raises(StoreUnavailable):
                run_step(services, job, "fan_out")
        assert (job, "fan_out") not in steps.IN_HAND
        assert run_step(services, job, "fan_out")
