"""What steps work with: the ports, already built, in one value."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from dissolution.job import Job
from dissolution.limits import Limiter
from dissolution.outbox import Ring
from dissolution.ports import Clock, Embedder, JobQueue, Member, TokenCounter
from dissolution.settings import Settings
from dissolution.store_ports import UnitOfWorkFactory
from fleet.local_limits import LocalLimiter

T = TypeVar("T")


class NoBell:
    """The doorbell nobody needs: the inline runner looks at the tables itself."""

    def ring(self, ring: Ring) -> None:
        """Nothing."""


def ignore(error: Exception) -> None:
    """Let the step go on to its end; the fence refuses what it brings."""


class Progress(Protocol):
    """Somebody who watches a job. Told facts, never content."""

    def stage_started(self, job: str, stage: str) -> None:
        """A stage begins."""
        ...

    def stage_ended(self, job: str, stage: str, note: str) -> None:
        """A stage is over; `note` says in a few words what came of it."""
        ...

    def member(self, job: str, member: str, state: str) -> None:
        """A member is asked, has answered, or has failed."""
        ...


class Silent:
    """Nobody watches."""

    def stage_started(self, job: str, stage: str) -> None:
        """Nothing."""

    def stage_ended(self, job: str, stage: str, note: str) -> None:
        """Nothing."""

    def member(self, job: str, member: str, state: str) -> None:
        """Nothing."""


class AsyncRunner(Protocol):
    """Runs a coroutine to its end on one long-lived event loop."""

    def __call__(self, main: Coroutine[Any, Any, T], /) -> T:
        """The coroutine's result."""
        ...


@dataclass(frozen=True, kw_only=True)
class Services:
    """Everything a step may use. Built in `workers.bootstrap` alone."""

    settings: Settings
    unit_of_work: UnitOfWorkFactory
    clock: Clock
    embedder: Callable[[], Embedder]  # built on first use: it loads model weights
    fleet: Callable[[Job], tuple[Member, ...]]
    counter: TokenCounter
    run_async: AsyncRunner
    progress: Progress
    owner: str  # names this process in leases
    bell: JobQueue = field(default_factory=NoBell)  # tells workers of steps that have become ready
    limiter: Limiter = field(default_factory=LocalLimiter)  # when models may be asked, and how many jobs a tenant has
    abandon: Callable[[Exception], None] = ignore  # ends what `run_async` runs, with this error; from another thread
