"""What a step's claim has read of its job already: the steps before it, whose outputs stay as long as it is held."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from dissolution.job import Job, Step
from dissolution.ports.store import UnitOfWork

_READ: ContextVar[Sequence[Step]] = ContextVar("steps_at_hand", default=())


@contextmanager
def at_hand(steps: Sequence[Step]) -> Generator[None]:
    """In the block, these steps of a job, as they were before the claim, need not be read again.

    Empty: they are read whenever they are asked for.
    """
    token = _READ.set(steps)
    try:
        yield
    finally:
        _READ.reset(token)


def steps_of(work: UnitOfWork, job: Job) -> Sequence[Step]:
    """The steps of a job, in their order, as they were when the step that asks was claimed, or as they are now."""
    steps = _READ.get()
    return steps if steps and steps[0].job == job.id else work.jobs.steps(job.id)


def is_first_run(job: Job, stage: str) -> bool:
    """Whether nobody had ever claimed this step before the claim it runs under: then it has left nothing behind."""
    return any(step.job == job.id and step.stage == stage and step.epoch == 0 for step in _READ.get())
