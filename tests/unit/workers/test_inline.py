"""A job run in this process stops when it is asked to, and can be gone on with."""

import os
import signal
import weakref
from dataclasses import replace
from pathlib import Path

import pytest

from dissolution.job import JobStatus
from fleet.scripted import Say
from tests.factories import a_conversation
from tests.running import a_job, a_member, running
from tests.unit.cli.stored import GOOD, TALK
from workers.inline import run_job
from workers.services import Silent


class DroppedCtrlC(Silent):
    """Ctrl-C while `parse` ends, at a moment at which Python drops the exception that is raised for it."""

    def __init__(self) -> None:
        self.ended: list[str] = []

    def stage_ended(self, job: str, stage: str, note: str) -> None:
        """Remember the stage."""
        super().stage_ended(job, stage, note)
        self.ended.append(stage)
        if stage == "parse":
            dying = Silent()
            watching = weakref.ref(dying, lambda _dead: (os.kill(os.getpid(), signal.SIGINT), os.getpid()))
            del dying
            assert watching() is None


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_ctrl_c_that_python_drops_ends_the_job_before_its_next_step(tmp_path: Path) -> None:
    with running(tmp_path, [a_member(f"m{number}", Say(GOOD)) for number in range(2)]) as services:
        job = a_job(services, a_conversation(*TALK))
        watch = DroppedCtrlC()
        with pytest.raises(KeyboardInterrupt):
            run_job(replace(services, progress=watch), job.id)
        assert watch.ended[-1] == "parse"
        assert run_job(services, job.id).status is JobStatus.COMMITTED
