"""Waiting for what real processes do: a condition with a deadline, and a loud failure."""

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

LOOK_S = 0.1


def eventually(look: Callable[[], T], *, limit_s: float, what: str) -> T:
    """The first true value of `look`. Fails, with what was last seen, when none came within `limit_s` seconds."""
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
