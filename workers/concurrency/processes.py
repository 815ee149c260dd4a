"""Which process holds a step, whether it is still there, and how a polite request to end becomes an interruption."""

import ctypes
import os
import signal
import socket
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

UNKNOWN = "-"
START_TIME_FIELD = 21
"""Place of a process's start time (clock ticks since boot) in `/proc/PID/stat`, counted from 0."""

PR_SET_PDEATHSIG = 1
"""The option's number in <linux/prctl.h>."""

_PRCTL = getattr(ctypes.CDLL(None), "prctl", None) if sys.platform == "linux" else None


def this_process() -> str:
    """Names this process in leases: host, process-id namespace, process id and start time.

    Namespace and start time tell a reused process id, or another container's, from ours; `-` where a system has none.
    """
    pid = os.getpid()
    return f"{socket.gethostname()}:{_namespace()}:{pid}:{_start_time(pid) or UNKNOWN}"


def is_gone(owner: str) -> bool:
    """Whether `owner` named a process of this machine that has ended. False when that cannot be told."""
    host, namespace, pid, started = ([*owner.rsplit(":", 3), "", "", ""])[:4]
    if (host, namespace) != (socket.gethostname(), _namespace()) or namespace == UNKNOWN or not pid.isdigit():
        return False
    return _start_time(int(pid)) != started


def is_here(owner: str) -> bool:
    """Whether `owner` names a process of this machine that runs. False when that cannot be told."""
    host, namespace, pid, started = ([*owner.rsplit(":", 3), "", "", ""])[:4]
    if (host, namespace) != (socket.gethostname(), _namespace()) or not pid.isdigit():
        return False
    if namespace != UNKNOWN:
        return _start_time(int(pid)) == started
    try:  # a system without /proc: its process ids are used again late
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _namespace() -> str:
    try:
        return str(Path("/proc/self/ns/pid").stat().st_ino)
    except OSError:
        return UNKNOWN


def _start_time(pid: int) -> str | None:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return None
    # The second field is the command in brackets and may hold blanks; what follows its last bracket is regular.
    return stat.rpartition(")")[2].split()[START_TIME_FIELD - 2]


def end_with_parent(number: int = signal.SIGTERM) -> None:
    """Ask the system to end this process with a signal when the thread that started it ends; Linux only, else nothing.

    For the moment between fork and exec: it calls one C function and allocates next to nothing.
    """
    if _PRCTL is not None:
        _PRCTL(PR_SET_PDEATHSIG, int(number))


class Interruption:
    """Whether this process was asked to stop."""

    def __init__(self) -> None:
        self._asked = False

    def interrupt(self, _number: int, _frame: FrameType | None) -> None:
        """Handles a signal. Raises KeyboardInterrupt."""
        self._asked = True
        raise KeyboardInterrupt

    def check(self) -> None:
        """Raises KeyboardInterrupt when a signal came, whatever has become of the first one that was raised for it.

        Python drops an exception that is raised within a callback of the garbage collector or of a weak reference,
        and the import of a large library runs thousands of those.
        """
        if self._asked:
            raise KeyboardInterrupt


@contextmanager
def interruptible() -> Generator[Interruption]:
    """Within the block SIGTERM interrupts as Ctrl-C does, so that a step is given back; main thread only.

    A Ctrl-C that is ignored, or that somebody else handles, is left as it is.
    """
    interruption = Interruption()
    if threading.current_thread() is not threading.main_thread():
        yield interruption
        return
    numbers = [signal.SIGTERM]
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        numbers.append(signal.SIGINT)
    before = {number: signal.signal(number, interruption.interrupt) for number in numbers}
    try:
        yield interruption
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
