"""The runner inside the service runs the branches of a job side by side, and gives them back when it is to stop."""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from dissolution.job import ENDED, Job, Lane, StepStatus
from dissolution.settings import Settings
from tests.polling import LONGEST_S, eventually
from tests.running import running
from tests.unit.workers.test_inline_branches import POLICY, TALK, Meeting, a_fleet, stages
from triggers.submit import Request, submit
from workers.concurrency.loop_thread import LoopThread
from workers.pipeline import STAGE_NAMES, first_queues
from workers.runtime import embedded
from workers.runtime.embedded import EmbeddedBell, EmbeddedRunner
from workers.services import Services


@contextmanager
def served(folder: Path, meeting: Meeting, patch: pytest.MonkeyPatch) -> Generator[tuple[Services, Job]]:
    """A runner at work in a thread, with members of a meeting, and one job that is rung for; it has stopped after."""
    bell, stop = EmbeddedBell(), threading.Event()
    with running(folder, a_fleet(meeting)) as services:

        @contextmanager
        def opened(_settings: Settings, *, bell: EmbeddedBell, loop: LoopThread | None = None) -> Generator[Services]:
            own = services if loop is None else replace(services, run_async=loop, abandon=loop.abandon)
            yield replace(own, bell=bell)

        patch.setattr(embedded, "open_services", opened)
        job = submit(
            Request(conversation=TALK, fleet="scripted", policy=POLICY, lane=Lane.INTERACTIVE),
            unit_of_work=services.unit_of_work,
            clock=services.clock,
            queue=bell,
            stages=STAGE_NAMES,
            ready=first_queues("scripted", Lane.INTERACTIVE),
        ).job
        runner = threading.Thread(target=EmbeddedRunner(services.settings, bell).run, args=(stop,), daemon=True)
        runner.start()
        try:
            yield services, job
        finally:
            stop.set()
            runner.join(LONGEST_S)
            assert not runner.is_alive()


def test_two_branches_are_in_flight_at_the_same_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with served(tmp_path, Meeting("four_part", "probe_writing"), monkeypatch) as (services, job):

        def ended() -> bool:
            with services.unit_of_work() as work:
                return work.jobs.get(job.id).status in ENDED

        eventually(ended, what="the job's end")


def test_a_service_that_stops_gives_back_what_is_in_flight(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    met = threading.Event()
    meeting = Meeting("four_part", "probe_writing", then=met.set, go_on=False)
    with served(tmp_path, meeting, monkeypatch) as (_, job):
        assert met.wait(LONGEST_S)
    with running(tmp_path, []) as services:
        found = stages(services, job)
    assert found["fan_out"] == found["question_bank"] == (StepStatus.QUEUED, 0), "no attempt is counted"
