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


def is_refused(present: JobStatus, wanted: JobStatus) -> bool:
    """Whether a move is refused, with both statuses."""
    try:
        check_job_move("j1", present, wanted)
    except IllegalMove as refused:
        return repr(present.value) in str(refused) and repr(wanted.value) in str(refused)
    return False


def test_every_pair_of_job_statuses() -> None:
    pairs = set(itertools.product(JobStatus, JobStatus))
    legal = {(present, wanted) for present, wanted in pairs if (present.value, wanted.value) in LEGAL_JOB_MOVES}
    assert {pair for pair in pairs if is_refused(*pair)} == pairs - legal
    for present, wanted in legal:
        check_job_move("j1", present, wanted)


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
