"""Several programs run as one: started together, restarted when one ends, stopped together, none left behind."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from dissolution.errors import ProgramFailed
from workers.concurrency.processes import end_with_parent

LOOK_S = 0.2
QUICK_END_S = 10.0
"""A program that ends so soon after its start (s) was not stopped by chance."""
QUICK_ENDS = 3
"""After so many of those in a row it is not started again, and all are stopped."""


@dataclass(kw_only=True)
class Program:
    """One program and where its output goes."""

    name: str
    command: Sequence[str]
    log: Path
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    quick_ends: int = field(default=0)


class Supervisor:
    """Keeps programs running until told to stop.

    Args:
        programs: What to run.
        environment: Their environment.
        grace_s: How long they may take to end after SIGTERM (s); then their process groups are killed.
        say: Told of starts and ends, one line each.
    """

    def __init__(
        self,
        programs: Sequence[Program],
        *,
        environment: Mapping[str, str],
        grace_s: float,
        say: Callable[[str], None],
    ) -> None:
        self._programs = programs
        self._environment = dict(environment)
        self._grace_s = grace_s
        self._say = say
        self._hurry = False

    def run(self, stop: threading.Event, each_look: Callable[[], None] = lambda: None) -> None:
        """Start all, watch them until `stop` is set, end them. Raises ProgramFailed when one will not run."""
        try:
            for program in self._programs:
                self._start(program)
            while not stop.wait(LOOK_S):
                for program in self._programs:
                    self._look_after(program)
                each_look()
        finally:
            self._end()

    def hurry(self) -> None:
        """Wait no longer for programs to end by themselves; for a second Ctrl-C."""
        self._hurry = True

    def _start(self, program: Program) -> None:
        with program.log.open("ab") as log:
            program.process = subprocess.Popen(  # noqa: S603 - commands made by our own code
                list(program.command),
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # a group of its own: Ctrl-C comes here first, and no child escapes the end
                preexec_fn=end_with_parent,  # noqa: PLW1509 - no other thread runs here
            )
        program.started = time.monotonic()
        self._say(f"{program.name}: process {program.process.pid}, log {program.log}")

    def _look_after(self, program: Program) -> None:
        ended = program.process.poll() if program.process is not None else 0
        if ended is None or program.process is None:
            return
        kill_group(program.process.pid)  # what it may have left behind
        quick = time.monotonic() - program.started < QUICK_END_S
        program.quick_ends = program.quick_ends + 1 if quick else 0
        if program.quick_ends >= QUICK_ENDS:
            raise ProgramFailed(program.name, ended, program.quick_ends, str(program.log))
        self._say(f"{program.name}: ended with code {ended}; starting it again")
        self._start(program)

    def _end(self) -> None:
        running = [program.process for program in self._programs if program.process is not None]
        for process in running:
            if process.poll() is None:
                process.terminate()
        deadline = time.monotonic() + self._grace_s
        for process in running:
            while not self._hurry and time.monotonic() < deadline:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(LOOK_S)
                    break
            kill_group(process.pid)
            process.wait()


def kill_group(leader: int) -> None:
    """Kill every process of a group that is still there."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)
