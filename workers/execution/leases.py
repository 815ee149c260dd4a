"""Holding a step's lease while it works: a timer renews it, so that only a dead or paused process loses it.

The same timer looks whether the work is still wanted: a job that was cancelled, a lease that was lost, memory or time
that is used up. What the step waits for is ended at once; what it computes ends at its next `check`.
"""

import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from dissolution.checking import checked_by
from dissolution.errors import DissolutionError, LeaseLost, StepOverLimit, StoreError
from dissolution.job import ENDED, Lease
from dissolution.ports.store import UnitOfWork
from workers.services import Services

RENEWALS_PER_LEASE = 3

LOOK_S = 1.0
"""Pause between two looks whether the work is still wanted (s)."""

AFTER_LIMIT_S = 10.0
"""How long after a step's time limit it is ended here (s): a worker's own signal comes first and gives it back."""

TAKEN_MB = 100.0
"""Memory a step must have taken itself before it is ended for what its process has (MB)."""

RESIDENT = 1
"""Place of the resident pages in `/proc/self/statm`, counted from 0."""

PAGE_BYTES = 4096
MB = 1_000_000


class _Wanted:
    """Whether the step of the thread that makes this is still wanted, as its timer last saw it."""

    def __init__(self) -> None:
        self.thread = threading.get_ident()
        self.why_not: DissolutionError | None = None
        self.thread = threading.get_ident()  # where it works

    def ask(self) -> None:
        """Raise why the step is to end."""
        if self.why_not is not None:
            raise self.why_not


@contextmanager
def holding(
    services: Services, lease: Lease, *, limited: bool = False, resident: Callable[[], float] | None = None
) -> Generator[None]:
    """Renew `lease` until the block ends, and end what is no longer wanted.

    A lost lease, also one whose job was cancelled, stops the renewals, what the step waits for and what it computes:
    nobody is asked for a result that the fence will refuse.

    Args:
        services: The store, the clock and the limits.
        lease: Of the step.
        limited: Whether the process's memory (`max_memory_mb`) and the step's time (`step_limit_s`) are looked at: of
            steps that workers run, and not of one that somebody runs and watches himself.
        resident: The memory of the process that does the work (MB); of this one when None, where a process with a
            keeper leaves all of it to that.
    """
    if services.keeper is not None and resident is None:
        with services.keeper.holding(lease):
            yield
        return
    over, wanted = threading.Event(), _Wanted()

    def renew() -> None:
        _keep(services, lease, wanted, over, (resident or resident_mb) if limited else None)

    timer = threading.Thread(target=renew, name=f"lease-{lease.job}-{lease.stage}", daemon=True)
    timer.start()
    try:
        with checked_by(wanted.ask):
            yield
    finally:
        over.set()
        timer.join()
        # A member's thread that computes past its deadline must not go on: the process would wait for it at its end.
        wanted.why_not = wanted.why_not or LeaseLost(lease.job, lease.stage, lease.epoch)


def _keep(
    services: Services, lease: Lease, wanted: _Wanted, over: threading.Event, resident: Callable[[], float] | None
) -> None:
    """The timer: renew until `over`, and say when the step is no longer wanted, of its memory too if that is given."""
    lease_s = services.settings.lease_s
    held, before_mb = lease, 0.0 if resident is None else resident()
    began = renewed = time.monotonic()
    while not over.wait(min(LOOK_S, lease_s / RENEWALS_PER_LEASE)):
        now = time.monotonic()
        try:
            with services.unit_of_work() as work:
                if now - renewed >= lease_s / RENEWALS_PER_LEASE:
                    held = work.jobs.renew(held, services.clock.now(), lease_s)
                    work.commit()
                    renewed = now
                else:
                    refuse_ended(work, lease)
        except LeaseLost as lost:
            wanted.why_not = lost
            services.abandon(lost, wanted.thread)
            return
        except StoreError:
            pass  # busy or away for a moment: the lease still runs, and the next look tries again
        if resident is None or wanted.why_not is not None:
            continue
        if beyond := over_limit(services, lease, now - began, (before_mb, resident())):
            wanted.why_not = beyond
            services.abandon(beyond, wanted.thread)


def refuse_ended(work: UnitOfWork, lease: Lease) -> None:
    """Raise LeaseLost for a job that has ended, because somebody cancelled it."""
    if work.jobs.get(lease.job).status in ENDED:
        raise LeaseLost(lease.job, lease.stage, lease.epoch)


def over_limit(
    services: Services, lease: Lease, spent_s: float, memory_mb: tuple[float, float]
) -> StepOverLimit | None:
    """Which limit a step is over after so many seconds; None while it is within all.

    A process that an earlier step left large is no fault of this one: memory counts when this step takes it.

    Args:
        services: The limits.
        lease: Of the step.
        spent_s: How long it has run (s).
        memory_mb: The memory its process had when it began, and has now (MB).
    """
    settings = services.settings
    if spent_s > settings.step_limit_s + AFTER_LIMIT_S:
        return StepOverLimit(lease.stage, f"{settings.step_limit_s:g} s", "the setting 'step_limit_s'")
    before_mb, now_mb = memory_mb
    if now_mb > settings.max_memory_mb and now_mb - before_mb > TAKEN_MB:
        return StepOverLimit(lease.stage, f"{settings.max_memory_mb} MB", "the setting 'max_memory_mb'")
    return None


def resident_mb(process: int | None = None) -> float:
    """The memory a process has now (MB, 10^6 bytes), this one if None; 0.0 where the system does not tell."""
    try:
        return (
            int(Path(f"/proc/{process or 'self'}/statm").read_text(encoding="ascii").split()[RESIDENT])
            * PAGE_BYTES
            / MB
        )
    except (OSError, ValueError, IndexError):
        return 0.0
