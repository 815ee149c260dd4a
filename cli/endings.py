"""How a job ended, as an exit code."""

from cli.exits import Exit
from dissolution.job import JobStatus

STATUS_EXITS = {
    JobStatus.COMMITTED: Exit.OK,
    JobStatus.HISTORY_KEPT: Exit.HISTORY_KEPT,
    JobStatus.CANCELLED: Exit.HISTORY_KEPT,
    JobStatus.FAILED: Exit.FAULT,
}
