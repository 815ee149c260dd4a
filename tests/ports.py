"""Ports for programs under test, each for one test process as long as that runs."""

import fcntl
import os
import secrets
import socket
import tempfile
from pathlib import Path

FIRST, LAST = 18_000, 32_000
"""Below the range from which Linux takes the ports of outgoing connections (32768 and above). Of that range, a port
that was free a moment ago may be another program's before ours listens on it; a client that looks for a server which
is not there yet may even be connected to itself."""

_LOCKS = Path(tempfile.gettempdir()) / "dissolve-test-ports"
_held: list[int] = []


def free_port() -> int:
    """A port of the loopback address on which nobody listens, and that no other test is given meanwhile."""
    _LOCKS.mkdir(exist_ok=True)
    while True:
        # Not `random`: processes that were given the same seed would all want the same ports.
        port = FIRST + secrets.randbelow(LAST - FIRST)
        lock = os.open(_LOCKS / str(port), os.O_CREAT | os.O_RDWR, 0o600)
        if _is_ours(lock) and _is_free(port):
            _held.append(lock)  # let go of when this process ends
            return port
        os.close(lock)


def _is_ours(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_free(port: int) -> bool:
    with socket.socket() as trial:
        try:
            trial.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
