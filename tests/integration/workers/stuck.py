"""An io worker in which steps of one tenant never heed a limit: `python -m … `."""

import sys

from dissolution.job import Job
from workers.celery import worker as celery_worker
from workers.execution import lease_keeper as keeping
from workers.execution import steps
from workers.services import Services
from workers.step_results import StepResult

TENANT = "stuck"
TOKEN = "never heeds"
"""What the log tells before such a step begins to compute."""


def for_ever(_services: Services, job: Job) -> StepResult:
    """Compute without end, asking nobody whether it is wanted."""
    sys.stderr.write(f"{TOKEN}: {job.id}\n")
    while True:
        pass


def main() -> int:
    """Be the worker; what would take minutes takes seconds."""
    from cli.service.serving import serve_queue

    keeping.GIVEN_UP_AFTER_S = 1.0  # pyright: ignore[reportConstantRedefinition] - this program is the test's own
    celery_worker.DRAIN_S = 3.0  # pyright: ignore[reportConstantRedefinition] - as above
    usual = steps.STEPS["fan_out"]

    def fan_out(services: Services, job: Job) -> StepResult:
        return (for_ever if job.tenant == TENANT else usual)(services, job)

    steps.STEPS["fan_out"] = fan_out  # pyright: ignore[reportIndexIssue] - a dict underneath
    return serve_queue("io", processes=8, lane=None, db=None)


if __name__ == "__main__":
    sys.exit(main())
