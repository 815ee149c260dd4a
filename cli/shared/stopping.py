"""How programs that run for long are told to stop, and how they end."""

import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType

from cli.shared.exits import Exit
from cli.shared.output import say


class Interrupted(KeyboardInterrupt):
    """A Ctrl-C of which the person who typed it was told already."""


def tell_interruption(ending: BaseException) -> None:
    """Say in one line that a Ctrl-C ended the command, unless it ended otherwise or that was said.

    Typer makes an exit code of the interruption, which stays behind it as its cause.
    """
    seen: BaseException | None = ending
    while seen is not None and not isinstance(seen, KeyboardInterrupt):
        seen = seen.__cause__ or seen.__context__
    if isinstance(seen, KeyboardInterrupt) and not isinstance(seen, Interrupted):
        say("interrupted")


class Stop(threading.Event):
    """Set when somebody wants the program to end, and by which signal."""

    by: int | None = None

    def ended(self) -> Exit:
        """Say that the program has stopped: INTERRUPTED after a Ctrl-C, OK after SIGTERM."""
        say("stopped")
        return Exit.INTERRUPTED if self.by == signal.SIGINT else Exit.OK


@contextmanager
def told_to_stop(again: Callable[[], None] = lambda: None) -> Generator[Stop]:
    """An event that SIGTERM and SIGINT set within the block; `again` is called when they come once more."""
    stop = Stop()

    def tell(number: int, _frame: FrameType | None) -> None:
        if stop.is_set():
            again()
        else:
            stop.by = number
        stop.set()

    before = {number: signal.signal(number, tell) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
