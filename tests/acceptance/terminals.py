"""Commands in a terminal of their own, as a person starts them: what they say, and what Ctrl-C makes of them."""

import fcntl
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

from tests.polling import LONGEST_S

CTRL_C = b"\x03"
LOOK_S = 0.1


class Terminal:
    """One command in a terminal, which is its controlling one: what is typed there reaches it as signals, too.

    Args:
        words: The words after `dissolve`.
        environment: Its whole environment.
    """

    def __init__(self, words: Sequence[str], environment: Mapping[str, str]) -> None:
        self.said = ""
        self._wire, self._screen = pty.openpty()
        screen = self._screen
        self.process = subprocess.Popen(
            [sys.executable, "-m", "cli.main", *words],
            env=dict(environment),
            stdin=screen,
            stdout=screen,
            stderr=screen,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(screen, termios.TIOCSCTTY, 0),  # noqa: PLW1509 - one system call
        )

    def until(self, token: str) -> None:
        """Read until it has said this."""
        deadline = time.monotonic() + LONGEST_S
        while token not in self.said:
            assert self._read() or self.process.poll() is None, f"it ended before it said {token!r}:\n{self.said}"
            assert time.monotonic() < deadline, f"never said {token!r}:\n{self.said}"

    def ctrl_c(self) -> None:
        """Type it."""
        os.write(self._wire, CTRL_C)

    def type(self, words: str) -> None:
        """Type something else."""
        os.write(self._wire, words.encode())

    def has_read_all(self) -> bool:
        """Whether the command has taken every line that was typed."""
        waiting = fcntl.ioctl(self._screen, termios.FIONREAD, b"\0" * 4)
        return int.from_bytes(waiting, sys.byteorder) == 0

    def end(self) -> int:
        """Read to the end; its exit code."""
        deadline = time.monotonic() + LONGEST_S
        while self._read() or self.process.poll() is None:
            assert time.monotonic() < deadline, f"it does not end:\n{self.said}"
        return self.process.wait()

    def close(self) -> None:
        """Kill what is left."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        os.close(self._wire)
        os.close(self._screen)

    def _read(self) -> bool:
        """Read what it has said, waiting for a little; whether it was anything."""
        if not select.select([self._wire], [], [], LOOK_S)[0]:
            return False
        self.said += os.read(self._wire, 65_536).decode(errors="replace")
        return True
