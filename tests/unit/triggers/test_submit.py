"""The only way in: one transaction, then the bell."""

from pathlib import Path

import pytest

from dissolution.errors import BehindBoundary, ChangedPast, UnknownTurn
from dissolution.job import JobStatus, StepStatus
from dissolution.policy import Policy
from fleet.scripted import Say
from tests.factories import a_conversation
from tests.running import a_member, running
from triggers.submit import Request, Submission, submit
from workers.inline import run_job
from workers.pipeline import STAGE_NAMES
from workers.services import Services


class Bell:
    """Remembers who rang and what could be seen of the job in the database at that moment."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.rings: list[tuple[str, str]] = []

    def ring(self, job: str, stage: str) -> None:
        with self.services.unit_of_work() as work:
            assert work.jobs.get(job).status is JobStatus.QUEUED
        self.rings.append((job, stage))


def submitted(services: Services, bell: Bell, *contents: str, through: int | None = None) -> Submission:
    request = Request(conversation=a_conversation(*contents), through=through, fleet="scripted", policy=Policy())
    return submit(request, unit_of_work=services.unit_of_work, clock=services.clock, queue=bell, stages=STAGE_NAMES)


def test_the_bell_rings_once_after_the_job_is_stored(tmp_path: Path) -> None:
    with running(tmp_path, []) as services:
        bell = Bell(services)
        submission = submitted(services, bell, "One.", "Two.", "Three.", through=2)
        assert bell.rings == [(submission.job.id, STAGE_NAMES[0])]
        assert (submission.new_turns, submission.job.through, submission.job.expected_version) == (3, 2, 0)
        with services.unit_of_work() as work:
            steps = work.jobs.steps(submission.job.id)
            digest = work.conversations.get("conv-1").snapshot(2).digest
        assert [step.stage for step in steps] == list(STAGE_NAMES)
        assert {step.status for step in steps} == {StepStatus.QUEUED}
        assert submission.job.snapshot_digest == digest


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
        submitted(services, bell, "One.", "Two.")
        with pytest.raises(ChangedPast):
            submitted(services, bell, "One.", "Changed.", "Three.")
        assert len(bell.rings) == 1
        with services.unit_of_work() as work:
            assert len(work.jobs.unfinished()) == 1
            assert len(work.conversations.get("conv-1").turns) == 2


def test_a_snapshot_before_the_standing_boundary_is_refused(tmp_path: Path) -> None:
    answer = "KNOWN\n- We deploy on Tuesday. [turn 1]\nDECIDED\nnone\nEDGES\nnone\nIDENTITY\nnone\n"
    turns = ("We deploy on Tuesday.", "Agreed.", "Good.")
    with running(tmp_path, [a_member("a", Say(answer)), a_member("b", Say(answer))]) as services:
        bell = Bell(services)
        assert run_job(services, submitted(services, bell, *turns).job.id).status is JobStatus.COMMITTED
        with pytest.raises(BehindBoundary, match="through turn 3 stands; through turn 2 would move it back"):
            submitted(services, bell, *turns, through=2)
        assert submitted(services, bell, *turns).job.expected_version == 1
