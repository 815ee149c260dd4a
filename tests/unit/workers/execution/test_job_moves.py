"""What a person may do to a job: cancel it, queue its dead steps again."""

from dataclasses import replace
from pathlib import Path

import pytest

from devtools.scripted import Say
from dissolution.errors import IllegalMove, LeaseLost, NotFound
from dissolution.job import Job, JobStatus, Lane, StepStatus
from dissolution.outbox import Ring
from tests.factories import a_conversation
from tests.running import a_job, a_member, running
from workers.execution import steps
from workers.execution.job_moves import cancel, requeue
from workers.execution.steps import run_step
from workers.runtime.inline import run_job
from workers.services import Services
from workers.step_results import StepResult

ANSWER = (
    "KNOWN\n- We deploy on Tuesday. [turn 1]\nDECIDED\n- We use PostgreSQL. [turn 2]\nEDGES\nnone\nIDENTITY\nnone\n"
)
TALK = a_conversation("We deploy on Tuesday.", "We use PostgreSQL.")


class Bell:
    def __init__(self) -> None:
        self.stages: list[str] = []

    def ring(self, ring: Ring) -> None:
        self.stages.append(ring.stage)


def failed(services: Services, monkeypatch: pytest.MonkeyPatch, lane: Lane | None) -> str:
    """A job whose parse step is dead."""

    def breaks(_services: Services, _job: Job) -> StepResult:
        raise ValueError("broken")

    job = a_job(services, TALK, lane=lane).id
    run_step(services, job, "fan_out")
    with monkeypatch.context() as broken:
        broken.setattr(steps, "STEPS", {**steps.STEPS, "parse": breaks})
        for _ in range(services.settings.max_attempts):
            with pytest.raises(ValueError, match="broken"):
                run_step(services, job, "parse")
    with services.unit_of_work() as work:
        assert work.jobs.get(job).status is JobStatus.FAILED
    return job


@pytest.mark.parametrize("lane", [Lane.BATCH, None])
def test_a_failed_job_goes_on_where_it_died_and_asks_nobody_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lane: Lane | None
) -> None:
    members = [a_member("a", Say(ANSWER)), a_member("b", Say(ANSWER))]
    with running(tmp_path, members) as silent:
        bell = Bell()
        services = replace(silent, bell=bell)
        job = failed(services, monkeypatch, lane)
        bell.stages.clear()
        again = requeue(services, job)
        assert (again.status, again.ended_at) == (JobStatus.RUNNING, None)
        assert bell.stages == ([] if lane is None else ["parse", "register", "question_bank"])
        with services.unit_of_work() as work:
            parse = next(step for step in work.jobs.steps(job) if step.stage == "parse")
        assert (parse.status, parse.attempts) == (StepStatus.QUEUED, 0)
        assert run_job(services, job).status is JobStatus.COMMITTED
        assert [member.asked for member in members] == [1, 1]


def test_what_ran_beside_a_dead_step_is_queued_again_with_all_its_attempts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(tmp_path, [a_member("a", Say(ANSWER)), a_member("b", Say(ANSWER))]) as services:
        job = failed(services, monkeypatch, Lane.BATCH)
        with services.unit_of_work() as work:
            now = services.clock.now()
            work.jobs.move(job, JobStatus.RUNNING, now)
            lease = work.jobs.claim(job, "register", "a worker that dropped it", now, services.settings.lease_s)
            work.jobs.move(job, JobStatus.FAILED, now)
            work.commit()
        assert lease is not None
        requeue(services, job)
        with services.unit_of_work() as work:
            register = next(step for step in work.jobs.steps(job) if step.stage == "register")
            wanted = {row.ring.stage for row in work.outbox.of_job(job)}
            assert (register.status, register.attempts) == (StepStatus.QUEUED, 0)
            assert "register" in wanted
            with pytest.raises(LeaseLost):
                work.jobs.complete(lease, services.clock.now(), "{}")
        assert run_job(services, job).status is JobStatus.COMMITTED


def test_only_a_failed_job_is_queued_again(tmp_path: Path) -> None:
    with running(tmp_path, []) as services:
        job = a_job(services, TALK, lane=Lane.BATCH).id
        with pytest.raises(IllegalMove, match=r"'queued'.*'running'"):
            requeue(services, job)
        cancel(services, job)
        with pytest.raises(IllegalMove, match="'cancelled'"):
            requeue(services, job)
        with services.unit_of_work() as work:
            assert "job_requeued" not in {event.kind for event in work.jobs.events(job)}


def test_a_cancelled_job_has_a_receipt_and_is_over(tmp_path: Path) -> None:
    with running(tmp_path, []) as services:
        job = a_job(services, TALK, lane=Lane.BATCH).id
        ended = cancel(services, job)
        assert (ended.status, ended.reason) == (JobStatus.CANCELLED, "cancelled on request")
        with services.unit_of_work() as work:
            assert work.boundaries.receipt(job) is not None
            assert work.outbox.of_job(job) == ()
        with pytest.raises(IllegalMove, match=r"'cancelled'.*'cancelled'"):
            cancel(services, job)
        with pytest.raises(NotFound):
            cancel(services, "nobody")
