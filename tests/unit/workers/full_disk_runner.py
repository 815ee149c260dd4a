"""A process that runs jobs, and whose disk is full as soon as a step is at work: nothing can be written any more.

usage: python -m tests.unit.workers.full_disk_runner DATABASE LEASE_S
"""

import logging
import resource
import sys
import threading

from dissolution.job import Job
from dissolution.settings import Settings
from workers.execution import steps
from workers.execution.steps import StepResult
from workers.runtime.embedded import EmbeddedBell, EmbeddedRunner
from workers.services import Services

FILLS = "parse"


def main() -> None:
    """Run jobs until killed."""
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    settings = Settings(db=sys.argv[1], embedder="hashing", lease_s=float(sys.argv[2]))
    does, filled = steps.STEPS[FILLS], threading.Event()

    def parse(services: Services, job: Job) -> StepResult:
        if not filled.is_set():
            filled.set()
            _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1, most))  # whoever started this lifts it
        return does(services, job)

    steps.STEPS = {**steps.STEPS, FILLS: parse}
    EmbeddedRunner(settings, EmbeddedBell()).run(threading.Event())


if __name__ == "__main__":
    main()
