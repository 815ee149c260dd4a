import itertools

import pytest

from dissolution.errors import IllegalMove
from dissolution.job import ENDED, JOB_MOVES, STEP_MOVES, JobStatus, StepStatus, check_job_move

LEGAL_JOB_MOVES = {
    ("queued", "running"),
    ("queued", "failed"),
    ("queued", "cancelled"),
    ("running", "held"),
    ("running", "committed"),
    ("running", "history_kept"),
    ("running", "failed"),
    ("running", "cancelled"),
    ("held", "running"),
    ("held", "failed"),
    ("held", "cancelled"),
    ("failed", "running"),
}
LEGAL_STEP_MOVES = {
    ("queued", "running"),
    ("running", "queued"),
    ("running", "running"),
    ("running", "done"),
    ("running", "dead"),
    ("done", "queued"),
    ("dead", "queued"),
}


@pytest.mark.parametrize(("present", "wanted"), list(itertools.product(JobStatus, JobStatus)))
def test_every_pair_of_job_statuses(present: JobStatus, wanted: JobStatus) -> None:
    if (present.value, wanted.value) in LEGAL_JOB_MOVES:
        check_job_move("j1", present, wanted)
        return
    with pytest.raises(IllegalMove) as caught:
        check_job_move("j1", present, wanted)
    assert str(caught.value) == f"job 'j1' is {present.value!r} and cannot become {wanted.value!r}"


@pytest.mark.parametrize(("present", "wanted"), list(itertools.product(StepStatus, StepStatus)))
def test_every_pair_of_step_statuses(present: StepStatus, wanted: StepStatus) -> None:
    assert (wanted in STEP_MOVES[present]) == ((present.value, wanted.value) in LEGAL_STEP_MOVES)


def test_tables_name_every_status() -> None:
    assert set(JOB_MOVES) == set(JobStatus)
    assert set(STEP_MOVES) == set(StepStatus)


def test_a_committed_job_never_moves_and_every_job_can_end() -> None:
    assert JOB_MOVES[JobStatus.COMMITTED] == frozenset()
    assert {status for status in JobStatus if not JOB_MOVES[status]} < ENDED
    assert set(JobStatus) - {JobStatus.QUEUED, JobStatus.RUNNING, JobStatus.HELD} == ENDED
