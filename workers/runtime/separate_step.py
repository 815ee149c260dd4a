"""The program that does one step in a process of its own; started, watched and killed by its parent."""

import logging
import os
import signal
import sys
from dataclasses import replace

from dissolution.errors import DissolutionError, LeaseLost, StoreError
from dissolution.settings import Settings
from workers.bootstrap import open_services
from workers.concurrency.loop_thread import LoopThread
from workers.concurrency.processes import end_with_parent
from workers.execution.separate_process import NO_STORE, StepOrder
from workers.execution.step_context import StepWatch
from workers.execution.steps import run_claimed
from workers.telemetry.logs import set_up_logs

log = logging.getLogger(__name__)


def main() -> int:
    """Do the step that standard input names; 0 when it is over, however: done, given back, or its job ended."""
    end_with_parent(signal.SIGKILL)
    told = StepOrder.model_validate_json(sys.stdin.buffer.read())
    if os.getppid() != told.parent:  # it ended before this process could ask to end with it
        return 1
    settings = Settings.model_validate(told.settings)
    set_up_logs(settings)
    try:
        do(settings, told)
    except LeaseLost as lost:
        log.info("%s", lost)
    except StoreError as error:
        log.warning("job %s, %s: %s", told.lease.job, told.lease.stage, error)
        return NO_STORE
    except DissolutionError as error:
        log.warning("job %s, %s: %s", told.lease.job, told.lease.stage, error)
    except Exception as error:  # noqa: BLE001 - whatever it was is stored with the step; a traceback may hold content
        log.error("job %s, %s: %s", told.lease.job, told.lease.stage, type(error).__name__)  # noqa: TRY400 - as above
    return 0


def do(settings: Settings, told: StepOrder) -> None:
    """Run the step that was claimed to whichever end. Raises what `workers.execution.steps.run_claimed` raises."""
    with (
        LoopThread() as loop,
        open_services(settings, loop=loop, create=False, shared_limits=told.shared_limits) as services,
        StepWatch(settings, services.unit_of_work) as watch,
    ):
        owned = replace(services, watch=watch, owner=told.lease.owner)
        with owned.unit_of_work() as work:
            job = work.jobs.get(told.lease.job)
        with watch.step(job, told.lease):
            run_claimed(owned, job, told.lease)


if __name__ == "__main__":
    sys.exit(main())
