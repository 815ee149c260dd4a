"""Progress on stderr: a live line a running stage for a person at a terminal, a plain line a fact elsewhere.

What each member does is told by `verbose` alone, but for members that fail.
"""

import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import TextIO

from rich.console import Console
from rich.progress import Progress as Bars
from rich.progress import SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.text import Text

from cli.shared.output import WatcherConsole

MEANINGS = {
    "fan_out": "every member reads the conversation and states what it holds",
    "parse": "the answers are read, and counted by family",
    "register": "what the conversation takes for granted is noted",
    "question_bank": "test questions are written, before there is anything to test",
    "consensus": "statements that mean the same are brought together and tied to words of the conversation",
    "history_arm": "the questions are answered from the full text",
    "frame_audit": "members review what was stated",
    "candidate_arm": "the questions are answered from the result alone",
    "gate": "both sets of answers are compared",
    "repair": "what was lost is asked for again",
    "commit": "the result is stored, or the conversation stays in force",
}
"""What a stage does while it runs, for a person; `workers.pipeline` says it for whoever works on it."""

QUIET = ("asked", "answered", "reads window")
"""How the states of a member begin that only `verbose` tells."""


class ConsoleProgress:
    """The Progress of `workers.services` for a terminal or a log."""

    def __init__(self, console: Console, *, verbose: bool = False) -> None:
        self._console = console
        self._verbose = verbose
        self._bars = Bars(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._running: dict[tuple[str, str], tuple[TaskID, float]] = {}  # by job and stage, with when it began (s)

    def start(self) -> None:
        """Begin to draw."""
        self._bars.start()

    def stop(self) -> None:
        """Stop drawing, so that results can be printed."""
        self._bars.stop()

    def say(self, message: str) -> None:
        """One line of information."""
        with suppress(OSError):  # a full disk under the log ends no job
            self._console.print(Text(message), highlight=False, soft_wrap=True)

    def stage_started(self, job: str, stage: str) -> None:
        """Show the stage as running, beside those that run already."""
        if (interrupted := self._running.pop((job, stage), None)) is not None:
            self._bars.remove_task(interrupted[0])
        self._running[job, stage] = self._bars.add_task(f"{stage}: {MEANINGS[stage]}", total=None), time.monotonic()

    def stage_ended(self, job: str, stage: str, note: str) -> None:
        """Keep one line about the stage; it runs no more."""
        bar, began = self._running.pop((job, stage), (None, time.monotonic()))
        if bar is not None:
            self._bars.remove_task(bar)
        self.say(f"  {stage:<14} {time.monotonic() - began:6.1f} s  {note}")

    def member(self, job: str, member: str, state: str) -> None:  # noqa: ARG002 - the port names the job for others
        """Keep one line about the member: of one that fails, or of each."""
        if self._verbose or not state.startswith(QUIET) or state.endswith("late"):
            self.say(f"    {member:<26} {state}")


@contextmanager
def progress_on(stream: TextIO, *, verbose: bool = False) -> Generator[ConsoleProgress]:
    """Progress on a stream, stopped when the block ends."""
    progress = ConsoleProgress(WatcherConsole(file=stream), verbose=verbose)
    progress.start()
    try:
        yield progress
    finally:
        progress.stop()
