"""Jobs run inside the service's process: as they are rung for, and those that nobody rang for."""

import sys
import threading
from datetime import timedelta
from pathlib import Path

import pytest

from benchmarks.giants import conversation_of
from dissolution.job import JobStatus, Lane, StepStatus
from dissolution.outbox import Ring
from dissolution.policy.job_policy import Policy
from dissolution.ports.store import UnitOfWorkFactory
from dissolution.settings import Settings
from dissolution.sizes import GIANT_WORK
from tests.factories import a_conversation
from tests.polling import eventually
from triggers.submit import Request, submit
from workers.bootstrap import open_services
from workers.concurrency.loop_thread import LoopThread
from workers.execution import separate_process as apart
from workers.pipeline import STAGE_NAMES, first_queues
from workers.runtime.embedded import EmbeddedBell, EmbeddedGiants, EmbeddedRunner, run_one
from workers.services import NoBell, Services

GIANT = conversation_of(GIANT_WORK, 60)


def settings_in(folder: Path) -> Settings:
    return Settings(db=f"sqlite:///{folder / 'ledger.sqlite3'}", embedder="hashing")


def submitted(settings: Settings, bell: EmbeddedBell | NoBell, lane: Lane) -> str:
    talk = a_conversation("We use Postgres. The deadline is March 15.", "Noted.")
    with open_services(settings) as services:
        return submit(
            Request(conversation=talk, fleet="extractive", policy=Policy(), lane=lane),
            unit_of_work=services.unit_of_work,
            clock=services.clock,
            queue=bell,
            stages=STAGE_NAMES,
            ready=first_queues("extractive", lane),
        ).job.id


def status(units: UnitOfWorkFactory, job: str) -> JobStatus:
    with units() as work:
        return work.jobs.get(job).status


def run_until_ended(settings: Settings, bell: EmbeddedBell, job: str) -> JobStatus:
    stop = threading.Event()
    runner = threading.Thread(target=EmbeddedRunner(settings, bell).run, args=(stop,), daemon=True)
    runner.start()
    with open_services(settings) as services:
        done = {JobStatus.COMMITTED, JobStatus.HISTORY_KEPT, JobStatus.FAILED}
        eventually(lambda: status(services.unit_of_work, job) in done, what="the job's end")
        ended = status(services.unit_of_work, job)
    stop.set()
    runner.join(30)
    assert not runner.is_alive()
    return ended


def test_a_job_that_is_rung_for_is_run_to_its_end(tmp_path: Path) -> None:
    settings, bell = settings_in(tmp_path), EmbeddedBell()
    assert run_until_ended(settings, bell, submitted(settings, bell, Lane.INTERACTIVE)) is JobStatus.COMMITTED


