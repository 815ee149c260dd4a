"""The files of what somebody gives: one file, a folder, or a zip archive; nothing is unpacked onto the disk.

An archive may come from anywhere. Its names are never paths to write to, what they unpack to is bounded while it is
unpacked and not by what the archive says of itself, and archives inside it are not opened.
"""

import lzma
import os
import re
import stat
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, NamedTuple

from dissolution.errors import InvalidConversation
from language.intake.foreign.material import Material
from language.intake.shown import shown
from language.intake.unreadable import refusing

_MB = 1_000_000
ENDINGS = frozenset(
    {".json", ".jsonl", ".ndjson", ".txt", ".md", ".markdown", ".log", ".vtt", ".srt", ".sqlite", ".sqlite3", ".db"}
)
"""Endings of files that are looked at in a folder or an archive; pictures and pages of an export are not."""

MOST_FILES = 20_000
"""So many files of a folder or an archive are taken."""
LONGEST_NAME = 500
TIMES_ALL = 20
"""All files of an archive together may unpack to so many times the largest single file."""

_DRIVE = re.compile(r"[A-Za-z]:")
_NOT_UNPACKED = (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, zlib.error, lzma.LZMAError, OSError)


class PassedOver(NamedTuple):
    """A file that is not looked at, and why."""

    path: str
    reason: str


class Gathered(NamedTuple):
    """What was given: its files by their path inside it, and what of it is not looked at."""

    name: str
    files: Mapping[str, Material]
    passed_over: tuple[PassedOver, ...]
    alone: bool
    """Whether it is one file that was named itself."""


class _Files(Mapping[str, Material]):
    """Files that are read when they are asked for; the last one is kept."""

    def __init__(self, paths: Sequence[str], load: Callable[[str], bytes]) -> None:
        self._paths = dict.fromkeys(paths)
        self._load = load
        self._last: tuple[str, Material] | None = None

    def __getitem__(self, path: str) -> Material:
        """The file. Raises KeyError, and InvalidConversation when it cannot be read or is too large."""
        if path not in self._paths:
            raise KeyError(path)
        if self._last is None or self._last[0] != path:
            self._last = (path, Material(self._load(path), path))
        return self._last[1]

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)

    def __contains__(self, path: object) -> bool:
        return path in self._paths  # without reading it


@contextmanager
def gathered(path: Path, max_bytes: int) -> Generator[Gathered]:
    """The files of a file, a folder or an archive, as long as the block lasts.

    Args:
        path: What was given.
        max_bytes: Largest file that is read, packed in an archive or not.

    Raises:
        InvalidConversation: It does not exist, may not be read, holds too many files, or is no whole archive.
    """
    with ExitStack() as stack:
        yield _opened(path, path.name or str(path), max_bytes, stack)


def _opened(path: Path, name: str, max_bytes: int, stack: ExitStack) -> Gathered:
    with refusing(path):
        if path.is_dir():
            return _folder(path, name, max_bytes)
        file = stack.enter_context(path.open("rb"))
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise InvalidConversation(f"{name!r} is no regular file", "give a file, a folder or a zip archive")
        if file.read(4) == b"PK\x03\x04":
            return _archive(file, name, max_bytes, stack)
        file.seek(0)
        return Gathered(name, {name: Material(_bounded(file, name, max_bytes), name)}, (), alone=True)


def _bounded(file: IO[bytes], name: str, max_bytes: int) -> bytes:
    data = file.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise InvalidConversation(
            f"file {name!r} has more than {max_bytes / _MB:,.1f} MB", "split it, or raise the setting max_file_mb"
        )
    return data


