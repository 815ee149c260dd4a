from dissolution.job import ENDED, JOB_MOVES, JobStatus

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


def test_a_job_moves_as_this_table_says_and_no_other_way() -> None:
    moves = {(present.value, wanted.value) for present, after in JOB_MOVES.items() for wanted in after}
    assert moves == LEGAL_JOB_MOVES


def test_the_table_names_every_status() -> None:
    assert set(JOB_MOVES) == set(JobStatus)


def test_a_committed_job_never_moves_and_every_job_can_end() -> None:
    assert JOB_MOVES[JobStatus.COMMITTED] == frozenset()
    assert {status for status in JobStatus if not JOB_MOVES[status]} < ENDED
    assert set(JobStatus) - {JobStatus.QUEUED, JobStatus.RUNNING, JobStatus.HELD} == ENDED
