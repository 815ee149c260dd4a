"""How a job ended, as an exit code."""

from cli.shared.exits import Exit
from dissolution.job import JobStatus

STATUS_EXITS = {
    JobStatus.COMMITTED: Exit.OK,
    JobStatus.HELD: Exit.OK,  # it waits, as was asked
    JobStatus.HISTORY_KEPT: Exit.HISTORY_KEPT,
    JobStatus.CANCELLED: Exit.HISTORY_KEPT,
    JobStatus.FAILED: Exit.FAULT,
}