def test_a_job_that_nobody_rang_for_is_found(tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    job = submitted(settings, NoBell(), Lane.BATCH)
    assert run_until_ended(settings, EmbeddedBell(), job) is JobStatus.COMMITTED


def test_a_job_of_two_hours_from_now_whose_process_was_killed_is_run_to_its_end(tmp_path: Path) -> None:
    """The clock was set back, and the machine that held the step is gone: nobody here can see that."""
    settings = settings_in(tmp_path).model_copy(update={"lease_s": 2.0})
    job = submitted(settings, NoBell(), Lane.INTERACTIVE)
    with open_services(settings) as services, services.unit_of_work() as work:
        ahead = services.clock.now() + timedelta(hours=2)
        for queue in {row.ring.queue for row in work.outbox.of_job(job)}:
            work.outbox.take(queue, ahead, 10, settings.resend_s)
        assert work.jobs.claim(job, "fan_out", "another-machine:1:2:3", ahead, settings.lease_s) is not None
        work.commit()

    assert run_until_ended(settings, EmbeddedBell(), job) is JobStatus.COMMITTED


def test_a_ring_for_nothing_ends_nothing(tmp_path: Path) -> None:
    with open_services(settings_in(tmp_path)) as services:
        run_one(services, Ring(job="nobody", stage="fan_out", queue="x"))
        assert EmbeddedBell().wait(0) is None


def test_many_jobs_of_one_conversation_are_run_in_the_order_in_which_they_were_made(tmp_path: Path) -> None:
    """Also when the later ones are more urgent, and would be taken up first."""
    settings, stop = settings_in(tmp_path), threading.Event()
    lanes = [Lane.BATCH if through < 4 else Lane.INTERACTIVE for through in range(1, 7)]
    talk = a_conversation(*(f"We use host web-{number} for part {number} of the export." for number in range(1, 7)))
    with open_services(settings) as services:
        jobs = [
            submit(
                Request(conversation=talk, through=through, fleet="extractive", policy=Policy(), lane=lane),
                unit_of_work=services.unit_of_work,
                clock=services.clock,
                queue=NoBell(),
                stages=STAGE_NAMES,
                ready=first_queues("extractive", lane),
            ).job.id
            for through, lane in enumerate(lanes, start=1)
        ]
        runner = threading.Thread(target=EmbeddedRunner(settings, EmbeddedBell()).run, args=(stop,), daemon=True)
        runner.start()
        ended = {JobStatus.COMMITTED, JobStatus.HISTORY_KEPT, JobStatus.FAILED}
        eventually(lambda: all(status(services.unit_of_work, job) in ended for job in jobs), what="all jobs' ends")
        with services.unit_of_work() as work:
            reasons = [work.jobs.get(job).reason or "" for job in jobs]
            covered = [event.through for event in work.ledger.events(talk.id)]
    stop.set()
    runner.join(30)
    assert not [reason for reason in reasons if "move it back" in reason]
    assert covered == sorted(covered)


@pytest.mark.usefixtures("processes")
def test_a_giant_that_never_ends_holds_up_nobody_and_is_given_back_when_the_service_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings, bell, stop, place = settings_in(tmp_path), EmbeddedBell(), threading.Event(), tmp_path / "pid"
    never_ends = (
        f"import os, sys; sys.stdin.read(); open({str(place)!r}, 'w').write(str(os.getpid()))\nwhile True: pass"
    )
    monkeypatch.setattr(apart, "PROGRAM", (sys.executable, "-c", never_ends))
    with open_services(settings) as services:
        giant = submit(
            Request(conversation=GIANT, fleet="extractive", policy=Policy(), lane=Lane.BATCH),
            unit_of_work=services.unit_of_work,
            clock=services.clock,
            queue=bell,
            stages=STAGE_NAMES,
            ready=first_queues("extractive", Lane.BATCH, giant=True),
        ).job.id
        runner = threading.Thread(target=EmbeddedRunner(settings, bell).run, args=(stop,), daemon=True)
        runner.start()
        eventually(lambda: place.exists() and place.read_text(encoding="ascii"), what="the giant's process")
        small = submitted(settings, bell, Lane.BATCH)
        eventually(lambda: status(services.unit_of_work, small) is JobStatus.COMMITTED, what="the small job's end")
        with services.unit_of_work() as work:
            assert StepStatus.RUNNING in {step.status for step in work.jobs.steps(giant)}
        stop.set()
        runner.join(60)
        assert not runner.is_alive()
        assert not Path(f"/proc/{place.read_text(encoding='ascii')}").exists()
        with services.unit_of_work() as work:
            steps = work.jobs.steps(giant)
    assert {(step.status, step.attempts) for step in steps} == {(StepStatus.QUEUED, 0)}, "no attempt is counted"


@pytest.mark.usefixtures("processes")
def test_a_giant_is_run_to_its_end_beside_others(tmp_path: Path) -> None:
    settings, bell = settings_in(tmp_path), EmbeddedBell()
    with open_services(settings) as services:
        giant = submit(
            Request(conversation=GIANT, fleet="extractive", policy=Policy(), lane=Lane.BATCH),
            unit_of_work=services.unit_of_work,
            clock=services.clock,
            queue=bell,
            stages=STAGE_NAMES,
            ready=first_queues("extractive", Lane.BATCH, giant=True),
        ).job.id
    assert run_until_ended(settings, bell, giant) is JobStatus.COMMITTED


def test_a_job_waits_for_the_earlier_one_of_its_conversation_and_is_rung_for_when_that_has_ended(
    tmp_path: Path,
) -> None:
    settings, bell = settings_in(tmp_path), EmbeddedBell()
    earlier = submitted(settings, NoBell(), Lane.BATCH)
    later = submitted(settings, NoBell(), Lane.INTERACTIVE)
    runner = EmbeddedRunner(settings, bell)

    def attempts(services: Services, job: str) -> int:
        with services.unit_of_work() as work:
            return sum(step.attempts for step in work.jobs.steps(job))

    with LoopThread() as loop, open_services(settings, bell=bell, loop=loop) as services:
        with services.unit_of_work() as work:
            first, second = (work.outbox.of_job(job)[0].ring for job in (earlier, later))
        runner.run_in_turn(services, second)
        assert attempts(services, later) == 0

        for stage in STAGE_NAMES:
            runner.run_in_turn(services, first.model_copy(update={"stage": stage}))

        assert status(services.unit_of_work, earlier) is JobStatus.COMMITTED
        rung = iter(lambda: bell.wait(0.0), None)
        assert any(ring.job == later for ring in rung)
        runner.run_in_turn(services, second)
        assert attempts(services, later) == 1


def test_a_giants_step_that_could_not_be_given_back_is_taken_up_again_by_the_giants_runner_alone(
    tmp_path: Path,
) -> None:
    settings, bell = settings_in(tmp_path), EmbeddedBell()
    with open_services(settings) as services:
        giant = submit(
            Request(conversation=GIANT, fleet="extractive", policy=Policy(), lane=Lane.BATCH),
            unit_of_work=services.unit_of_work,
            clock=services.clock,
            queue=NoBell(),
            stages=STAGE_NAMES,
            ready=first_queues("extractive", Lane.BATCH, giant=True),
        ).job.id
        ordinary = submitted(settings, NoBell(), Lane.BATCH)
        with services.unit_of_work() as work:
            for job in (giant, ordinary):
                now = services.clock.now()
                for queue in {row.ring.queue for row in work.outbox.of_job(job)}:
                    work.outbox.take(queue, now, 10, settings.resend_s)
                assert work.jobs.claim(job, "fan_out", services.owner, now, settings.lease_s) is not None
            work.commit()
        again = EmbeddedGiants(settings, bell).next(services)
        assert again is not None
        assert (again.job, again.stage) == (giant, "fan_out")
        assert [(ring.job, ring.stage) for ring in EmbeddedRunner(settings, bell).due(services)] == [
            (ordinary, "fan_out")
        ]
