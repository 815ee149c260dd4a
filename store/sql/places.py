"""Database URLs: which are understood, how they are shown, and the private place of a SQLite file."""

import errno
import os
import re
import threading
from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from dissolution.errors import StoreUnavailable

FOLDER_MODE = 0o700
"""Conversations are private: folders the store creates are the owner's alone."""
FILE_MODE = 0o600
"""So is the database file; SQLite gives its -wal and -shm files the same mode."""

_CREATING = threading.Lock()
"""Closing a file drops all locks its process holds on it (POSIX), SQLite's too: so a file that is there is never
opened here, and nobody connects while one is being created."""

_SECRET_QUERY = re.compile(r"(?i)((?:^|[?&])[a-z_]*(?:password|passwd|secret|key)=)[^&]*")
_SECRET_USERINFO = re.compile(r"(://[^/@:]*:).*(@)")
_FORMS = "use sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME"


def masked(url: str) -> str:
    """The URL with every password in it shown as `***`; also for what is no URL at all."""
    return _SECRET_QUERY.sub(r"\1***", _SECRET_USERINFO.sub(r"\1***\2", url))


def parse_url(url: str) -> URL:
    """A URL of a kind the store understands, with the driver it uses. Raises StoreUnavailable."""
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise StoreUnavailable(masked(url), f"is no database URL; {_FORMS}") from error
    if parsed.drivername in {"sqlite", "sqlite+pysqlite"}:
        return parsed.set(drivername="sqlite+pysqlite")
    if parsed.drivername in {"postgres", "postgresql", "postgresql+psycopg"}:
        return parsed.set(drivername="postgresql+psycopg")
    raise StoreUnavailable(masked(url), f"{parsed.drivername!r} is no kind of database the store knows; {_FORMS}")


def sqlite_file(url: URL, shown: str) -> Path:
    """The file of a SQLite URL; it and missing folders above it are created for the owner alone.

    An existing file or folder keeps the mode it has. Raises StoreUnavailable.
    """
    name = _name_in(url, shown)
    try:
        path = Path(name).expanduser()
        with _CREATING:
            _make_folder(path.parent)
            if not path.exists():
                os.close(os.open(path, os.O_RDWR | os.O_CREAT, FILE_MODE))
        if not os.access(path, os.R_OK | os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except (OSError, RuntimeError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        detail = f"the file cannot be opened for writing ({reason}); choose a writable place with --db"
        raise StoreUnavailable(shown, detail) from error
    return path


def _name_in(url: URL, shown: str) -> str:
    name = url.database or ""
    if name in {"", ":memory:"} or name.startswith("file:"):
        raise StoreUnavailable(shown, "names no file, so it would keep nothing; give one: sqlite:///FILE")
    return name


def readable_file(url: URL, shown: str) -> Path:
    """The file of a SQLite URL that is there and can be read; nothing is created. Raises StoreUnavailable."""
    path = Path(_name_in(url, shown)).expanduser()
    if not os.access(path, os.R_OK):  # it is not opened: see _CREATING
        raise StoreUnavailable(shown, "is no file that can be read; check --db, and make it readable")
    return path


def _make_folder(folder: Path) -> None:
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    for place in reversed(missing):
        place.mkdir(mode=FOLDER_MODE, exist_ok=True)
