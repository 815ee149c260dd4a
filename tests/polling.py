"""Waiting for what real processes do: a condition with a deadline, and a loud failure."""

import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

LOOK_S = 0.1

LONGEST_S = 300.0
"""After so long (s) what did not happen will not, on a machine however busy. Nothing is asserted about time: whatever
waits shorter fails for what else the machine has to do."""


def eventually(look: Callable[[], T], *, limit_s: float = LONGEST_S, what: str) -> T:
    """The first true value of `look`. Fails, with what was last seen, when none came within `limit_s` seconds.

    What is asked ten times a second should be cheap: a file, a port or a row, rather than a program that is started.
    """
    deadline = time.monotonic() + limit_s
    never = threading.Event()
    seen = look()
    while not seen:
        if time.monotonic() > deadline:
            message = f"{what}: not within {limit_s:g} s; last seen {seen!r}"
            raise AssertionError(message)
        never.wait(LOOK_S)
        seen = look()
    return seen


def processes_of_group(leader: int) -> list[int]:
    """The living processes of a group, zombies left out; read from /proc."""
    found: list[int] = []
    for place in Path("/proc").iterdir():
        try:
            fields = (place / "stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        except (OSError, NotADirectoryError):
            continue
        if place.name.isdigit() and fields and int(fields[2]) == leader and fields[0] != "Z":
            found.append(int(place.name))
    return found


def kill_group(leader: int) -> None:
    """Kill the processes of a group that are still there; one may end by itself meanwhile."""
    for pid in processes_of_group(leader):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
