"""Waiting without computing: whoever runs a step may let another one compute meanwhile.

A worker of many threads gives each step a permit to compute (`workers.execution.compute_permits`). What waits inside
a step for something that other steps or threads bring has to give that permit up, or those that bring it may never
get one.
"""

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar

Rest = Callable[[], AbstractContextManager[None]]

_rest: ContextVar[Rest] = ContextVar("rest", default=nullcontext)


def resting() -> AbstractContextManager[None]:
    """A block in which this thread only waits."""
    return _rest.get()()


@contextmanager
def rests_by(rest: Rest) -> Generator[None]:
    """Within the block, `resting` is this."""
    token = _rest.set(rest)
    try:
        yield
    finally:
        _rest.reset(token)
