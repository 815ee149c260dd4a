"""Processor time, of which a busy machine takes no more than a quiet one: by program, and until all of them rest."""

import os
import threading
import time
from collections.abc import Mapping
from pathlib import Path

TICKS_PER_S = os.sysconf("SC_CLK_TCK")
PARENT, SPENT = 1, slice(11, 15)
"""Places in `/proc/PID/stat` behind the bracketed name: the parent, and the ticks in user and system mode, its
own and those of its children that have been waited for."""

LOOK_S = 1.0
RESTING_SHARE = 0.05
"""Programs that use less of one core than this have nothing left to do but to look for work."""


def tree_s(root: int) -> float:
    """What a process and all that come from it have used so far (s), those that have ended among them."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = place.read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        number = int(place.parent.name)
        parents[number] = int(fields[PARENT])
        ticks[number] = sum(int(one) for one in fields[SPENT])
    wanted = {root}
    while found := {child for child, parent in parents.items() if parent in wanted} - wanted:
        wanted |= found
    return sum(ticks.get(number, 0) for number in wanted) / TICKS_PER_S


def thread_s(thread: threading.Thread) -> float:
    """What a running thread of this process has used so far (s)."""
    number = thread.native_id
    fields = Path(f"/proc/self/task/{number}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2]
    return sum(int(one) for one in fields.split()[11:13]) / TICKS_PER_S


class Meter:
    """The processor time of several programs, told apart by name.

    Args:
        programs: The process each of them began with.
        threads: Threads of this process that are measured by themselves; the rest of it is `submitting`.
    """

    def __init__(self, programs: Mapping[str, int], threads: Mapping[str, threading.Thread]) -> None:
        self._programs = dict(programs)
        self._threads = dict(threads)

    def used_s(self) -> dict[str, float]:
        """What each has used since it began (s)."""
        own = {name: thread_s(thread) for name, thread in self._threads.items()}
        rest = time.process_time() - sum(own.values())
        return {**{name: tree_s(root) for name, root in self._programs.items()}, **own, "submitting": rest}

    def since_s(self, before: Mapping[str, float]) -> dict[str, float]:
        """What each has used since `before` (s)."""
        return {name: seconds - before[name] for name, seconds in self.used_s().items()}

    def rest(self, limit_s: float) -> bool:
        """Wait until the programs do nothing but look for work; False if they did not within `limit_s`."""
        tick = threading.Event()  # never set
        ends_at = time.monotonic() + limit_s
        before = sum(tree_s(root) for root in self._programs.values())
        while time.monotonic() < ends_at:
            tick.wait(LOOK_S)
            now = sum(tree_s(root) for root in self._programs.values())
            if now - before < RESTING_SHARE * LOOK_S:
                return True
            before = now
        return False
