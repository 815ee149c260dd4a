"""Holding a step's lease while it works: a timer renews it, so that only a dead or paused process loses it."""

import threading
from collections.abc import Generator
from contextlib import contextmanager

from dissolution.errors import LeaseLost, StoreError
from dissolution.job import Lease
from workers.services import Services

RENEWALS_PER_LEASE = 3


@contextmanager
def holding(services: Services, lease: Lease) -> Generator[None]:
    """Renew `lease` until the block ends.

    A lost lease, also one whose job was cancelled, stops the renewals and what the step waits for: nobody is asked
    for a result that the fence will refuse.
    """
    over = threading.Event()
    lease_s = services.settings.lease_s

    def renew() -> None:
        held = lease
        while not over.wait(lease_s / RENEWALS_PER_LEASE):
            try:
                with services.unit_of_work() as work:
                    held = work.jobs.renew(held, services.clock.now(), lease_s)
                    work.commit()
            except LeaseLost as lost:
                services.abandon(lost)
                return
            except StoreError:
                continue  # busy or away for a moment: the lease still runs, and the next tick tries again

    timer = threading.Thread(target=renew, name=f"lease-{lease.job}-{lease.stage}", daemon=True)
    timer.start()
    try:
        yield
    finally:
        over.set()
        timer.join()
