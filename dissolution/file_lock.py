"""Locks that end with the process that holds them, on every system: of a folder, or of an open file."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from dissolution.installed import is_installed

FCNTL: Any = import_module("fcntl") if is_installed("fcntl") else None
"""The library of POSIX; None on Windows, which has another way."""

LOCK_FILE = ".lock"
"""The file that stands for a folder where folders themselves cannot be locked."""

FAR = 1 << 30
"""The byte that is locked where bytes are locked one by one: beyond all that is written, which so can be read."""


@contextmanager
def folder_locked(folder: Path) -> Generator[None]:
    """Wait until no other process holds the folder, and hold it until the block ends. Raises OSError."""
    if FCNTL is None:
        with (folder / LOCK_FILE).open("a+b") as file:
            _lock_byte(file, wait=True)
            yield
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        FCNTL.flock(opened, FCNTL.LOCK_EX)
        yield
    finally:
        os.close(opened)


def lock_at_once(file: IO[Any]) -> None:
    """Hold an open file until it is closed. Raises OSError when another process holds it."""
    if FCNTL is None:
        _lock_byte(file, wait=False)
    else:
        FCNTL.flock(file, FCNTL.LOCK_EX | FCNTL.LOCK_NB)


def _lock_byte(file: IO[Any], *, wait: bool) -> None:
    library: Any = import_module("msvcrt")  # of Windows alone
    place = file.tell()
    os.lseek(file.fileno(), FAR, os.SEEK_SET)
    try:
        while True:
            try:
                library.locking(file.fileno(), library.LK_LOCK if wait else library.LK_NBLCK, 1)
            except OSError:
                if not wait:  # the library itself waits ten seconds, and gives up then
                    raise
            else:
                return
    finally:
        os.lseek(file.fileno(), place, os.SEEK_SET)
