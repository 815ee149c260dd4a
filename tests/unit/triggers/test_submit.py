"""The only way in: one transaction, then the bell."""

from pathlib import Path

import pytest

from devtools.scripted import Say
from dissolution.errors import BehindBoundary, ChangedPast, UnknownTurn
from dissolution.job import JobStatus, Lane, StepStatus
from dissolution.outbox import RING_GRACE_S, Ring
from dissolution.policy.job_policy import Policy
from tests.factories import a_conversation
from tests.running import a_member, running
from triggers.submit import Request, Submission, submit
from workers.pipeline import STAGE_NAMES
from workers.runtime.inline import run_job
from workers.services import Services


class Bell:
    """Remembers what was rung for, and that the job could be seen in the database at that moment."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.rings: list[Ring] = []

    def ring(self, ring: Ring) -> None:
        with self.services.unit_of_work() as work:
            assert work.jobs.get(ring.job).status is JobStatus.QUEUED
        self.rings.append(ring)


READY = {"fan_out": "io-1", "question_bank": "io-2"}


def submitted(
    services: Services,
    bell: Bell,
    *contents: str,
    through: int | None = None,
    lane: Lane | None = None,
    policy: Policy | None = None,
) -> Submission:
    request = Request(
        conversation=a_conversation(*contents),
        through=through,
        fleet="scripted",
        policy=policy or Policy(),
        lane=lane,
    )
    return submit(
        request,
        unit_of_work=services.unit_of_work,
        clock=services.clock,
        queue=bell,
        stages=STAGE_NAMES,
        ready=None if lane is None else READY,
    )


def test_a_job_is_stored_with_its_steps(tmp_path: Path) -> None:
    with running(tmp_path, []) as services:
        bell = Bell(services)
        submission = submitted(services, bell, "One.", "Two.", "Three.", through=2)
        assert (submission.new_turns, submission.job.through, submission.job.expected_version) == (3, 2, 0)
        with services.unit_of_work() as work:
            steps = work.jobs.steps(submission.job.id)
            digest = work.conversations.get("conv-1").snapshot(2).digest
        assert [step.stage for step in steps] == list(STAGE_NAMES)
        assert {step.status for step in steps} == {StepStatus.QUEUED}
        assert submission.job.snapshot_digest == digest


def test_a_job_keeps_the_calibration_that_stands_when_it_is_made(tmp_path: Path) -> None:
    with running(tmp_path, []) as services:
        job = submitted(services, Bell(services), "One.", policy=Policy(calibration="0" * 64)).job
        with services.unit_of_work() as work:
            assert work.jobs.get(job.id).policy == Policy()


def test_a_job_that_its_submitter_runs_is_rung_for_by_nobody(tmp_path: Path) -> None:
    with running(tmp_path, []) as services:
        bell = Bell(services)
        job = submitted(services, bell, "One.").job
        with services.unit_of_work() as work:
            assert work.outbox.of_job(job.id) == ()
            assert work.outbox.strays(10) == ()
        assert (bell.rings, job.lane) == ([], None)


@pytest.mark.parametrize(("lane", "rung", "grace_s"), [(Lane.INTERACTIVE, True, RING_GRACE_S), (Lane.BATCH, False, 0)])
def test_a_job_for_workers_is_in_the_outbox_and_rung_for_when_somebody_waits(
    tmp_path: Path, lane: Lane, *, rung: bool, grace_s: float
) -> None:
    with running(tmp_path, []) as services:
        bell = Bell(services)
        job = submitted(services, bell, "One.", lane=lane).job
        with services.unit_of_work() as work:
            rows = work.outbox.of_job(job.id)
        wanted = [Ring(job=job.id, stage=stage, queue=queue) for stage, queue in READY.items()]
        assert [row.ring for row in rows] == wanted
        assert {(row.due_at - job.created_at).total_seconds() for row in rows} == {grace_s}
        assert bell.rings == (wanted if rung else [])


def test_a_shorter_file_dissolves_what_it_holds_and_takes_nothing_away(tmp_path: Path) -> None:
    with running(tmp_path, []) as services:
        bell = Bell(services)
        submitted(services, bell, "One.", "Two.", "Three.")
        again = submitted(services, bell, "One.", "Two.")
        assert (again.new_turns, again.job.through) == (0, 2)


def test_what_is_refused_stores_nothing_and_rings_for_nothing(tmp_path: Path) -> None:
    with running(tmp_path, []) as services:
        bell = Bell(services)
        with pytest.raises(UnknownTurn):
            submitted(services, bell, "One.", through=4)
        submitted(services, bell, "One.", "Two.", lane=Lane.INTERACTIVE)
        with pytest.raises(ChangedPast):
            submitted(services, bell, "One.", "Changed.", "Three.")
        assert len(bell.rings) == len(READY)
        with services.unit_of_work() as work:
            assert len(work.jobs.unfinished()) == 1
            assert len(work.conversations.get("conv-1").turns) == 2


def test_a_snapshot_before_the_standing_boundary_is_refused(tmp_path: Path) -> None:
    answer = "KNOWN\n- We deploy on Tuesday. [turn 1]\nDECIDED\nnone\nEDGES\nnone\nIDENTITY\nnone\n"
    turns = ("We deploy on Tuesday.", "Agreed.", "Good.")
    with running(tmp_path, [a_member("a", Say(answer)), a_member("b", Say(answer))]) as services:
        bell = Bell(services)
        assert run_job(services, submitted(services, bell, *turns).job.id).status is JobStatus.COMMITTED
        with pytest.raises(BehindBoundary, match=r"turn 3 .* turn 2 "):
            submitted(services, bell, *turns, through=2)
        assert submitted(services, bell, *turns).job.expected_version == 1
