"""An event loop whose clock jumps to the next timer instead of waiting for it: deadlines tested without real time."""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import TypeVar

T = TypeVar("T")


class _JumpingSelector(selectors.DefaultSelector):
    """Reports ready files at once; when there are none, moves the clock on by the time it was asked to wait."""

    now_s = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready:
            if timeout is None:
                message = "the event loop would wait for ever: nothing is scheduled and nothing can arrive"
                raise RuntimeError(message)
            self.now_s += timeout
        return ready


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """Starts at 0 s; `time()` moves only when everybody waits."""

    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)

    def time(self) -> float:
        """Virtual seconds since the loop was made."""
        return self._jumping.now_s


def run_virtual(main: Coroutine[object, object, T]) -> T:
    """Run to completion in virtual time."""
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        return runner.run(main)