def _folder(root: Path, name: str, max_bytes: int) -> Gathered:
    """Files below a folder in the order of their names; hidden ones and links are left where they are."""
    paths: list[str] = []
    passed: list[PassedOver] = []
    for folder, below, files in os.walk(root, onerror=lambda error: passed.append(_unread(root, error))):
        below[:] = sorted(one for one in below if not one.startswith("."))
        for one in sorted(files):
            path = Path(folder, one)
            inside = path.relative_to(root).as_posix()
            if one.startswith(".") or path.suffix.lower() not in ENDINGS:
                continue
            if not inside.isprintable():
                passed.append(PassedOver(shown(inside), "its name holds control characters"))
            elif path.is_symlink():
                passed.append(PassedOver(inside, "it is a link"))
            elif path.is_file():
                paths.append(inside)
            _check_count(len(paths), name)

    def load(inside: str) -> bytes:
        try:
            with (root / inside).open("rb") as file:
                return _bounded(file, inside, max_bytes)
        except OSError as error:
            raise InvalidConversation(f"file {inside!r} cannot be read", error.strerror or "check it") from error

    return Gathered(name, _Files(paths, load), tuple(passed), alone=False)


def _unread(root: Path, error: OSError) -> PassedOver:
    place = Path(str(error.filename or root))
    inside = place.relative_to(root).as_posix() if place.is_relative_to(root) else place.name
    return PassedOver(inside, error.strerror or "it cannot be read")


def _check_count(count: int, name: str) -> None:
    if count > MOST_FILES:
        raise InvalidConversation(f"{name!r} holds more than {MOST_FILES:,} files", "give a part of it at a time")


def _archive(file: IO[bytes], name: str, max_bytes: int, stack: ExitStack) -> Gathered:
    try:
        archive = stack.enter_context(zipfile.ZipFile(file))
    except _NOT_UNPACKED:
        raise InvalidConversation(f"file {name!r} is no whole zip archive", "download or pack it again") from None
    members, passed = _members(archive, name)
    unpacked: set[str] = set()
    left = TIMES_ALL * max_bytes

    def load(inside: str) -> bytes:
        nonlocal left
        try:
            with archive.open(members[inside]) as member:
                data = _bounded(member, inside, max_bytes)
        except _NOT_UNPACKED as error:
            what = f"file {inside!r} of {name!r} cannot be unpacked"
            raise InvalidConversation(what, f"pack it again ({type(error).__name__})") from None
        left -= 0 if inside in unpacked else len(data)
        unpacked.add(inside)
        if left < 0:
            most = f"{TIMES_ALL * max_bytes / _MB:,.0f} MB"
            raise InvalidConversation(f"{name!r} unpacks to more than {most}", "unpack it and give its folder")
        return data

    return Gathered(name, _Files(list(members), load), tuple(passed), alone=False)


def _members(archive: zipfile.ZipFile, name: str) -> tuple[dict[str, zipfile.ZipInfo], list[PassedOver]]:
    """Members by their path, of which none leads out of the archive or is a link."""
    found: dict[str, zipfile.ZipInfo] = {}
    passed: list[PassedOver] = []
    for one in archive.infolist():
        path = one.filename
        reason = _unsafe(path)
        parts = path.split("/")
        if reason is not None:
            passed.append(PassedOver(shown(path), reason))
            continue
        if one.is_dir() or parts[0] == "__MACOSX" or any(part.startswith(".") for part in parts):
            continue
        if Path(path).suffix.lower() not in ENDINGS:
            if path.lower().endswith(".zip"):
                passed.append(PassedOver(path, "archives in an archive are not opened"))
            continue
        if stat.S_ISLNK(one.external_attr >> 16):
            passed.append(PassedOver(path, "it is a link"))
        elif one.flag_bits & 1:
            passed.append(PassedOver(path, "it is encrypted"))
        elif path in found:
            passed.append(PassedOver(path, "a file of that name stands before it"))
        else:
            found[path] = one
        _check_count(len(found), name)
    return found, passed


def _unsafe(path: str) -> str | None:
    """Why a name of an archive is not used; None for a plain path below its root."""
    if not path.isprintable() or len(path) > LONGEST_NAME:
        return "its name is too long or holds control characters"
    if path.startswith("/") or "\\" in path or _DRIVE.match(path) or ".." in path.split("/"):
        return "its name leads out of the archive"
    return None
