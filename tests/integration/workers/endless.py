"""A giant worker whose steps of one tenant never end by themselves: `python -m … worker`, and the program of a step."""

import os
import sys
from pathlib import Path

from dissolution.job import Job
from workers.execution import separate_process as apart
from workers.execution import steps
from workers.runtime import separate_step as apart_step
from workers.services import Services
from workers.step_results import StepResult

PIDS = "ENDLESS_PIDS"
"""Names the folder in which each step that never ends leaves a file, its name the process."""

TENANT = "endless"


def for_ever(_services: Services, job: Job) -> StepResult:
    """Compute without end, asking nobody whether it is wanted."""
    (Path(os.environ[PIDS]) / str(os.getpid())).write_text(job.id, encoding="ascii")
    while True:
        pass


def main() -> int:
    """Be the worker, or the program of one of its steps."""
    if sys.argv[1:] == ["worker"]:
        from cli.service.serving import serve_queue

        apart.PROGRAM = (sys.executable, "-m", __spec__.name)  # pyright: ignore[reportAttributeAccessIssue, reportConstantRedefinition] - this program is the test's own
        return serve_queue("giant", processes=2, lane=None, db=None)
    usual = steps.STEPS["fan_out"]

    def fan_out(services: Services, job: Job) -> StepResult:
        return (for_ever if job.tenant == TENANT else usual)(services, job)

    steps.STEPS["fan_out"] = fan_out  # pyright: ignore[reportIndexIssue] - a dict underneath
    return apart_step.main()


if __name__ == "__main__":
    sys.exit(main())
