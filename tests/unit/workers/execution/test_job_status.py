"""How jobs stand: what waits for what, in words that say who can act."""

from datetime import timedelta
from pathlib import Path

import pytest

from dissolution.job import Job, JobStatus, Lane, Step, StepStatus
from dissolution.outbox import OutboxRow, Ring
from dissolution.policy.job_policy import Policy
from tests.factories import INSTANT, a_conversation
from tests.running import a_job, running
from workers.execution.job_status import detail, overview, waits_for
from workers.pipeline import QueueClass, queue_name

JOB = Job(
    id="j1",
    conversation="c",
    through=1,
    snapshot_digest="0" * 64,
    fleet="scripted",
    policy=Policy(),
    lane=Lane.BATCH,
    created_at=INSTANT,
)
ROW = OutboxRow(ring=Ring(job="j1", stage="fan_out", queue="q"), created_at=INSTANT, due_at=INSTANT)
LATER = INSTANT + timedelta(seconds=30)
QUEUED = Step(job="j1", stage="fan_out")
BROKEN = QUEUED.model_copy(update={"reason": "ValueError", "attempts": 1})
RESTING = ROW.model_copy(update={"due_at": LATER})


@pytest.mark.parametrize(
    ("step", "row", "job", "words"),
    [
        (QUEUED, ROW, JOB, "a worker"),
        (QUEUED, RESTING, JOB, "a worker"),  # the first ring is left to whoever made the step ready
        (QUEUED, None, JOB, "the relay"),
        (BROKEN, RESTING, JOB, "its next attempt in 30 s"),
        (BROKEN, ROW, JOB, "a worker"),
        (Step(job="j1", stage="gate"), None, JOB, "frame_audit and candidate_arm"),
        (QUEUED, ROW, JOB.model_copy(update={"status": JobStatus.HELD}), "a person: the job is held"),
        (
            QUEUED,
            None,
            JOB.model_copy(update={"lane": None}),
            "the process that runs the job; `dissolve resume` goes on",
        ),
        (QUEUED, None, JOB.model_copy(update={"ended_at": INSTANT}), None),
        (QUEUED.model_copy(update={"status": StepStatus.RUNNING}), ROW, JOB, None),
        (QUEUED.model_copy(update={"status": StepStatus.DEAD}), None, JOB, None),
    ],
)
def test_what_a_step_waits_for(step: Step, row: OutboxRow | None, job: Job, words: str | None) -> None:
    assert waits_for(step, row, frozenset(), job, INSTANT) == words


def test_the_whole_is_counted_and_the_oldest_are_listed(tmp_path: Path) -> None:
    with running(tmp_path, []) as services:
        jobs = [a_job(services, a_conversation("One.", name=name), lane=Lane.BATCH).id for name in "ab"]
        with services.unit_of_work() as work:
            work.jobs.claim(jobs[0], "fan_out", "w", INSTANT, 60)
            work.jobs.move(jobs[1], JobStatus.CANCELLED, INSTANT)
            seen = overview(work, LATER)
            one = detail(work, work.jobs.get(jobs[0]), LATER)
    assert dict(seen.counts) == {JobStatus.QUEUED: 1, JobStatus.CANCELLED: 1}
    (queue,) = seen.queues
    assert (queue.queue, queue.waiting, queue.running) == (queue_name(QueueClass.IO, Lane.BATCH), 2, 1)
    assert queue.oldest_waits_s == 30
    assert [job.job for job in seen.unfinished] == [jobs[0]]
    fan_out = one.steps[0]
    assert (fan_out.owner, fan_out.lease_ends_in_s, fan_out.attempts, fan_out.sent) == ("w", 30, 1, 0)
    assert one.standing.running == ("fan_out",)
    assert one.standing.age_s == 30
