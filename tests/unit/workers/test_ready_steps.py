"""Which steps are rung for: those that became ready, re-opened ones among them, and nothing twice."""

from datetime import timedelta
from pathlib import Path

import pytest

from dissolution.job import Job, JobStatus, Lane, Step, StepStatus
from dissolution.outbox import RING_GRACE_S, Ring
from dissolution.ports.store import UnitOfWork
from dissolution.settings import Settings
from tests.factories import INSTANT, a_conversation
from tests.running import a_job, running
from workers.celery.app import make_app
from workers.celery.queue import CeleryQueue
from workers.pipeline import GIANT_QUEUES, STAGE_NAMES, QueueClass, first_queues, queue_name, queue_of, queues_of
from workers.ready_steps import (
    RETRY_LONGEST_S,
    announce,
    follows,
    is_time,
    ready_stages,
    retry_wait_s,
    ring_again,
    ring_of,
)
from workers.services import Services

TALK = a_conversation("One.", "Two.")


def finished(work: UnitOfWork, job: str, *stages: str) -> None:
    for stage in stages:
        lease = work.jobs.claim(job, stage, "w", INSTANT, 60)
        assert lease is not None
        work.jobs.complete(lease, INSTANT, "{}")
        work.outbox.settle(job, stage)


def a_queued_job(services: Services) -> Job:
    return a_job(services, TALK, lane=Lane.INTERACTIVE)


def test_steps_that_were_opened_again_are_rung_for_again(tmp_path: Path) -> None:
    with running(tmp_path, []) as services:
        job = a_queued_job(services).id
        with services.unit_of_work() as work:
            finished(work, job, "fan_out", "register", "question_bank", "parse", "history_arm", "consensus")
            assert [ring.stage for ring in announce(work, job, INSTANT)] == ["frame_audit"]
            finished(work, job, "frame_audit", "candidate_arm")
            work.jobs.reopen(job, ["consensus", "frame_audit", "candidate_arm"], INSTANT, 1)
            assert [ring.stage for ring in announce(work, job, INSTANT)] == ["consensus"]
            assert announce(work, job, INSTANT) == ()


def test_a_ring_leaves_a_moment_to_whoever_made_the_step_ready(tmp_path: Path) -> None:
    with running(tmp_path, []) as services:
        job = a_queued_job(services).id
        with services.unit_of_work() as work:
            finished(work, job, "register", "question_bank", "fan_out")
            announce(work, job, INSTANT)
            assert {row.due_at - INSTANT for row in work.outbox.of_job(job)} == {timedelta(seconds=RING_GRACE_S)}


def test_nobody_is_rung_for_a_job_that_is_over_or_run_by_its_maker(tmp_path: Path) -> None:
    with running(tmp_path, []) as services:
        alone, over = a_job(services, TALK).id, a_queued_job(services).id
        with services.unit_of_work() as work:
            work.jobs.move(over, JobStatus.CANCELLED, INSTANT)
            for job in (alone, over):
                assert announce(work, job, INSTANT) == ()
                ring_again(work, job, "fan_out", INSTANT, wait_s=0)
                assert work.outbox.of_job(job) == ()
            assert ring_of(work.jobs.get(alone), "fan_out") is None


def a_step(stage: str, status: StepStatus) -> Step:
    return Step(job="j", stage=stage, status=status)


def test_ready_is_what_is_queued_and_follows_what_is_done() -> None:
    done = [a_step(stage, StepStatus.DONE) for stage in ("fan_out", "register")]
    rest = [a_step(stage, StepStatus.QUEUED) for stage in STAGE_NAMES if stage not in {"fan_out", "register"}]
    assert ready_stages([*done, *rest]) == ("parse", "question_bank")
    dead = [a_step("parse", StepStatus.DEAD), *(step for step in rest if step.stage != "parse")]
    assert ready_stages([*done, *dead]) == ("question_bank",)
    assert follows(done, "parse")
    assert not follows(done, "consensus")
    assert not follows(done, "no_such_stage")


@pytest.mark.parametrize(("attempts", "wait_s"), [(0, 2), (1, 2), (2, 4), (5, 32), (8, 256), (9, 300), (4000, 300)])
def test_rests_double_up_to_five_minutes(attempts: int, wait_s: float) -> None:
    assert retry_wait_s(attempts) == wait_s <= RETRY_LONGEST_S


def test_lanes_sort_by_urgency_in_each_class() -> None:
    for queue in QueueClass:
        names = queues_of(queue)
        assert list(names) == sorted(names)
        assert [name.split("-")[-1] for name in names] == ["interactive", "batch", "stability"]


def test_what_computes_about_a_very_long_conversation_is_work_for_a_giant_worker() -> None:
    found = {stage: queue_of(stage, "roster:fleet.toml", Lane.BATCH, giant=True) for stage in STAGE_NAMES}
    waits = {stage for stage, queue in found.items() if queue == queue_name(QueueClass.IO, Lane.BATCH)}
    assert waits == {"fan_out", "history_arm", "commit"}
    assert {queue for stage, queue in found.items() if stage not in waits} <= GIANT_QUEUES


def test_nobody_but_the_relay_sends_what_a_giant_worker_does(monkeypatch: pytest.MonkeyPatch) -> None:
    queue, sent = CeleryQueue(make_app(Settings())), list[Ring]()
    monkeypatch.setattr(queue, "sent", sent.append)
    io, giant = (Ring(job="j", stage="register", queue=queues_of(one)[0]) for one in (QueueClass.IO, QueueClass.GIANT))
    queue.ring(giant)
    queue.ring(io)
    assert sent == [io]


def test_asking_a_fleet_that_computes_is_work_for_a_cpu_worker() -> None:
    assert queue_of("fan_out", "extractive", Lane.BATCH) == queue_name(QueueClass.CPU, Lane.BATCH)
    assert queue_of("fan_out", "roster:fleet.toml", Lane.BATCH) == queue_name(QueueClass.IO, Lane.BATCH)
    assert queue_of("register", "extractive", Lane.BATCH) == queue_name(QueueClass.IO, Lane.BATCH)
    assert queue_of("fan_out", "extractive", Lane.BATCH, giant=True) == queue_name(QueueClass.GIANT, Lane.BATCH)
    assert list(first_queues("extractive", Lane.BATCH)) == ["fan_out", "register", "question_bank"]


@pytest.mark.parametrize(
    ("seconds", "due"), [(-7200, True), (-1, True), (0, False), (9.9, False), (10, True), (7200, True)]
)
def test_what_is_done_every_ten_seconds_is_done_whichever_way_the_clock_jumps(seconds: float, due: bool) -> None:  # noqa: FBT001 - a table
    at = INSTANT + timedelta(seconds=10)
    assert is_time(at, INSTANT + timedelta(seconds=seconds), timedelta(seconds=10)) is due
    assert is_time(None, INSTANT, timedelta(seconds=10))
