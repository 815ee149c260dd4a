"""Flower, the web page on what workers do: signed in to, on this machine alone, and looking without touching.

Messages carry ids and the names of stages, so that is all it can show. `read_only` is Flower's own switch (2.2, pull
request 1468): every route that would change something answers 403.
"""

import logging
import os
import secrets
import signal
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, Protocol, cast

from dissolution.errors import InputError
from dissolution.ids import JobId
from dissolution.settings import Settings
from workers.celery.app import make_app

if TYPE_CHECKING:
    from collections.abc import Callable

log = logging.getLogger(__name__)

MAX_TASKS = 20_000
"""Tasks that are remembered: about 60 MB. What is older stands in SQL."""

OFFLINE_S = 3600
"""A worker that said nothing for so long (s) is forgotten; otherwise each restart would leave one for ever."""

COLUMNS = "name,args,uuid,state,worker,received,started,runtime"
"""Of the table of tasks; `args` is the job."""

UNASKED = ("FLOWER_UNAUTHENTICATED_API",)
"""Variables of Flower's own that would open what is closed here."""

PASSWORD_BYTES = 16


class Loop(Protocol):
    """Tornado's event loop, as far as we use it."""

    def add_callback_from_signal(self, callback: "Callable[[], None]", /) -> None:
        """Call it in the loop's thread."""
        ...


class FlowerApp(Protocol):
    """Flower's application, which ships no types."""

    io_loop: Loop

    def start_http_server(self) -> int:
        """Listen; the port."""
        ...

    def start(self) -> None:
        """Serve until stopped."""
        ...

    def stop(self) -> None:
        """End it."""
        ...


def password_in(file: Path) -> tuple[str, bool]:
    """The password kept in a file, for its owner alone; whether it was made just now.

    Raises:
        InputError: the file cannot be read or written, is empty, or others may read it.
    """
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return kept_password(file), False
        made = secrets.token_urlsafe(PASSWORD_BYTES)
        with os.fdopen(handle, "w", encoding="utf-8") as opened:
            opened.write(f"{made}\n")
    except OSError as error:
        raise InputError(
            f"password file {str(file)!r}: {error.strerror}", "choose another with --password-file"
        ) from error
    return made, True


def kept_password(file: Path) -> str:
    """A password kept earlier. Raises InputError, OSError."""
    if os.name == "posix" and file.stat().st_mode & 0o077:  # elsewhere modes say nothing of who may read
        raise InputError(
            f"password file {str(file)!r} may be read by others", "chmod 600 it, or delete it for a new one"
        )
    kept = file.read_text(encoding="utf-8", errors="replace").strip()
    if not kept:
        raise InputError(f"password file {str(file)!r} is empty", "delete it, and a new password is made")
    return kept


def flower_options(settings: Settings, password: str, *, read_only: bool) -> dict[str, object]:
    """Every option of Flower that differs from its default, or whose default matters."""
    return {
        "address": settings.flower_address,
        "port": settings.flower_port,
        "basic_auth": [f"{settings.flower_user}:{password}"],
        "read_only": read_only,
        "enable_events": False,  # workers send events by themselves; nobody is ordered to
        "persistent": False,  # history stands in SQL
        "max_tasks": MAX_TASKS,
        "purge_offline_workers": OFFLINE_S,
        "tasks_columns": COLUMNS,
        "debug": False,
    }


def run_flower(settings: Settings, password: str, *, read_only: bool = True) -> int | None:
    """Serve until SIGTERM or SIGINT; which of them it was.

    Args:
        settings: Where Redis is, and where to listen.
        password: Asked of everybody, for all but `/healthcheck` and `/metrics`, which Flower leaves open.
        read_only: Whether acts of control (revoke, shut down, grow, …) are refused.

    Raises:
        InvalidSettings: the URL of Redis names no broker that can be used.
        InputError: the port is taken.
    """
    for name in UNASKED:
        os.environ.pop(name, None)
    app = build(settings, flower_options(settings, password, read_only=read_only))

    told: list[int] = []

    def stop(number: int, _frame: FrameType | None) -> None:
        told.append(number)
        app.io_loop.add_callback_from_signal(app.stop)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    place = f"{settings.flower_address}:{settings.flower_port}"
    try:
        app.start_http_server()
    except OSError as error:
        raise InputError(f"Flower cannot listen on {place} ({error.strerror})", "choose another with --port") from error
    log.info("Flower on http://%s, user %s, %s", place, settings.flower_user, "read only" if read_only else "writable")
    app.start()
    return told[0] if told else None


def build(settings: Settings, given: dict[str, object]) -> FlowerApp:
    """Flower's application over the Redis of the settings."""
    from flower import app as flower_app
    from flower.options import default_options
    from flower.urls import settings as web_settings

    options = cast("Any", default_options)  # tornado's global options; Flower reads some from nowhere else
    for name, value in given.items():
        setattr(options, name, value)
    web = {**cast("dict[str, object]", web_settings), "debug": False}
    flower = cast("Callable[..., FlowerApp]", flower_app.Flower)
    return flower(capp=make_app(settings, run=nothing), options=options, **web)


def nothing(job: JobId, stage: str, queue: str) -> None:
    """What a stage does in Flower: it knows the names of tasks and runs none."""
