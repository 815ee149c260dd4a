"""Who goes with a step: its log lines are told apart, and it is traced where traces are wanted."""

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Self

from dissolution.answers import MemberCard, MemberTask, Reply
from dissolution.job import Job, Lease
from dissolution.ports.store import UnitOfWorkFactory
from dissolution.settings import Settings
from workers.telemetry.logs import bound
from workers.telemetry.tracing import Tracing, open_tracing


class StepWatch:
    """The Watch of a process that runs steps. Use it in a `with` block: at its end what is left of traces is sent.

    Args:
        settings: Whether and where traces go.
        unit_of_work: Where it is seen that a job has ended.
        tracing: In place of what the settings say.
    """

    def __init__(self, settings: Settings, unit_of_work: UnitOfWorkFactory, *, tracing: Tracing | None = None) -> None:
        self._tracing = tracing or open_tracing(settings, unit_of_work)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._tracing is not None:
            self._tracing.close()

    @contextmanager
    def step(self, job: Job, lease: Lease) -> Generator[None]:
        """Around a step that was claimed."""
        traced = nullcontext() if self._tracing is None else self._tracing.step(job, lease)
        with bound(job, lease), traced:
            yield

    def call(
        self, job: Job, stage: str, card: MemberCard, task: MemberTask
    ) -> AbstractContextManager[Callable[[Reply], None]]:
        """Around one question to a language model."""
        if self._tracing is None:
            return nullcontext(lambda _reply: None)
        return self._tracing.call(job, stage, card, task)
