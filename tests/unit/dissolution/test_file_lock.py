import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest

from dissolution import file_lock
from dissolution.file_lock import FAR, LOCK_FILE, folder_locked, lock_at_once
from tests.polling import LONGEST_S

HOLDS = """
import sys
from dissolution.file_lock import lock_at_once
with open(sys.argv[1], "a+") as file:
    try:
        lock_at_once(file)
    except OSError:
        sys.exit(3)
"""


def other(file: Path) -> int:
    """How another process fares that wants the file at once."""
    return subprocess.run([sys.executable, "-c", HOLDS, str(file)], timeout=LONGEST_S, check=False).returncode


@pytest.mark.usefixtures("processes")
def test_a_file_is_held_by_one_process_until_it_is_closed(tmp_path: Path) -> None:
    with (file := tmp_path / "lock").open("a+") as opened:
        lock_at_once(opened)
        assert other(file) == 3
    assert other(file) == 0


def test_a_folder_is_held_and_nothing_is_put_into_it(tmp_path: Path) -> None:
    with folder_locked(tmp_path):
        assert list(tmp_path.iterdir()) == []
    with folder_locked(tmp_path):
        pass


class Library:
    """Windows's locks of bytes, as far as one process can see them."""

    LK_LOCK, LK_NBLCK = 1, 2

    def __init__(self, refusals: int) -> None:
        self.refusals = refusals
        self.asked: list[tuple[int, int]] = []

    def locking(self, number: int, mode: int, count: int) -> None:
        """Refuse as often as told."""
        assert number >= 0
        self.asked.append((mode, count))
        if len(self.asked) <= self.refusals:
            raise OSError


def test_where_bytes_are_locked_a_file_stands_for_the_folder_and_is_waited_for(tmp_path: Path) -> None:
    library = Library(refusals=2)
    with patch.object(file_lock, "FCNTL", None), patch.dict(sys.modules, {"msvcrt": library}), folder_locked(tmp_path):
        assert [file.name for file in tmp_path.iterdir()] == [LOCK_FILE]
    assert library.asked == [(Library.LK_LOCK, 1)] * 3


def test_where_bytes_are_locked_a_held_file_is_refused_and_can_be_read_on(tmp_path: Path) -> None:
    (file := tmp_path / "lock").write_text("4711\n", encoding="utf-8")
    with (
        patch.object(file_lock, "FCNTL", None),
        patch.dict(sys.modules, {"msvcrt": Library(refusals=1)}),
        file.open("a+", encoding="utf-8") as opened,
    ):
        with pytest.raises(OSError):  # noqa: PT011 - what the library raises has no words
            lock_at_once(opened)
        opened.seek(0)
        assert opened.read() == "4711\n"
    assert file.stat().st_size < FAR
