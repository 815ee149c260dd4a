"""Runs a step in a process of its own, which is killed at whatever line it is when the step is no longer wanted.

For very long conversations: what computes for minutes neither holds up others nor has to be asked to end. The process
that runs steps claims, renews the lease and looks; the other one works and completes.
"""

import os
import subprocess
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from typing import IO, Any, Self, cast

from pydantic import SecretStr

from dissolution.checking import check
from dissolution.errors import LeaseLost, StepOverLimit, StepProcessEnded, StoreUnavailable
from dissolution.ids import JobId
from dissolution.job import Job, Lease, StepStatus
from dissolution.settings import Settings
from dissolution.values import Frozen
from dissolution_fleet.start import command
from workers.concurrency.in_flight import IN_HAND
from workers.concurrency.supervisor import kill_group
from workers.concurrency.tenant_concurrency import SEAT_WAIT_S
from workers.execution.leases import holding, resident_mb
from workers.execution.steps import claim, end_explained, give_back, step_of
from workers.pipeline import GIANT_QUEUES
from workers.ready_steps import ring_again, ring_all
from workers.services import Services
from workers.stages.hold import LAST_STAGE, hold_back

PROGRAM = tuple(command("workers.runtime.separate_step"))
"""What is started for a step; it is told which on its standard input."""

LOOK_S = 0.1
"""Pause between two looks at the process (s)."""

NO_STORE = 75
"""The exit code of a process that cannot use the database (EX_TEMPFAIL of sysexits.h)."""


class StepOrder(Frozen):
    """What the process of a step is told. It holds secrets, so it goes through a pipe and is stored nowhere."""

    settings: Mapping[str, Any]
    lease: Lease
    shared_limits: bool
    parent: int  # the process that watches it

    @classmethod
    def of(cls, settings: Settings, lease: Lease, *, shared_limits: bool, parent: int) -> Self:
        """All of the settings, however this process came by them."""
        plain = settings.model_dump(mode="json")
        secret = {name: getattr(settings, name) for name in Settings.model_fields}
        hidden = {name: one.get_secret_value() for name, one in secret.items() if isinstance(one, SecretStr)}
        return cls(settings=plain | hidden, lease=lease, shared_limits=shared_limits, parent=parent)


def run_step_apart(
    services: Services,
    job_id: JobId,
    stage: str,
    *,
    shared_limits: bool,
    stopped: Callable[[], bool] = lambda: False,
) -> bool:
    """As `workers.execution.steps.run_step`, in a process of its own.

    A tenant that has as many such steps at work as it may have waits: the step is rung for again a little later.

    Args:
        services: Of the process that watches.
        job_id: Whose step.
        stage: Which.
        shared_limits: Whether the process asks models within the limits of the fleet of workers, or its own alone.
        stopped: Whether the process that watches is to end; the step is then given back.

    Raises:
        LeaseLost: another worker took the step over, or its job has ended.
        StepProcessEnded: the process died; the step is given back, or dead at its last attempt.
        KeyboardInterrupt: `stopped` says so; the step is given back.
    """
    if (stage == LAST_STAGE and hold_back(services, job_id)) or not let_in(services, job_id, stage):
        return False
    claimed = claim(services, job_id, stage)
    if claimed is None:
        return False
    job, lease, _ = claimed
    try:
        _run(services, lease, shared_limits=shared_limits, stopped=stopped)
    except LeaseLost:
        raise
    except StepOverLimit as error:
        with suppress(LeaseLost):  # it may have ended the job itself just now
            end_explained(services, job, lease, error)
    except BaseException as error:
        with suppress(LeaseLost):  # it may have completed just now
            give_back(services, job, lease, error)
        raise
    finally:
        IN_HAND.discard(lease)
    ring_for_others(services, job, stage)
    return True


def let_in(services: Services, job_id: JobId, stage: str) -> bool:
    """Let the step in if the tenant may have one more such at work, else ring it again later; whether it is in."""
    with services.unit_of_work() as work:
        job, now = work.jobs.get(job_id), services.clock.now()
        if work.outbox.at_work(job.tenant, GIANT_QUEUES, now) < services.settings.tenant_giants:
            return True
        if step_of(work, job_id, stage).status is StepStatus.QUEUED:
            ring_again(work, job_id, stage, now, wait_s=SEAT_WAIT_S)
            work.commit()
    return False


def ring_for_others(services: Services, job: Job, stage: str) -> None:
    """Ring for what the step made ready; the process that completed it has no bell."""
    with services.unit_of_work() as work:
        rings = [row.ring for row in work.outbox.of_job(job.id) if row.ring.stage != stage and row.sent_at is None]
    ring_all(services, rings)


def _run(services: Services, lease: Lease, *, shared_limits: bool, stopped: Callable[[], bool]) -> None:
    """Have the step done; whatever ends the wait kills the process first."""
    told = StepOrder.of(services.settings, lease, shared_limits=shared_limits, parent=os.getpid())
    with started(told) as child, holding(services, lease, limited=True, resident=lambda: resident_mb(child.pid)):
        while child.poll() is None:
            check()
            refuse_memory(services.settings, lease, resident_mb(child.pid))
            if stopped():
                raise KeyboardInterrupt
            with suppress(subprocess.TimeoutExpired):
                child.wait(LOOK_S)
        code = child.wait()
    if code == NO_STORE:
        raise StoreUnavailable("of the step's process", "cannot be used; see its log")
    if code != 0 or is_held(services, lease):
        raise StepProcessEnded(lease.stage, code)


def is_held(services: Services, lease: Lease) -> bool:
    """Whether the step still runs under the lease: then its process has neither completed it nor given it back."""
    with services.unit_of_work() as work:
        step = step_of(work, lease.job, lease.stage)
    return step.status is StepStatus.RUNNING and step.epoch == lease.epoch


def refuse_memory(settings: Settings, lease: Lease, now_mb: float) -> None:
    """Raise StepOverLimit above the limit: between two looks of the lease a step may take a GB."""
    if now_mb > settings.max_memory_mb:
        raise StepOverLimit(lease.stage, f"{settings.max_memory_mb} MB", "the setting 'max_memory_mb'")


@contextmanager
def started(told: StepOrder) -> Generator[subprocess.Popen[bytes]]:
    """The process of a step; at the end of the block nothing of it is left."""
    # In a session of its own: a Ctrl-C is for the process that watches, which ends this one.
    child = subprocess.Popen(PROGRAM, stdin=subprocess.PIPE, start_new_session=True)  # noqa: S603 - our own program
    try:
        with suppress(BrokenPipeError), cast("IO[bytes]", child.stdin) as pipe:  # its code says why it has ended
            pipe.write(told.model_dump_json().encode())
        yield child
    finally:
        kill_group(child.pid)
        child.wait()
