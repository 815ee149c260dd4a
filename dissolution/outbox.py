"""The outbox: which steps are to be rung for. Written in the transaction that makes a step ready, read by the relay."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Annotated, Protocol

from pydantic import AwareDatetime, Field

from dissolution.ids import JobId
from dissolution.job import JobStatus
from dissolution.values import Frozen

RING_GRACE_S = 5.0
"""How long the relay leaves a ring to the process that made the step ready, which rings itself (s)."""


class Ring(Frozen):
    """A message to whoever consumes `queue`: `stage` of `job` may be ready. Ids only, no content."""

    job: JobId
    stage: str
    queue: Annotated[str, Field(min_length=1, max_length=100)]


class OutboxRow(Frozen):
    """A ring that stands until its step is over."""

    ring: Ring
    created_at: AwareDatetime
    due_at: AwareDatetime  # when the relay sends it, again if need be
    sent_at: AwareDatetime | None = None  # when the relay last sent it
    attempts: Annotated[int, Field(ge=0)] = 0  # how often the relay sent it
    owner: str | None = None  # who runs the step at the moment


class QueueCount(Frozen):
    """How one queue stands, as the tables say."""

    queue: str
    waiting: Annotated[int, Field(ge=0)]  # steps that are ready and not claimed
    running: Annotated[int, Field(ge=0)]  # steps that are claimed under a lease that holds
    expired: Annotated[int, Field(ge=0)]  # steps whose lease ran out
    oldest_at: AwareDatetime | None  # since when the longest waiting one is ready


class Outbox(Protocol):
    """Rings, at most one a step. Every change is inside the unit of work it came from."""

    def put(self, ring: Ring, at: datetime, due_at: datetime) -> None:
        """Want the ring sent at `due_at`; one that stands already is put off, or brought forward, to then."""
        ...

    def want(self, rings: Mapping[Ring, datetime], at: datetime) -> tuple[Ring, ...]:
        """Want each ring sent at its moment; one that stands already is left as it is. Those that did not stand."""
        ...

    def settle(self, job: JobId, stage: str) -> None:
        """The step is over: nothing is to be sent for it any more. No error when nothing was."""
        ...

    def follow(self, job: JobId, stage: str, rings: Mapping[Ring, datetime], at: datetime) -> tuple[Ring, ...]:
        """As `settle` of the step that is over and `want` of the rings of its job that follow from that, in one go."""
        ...

    def of_job(self, job: JobId) -> tuple[OutboxRow, ...]:
        """The rings of a job, oldest first."""
        ...

    def take(self, queue: str, at: datetime, limit: int, resend_s: float) -> tuple[Ring, ...]:
        """The rings of a queue to be sent now, at most `limit`, in fair order (docs/workers.md); they count as sent.

        Due are rings whose time has come and whose step is queued, and those whose step runs under a lease that ran
        out. Jobs that have ended or are held are left out. What was taken is due again after `resend_s` seconds,
        after twice as long each further time: a message that waits in a long queue is not lost.
        """
        ...

    def at_work(self, tenant: str, queues: Collection[str], at: datetime) -> int:
        """How many steps of a tenant, of these queues, run under a lease that holds."""
        ...

    def held(self, at: datetime, limit: int) -> tuple[OutboxRow, ...]:
        """Rings whose step runs under a lease that holds, the one that ends first before all others."""
        ...

    def bring_forward(self, at: datetime, *, job: JobId | None = None, stage: str | None = None) -> int:
        """Make what was sent due now, because the broker lost it; all of it, or one step's. Returns how many."""
        ...

    def rein_in(self, at: datetime, *, lease_s: float, wait_s: float) -> int:
        """Bound what a clock that ran ahead of `at`, or was set back to it, has left far in the future.

        A lease that ends more than two of its lengths from `at` ends one length from it: who works under it renews it
        before, and nobody waits longer for one that is gone. A ring that was sent more than a lease's length after
        `at`, or rests for longer than `wait_s` seconds, is due at once. Returns how many leases and rings that were.
        """
        ...

    def strays(self, limit: int) -> tuple[str, ...]:
        """Jobs that wait for workers, have not ended, are not held, and have no ring: nobody would ever run them."""
        ...

    def queues(self, at: datetime) -> tuple[QueueCount, ...]:
        """How each queue stands, by name; queues without a ring are left out."""
        ...

    def job_counts(self) -> Mapping[JobStatus, int]:
        """How many jobs there are of each status; statuses without a job are left out."""
        ...
