"""Commands in a terminal of their own, as a person starts them: what they say, and what Ctrl-C makes of them."""

import fcntl
import os
import pty
import select
import signal
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

from tests.polling import LONGEST_S

CTRL_C = b"\x03"
LOOK_S = 0.1


class Terminal:
    """One command in a terminal.

    Args:
        words: The words after `dissolve`.
        environment: Its whole environment.
    """

    def __init__(self, words: Sequence[str], environment: Mapping[str, str]) -> None:
        self.said = ""
        self.pid, self._wire = pty.fork()
        if self.pid == 0:  # the command itself, in the terminal
            command = [sys.executable, "-m", "cli.main", *words]
            os.execve(command[0], command, dict(environment))  # noqa: S606 - our own command, no shell

    def until(self, token: str) -> None:
        """Read until it has said this."""
        deadline = time.monotonic() + LONGEST_S
        while token not in self.said:
            assert self._read(), f"it ended before it said {token!r}:\n{self.said}"
            assert time.monotonic() < deadline, f"never said {token!r}:\n{self.said}"

    def ctrl_c(self) -> None:
        """Type it."""
        os.write(self._wire, CTRL_C)

    def type(self, words: str) -> None:
        """Type something else."""
        os.write(self._wire, words.encode())

    def has_read_all(self) -> bool:
        """Whether the command has taken every line that was typed."""
        place = os.open(f"/proc/{self.pid}/fd/0", os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
        try:
            waiting = fcntl.ioctl(place, termios.FIONREAD, b"\0" * 4)
        finally:
            os.close(place)
        return int.from_bytes(waiting, sys.byteorder) == 0

    def end(self) -> int:
        """Read to the end; its exit code."""
        deadline = time.monotonic() + LONGEST_S
        while self._read():
            assert time.monotonic() < deadline, f"it does not end:\n{self.said}"
        _, status = os.waitpid(self.pid, 0)
        self.pid = 0
        return os.waitstatus_to_exitcode(status)

    def close(self) -> None:
        """Kill what is left."""
        if self.pid:
            with suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self._wire)

    def _read(self) -> bool:
        """Read a little, or wait a little; False at the end."""
        if not select.select([self._wire], [], [], LOOK_S)[0]:
            return True
        try:
            piece = os.read(self._wire, 65_536)
        except OSError:  # so a terminal says on Linux that nobody writes to it any more
            return False
        self.said += piece.decode(errors="replace")
        return bool(piece)
