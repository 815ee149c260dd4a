"""A job run in this process stops when it is asked to, and can be gone on with."""

import os
import signal
import weakref
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from devtools.scripted import Say
from dissolution.job import JobStatus
from dissolution.ports.store import UnitOfWork
from tests.factories import a_conversation
from tests.running import a_job, a_member, running
from tests.unit.cli.stored import GOOD, TALK
from workers.runtime.inline import run_job
from workers.services import Silent


class Watch(Silent):
    """Remembers which stages were begun."""

    def __init__(self) -> None:
        self.begun: list[str] = []

    def stage_started(self, job: str, stage: str) -> None:
        """Remember the stage."""
        super().stage_started(job, stage)
        self.begun.append(stage)


def dropped_ctrl_c() -> None:
    """Ctrl-C at a moment at which Python drops the exception that is raised for it."""
    dying = Silent()
    watching = weakref.ref(dying, lambda _dead: (os.kill(os.getpid(), signal.SIGINT), os.getpid()))
    del dying
    assert watching() is None


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_ctrl_c_that_python_drops_ends_the_job_before_its_next_step(tmp_path: Path) -> None:
    with running(tmp_path, [a_member(f"m{number}", Say(GOOD)) for number in range(2)]) as services:
        job = a_job(services, a_conversation(*TALK))
        watch, opens = Watch(), count(1)

        def opened() -> UnitOfWork:
            if next(opens) == 2:  # the look at what is ready
                dropped_ctrl_c()
            return services.unit_of_work()

        with pytest.raises(KeyboardInterrupt):
            run_job(replace(services, progress=watch, unit_of_work=opened), job.id)
        assert next(opens) > 2
        assert not watch.begun
        assert run_job(services, job.id).status is JobStatus.COMMITTED
