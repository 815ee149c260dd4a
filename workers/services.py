"""What steps work with: the ports, already built, in one value."""

from collections.abc import Callable, Coroutine
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from dissolution.answers import MemberCard, MemberTask, Reply
from dissolution.ids import JobId
from dissolution.job import Job, Lease
from dissolution.limits import Limiter
from dissolution.outbox import Ring
from dissolution.ports.models import Clock, Embedder, JobQueue, Member, TokenCounter
from dissolution.ports.store import UnitOfWorkFactory
from dissolution.settings import Settings
from dissolution.surprise import SurpriseEstimator
from fleet.local_limits import LocalLimiter

T = TypeVar("T")


class NoBell:
    """The doorbell nobody needs: the inline runner looks at the tables itself."""

    def ring(self, ring: Ring) -> None:
        """Nothing."""


def ignore(error: BaseException, thread: int | None = None) -> None:
    """Let the step go on to its end; the fence refuses what it brings."""


def by_words(_fleet: str) -> SurpriseEstimator:
    """Surprise without a language model, whatever the fleet."""
    from language.surprise.backoff import BackoffEstimator  # counts of words: only what measures surprise needs them

    return BackoffEstimator()


class Progress(Protocol):
    """Somebody who watches a job. Told facts, never content, by several threads: stages run side by side."""

    def stage_started(self, job: JobId, stage: str) -> None:
        """A stage begins."""
        ...

    def stage_ended(self, job: JobId, stage: str, note: str) -> None:
        """A stage is over; `note` says in a few words what came of it. One that is interrupted just stops."""
        ...

    def member(self, job: JobId, member: str, state: str) -> None:
        """A member is asked, has answered, or has failed."""
        ...


class Silent:
    """Nobody watches."""

    def stage_started(self, job: JobId, stage: str) -> None:
        """Nothing."""

    def stage_ended(self, job: JobId, stage: str, note: str) -> None:
        """Nothing."""

    def member(self, job: JobId, member: str, state: str) -> None:
        """Nothing."""


class StepWatch(Protocol):
    """Goes with the work itself, for logs and traces; what it does must never disturb it."""

    def step(self, job: Job, lease: Lease) -> AbstractContextManager[None]:
        """Around a step that was claimed."""
        ...

    def call(
        self, job: Job, stage: str, card: MemberCard, task: MemberTask
    ) -> AbstractContextManager[Callable[[Reply], None]]:
        """Around one question to a language model; what it gives is told the reply."""
        ...


class Unwatched:
    """Nobody goes along."""

    def step(self, job: Job, lease: Lease) -> AbstractContextManager[None]:  # noqa: ARG002 - the port's shape
        """Nothing."""
        return nullcontext()

    def call(
        self,
        job: Job,  # noqa: ARG002 - as above
        stage: str,  # noqa: ARG002 - as above
        card: MemberCard,  # noqa: ARG002 - as above
        task: MemberTask,  # noqa: ARG002 - as above
    ) -> AbstractContextManager[Callable[[Reply], None]]:
        """Nothing."""
        return nullcontext(lambda _reply: None)


def waits_for_messages(_ring: Ring) -> bool:
    """Every step is run when somebody is rung for it."""
    return False


class AsyncRunner(Protocol):
    """Runs a coroutine to its end on one long-lived event loop."""

    def __call__(self, main: Coroutine[Any, Any, T], /) -> T:
        """The coroutine's result."""
        ...


class Keeper(Protocol):
    """Holds the leases of many steps at once."""

    def holding(self, lease: Lease) -> AbstractContextManager[None]:
        """Renew it until the block ends, and end the step in this thread when it is no longer wanted."""
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
    watch: StepWatch = field(default_factory=Unwatched)
    surprise: Callable[[str], SurpriseEstimator] = by_words  # who measures it for triggers, by a watch's fleet
    abandon: Callable[[BaseException, int | None], None] = (
        ignore  # ends what a thread waits for, see `LoopThread.abandon`
    )
    goes_on: Callable[[Ring], bool] = (
        waits_for_messages  # whether a process runs a step at once that became ready in it
    )
    keeper: Keeper | None = None  # holds the leases of all steps of a process that runs many; else each has its timer
