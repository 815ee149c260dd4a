"""Where the parts of a running `dissolve up` are, for the commands that are started beside it.

`up` keeps one small file in its folder as long as it runs. A file that outlived its `up` is known by its process.
"""

import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated

from pydantic import AwareDatetime, Field, ValidationError

from dissolution.settings import Settings, home
from dissolution.values import Frozen
from workers.celery.app import START_LIMIT_S
from workers.concurrency.processes import is_here, this_process
from workers.redis.server import unwritable, url_of

STATE_FILE = "up.json"

Port = Annotated[int, Field(ge=1, le=65535)]


class UpState(Frozen):
    """One running `dissolve up`. A port is None where it was told to do without that part."""

    process: str
    """As leases name processes: host, process-id namespace, process id and start time."""

    pid: int
    started_at: AwareDatetime
    folder: str
    """Of its logs and of its Redis, whose place and password stand in `redis.conf`."""

    db: str
    """Its database's URL, as it may be shown."""

    db_has_password: bool
    """Whether the URL as it is shown cannot be connected to."""

    flower_port: Port | None = None
    api_port: Port | None = None
    metrics_port: Port | None = None

    def is_starting(self, at: datetime) -> bool:
        """Whether its parts may still be on their way: the slowest loads a model before it answers."""
        return at - self.started_at < timedelta(seconds=START_LIMIT_S)

    def log(self, part: str) -> str:
        """Where a part writes what it says."""
        return str(Path(self.folder) / f"{part}.log")


def usual_folder() -> Path:
    """The folder of an `up` that was given none."""
    return home() / "up"


def state_of(
    settings: Settings, folder: Path, *, flower: bool = False, api: bool = False, metrics: bool = False
) -> UpState:
    """What this process says of itself when it is an `up` with these settings, and with these parts beside workers."""
    from store.sql.places import masked

    shown = masked(settings.db)
    return UpState(
        process=this_process(),
        pid=os.getpid(),
        started_at=datetime.now(UTC),
        folder=str(folder),
        db=shown,
        db_has_password=shown != settings.db,
        flower_port=settings.flower_port if flower else None,
        api_port=settings.api_port if api else None,
        metrics_port=settings.metrics_port if metrics else None,
    )


@contextmanager
def announced(state: UpState) -> Generator[None]:
    """Within the block the folder says that this `up` runs, to its owner alone; whatever stood there is replaced.

    Raises InputError when the folder cannot be written.
    """
    file = Path(state.folder) / STATE_FILE
    draft = file.with_suffix(".new")
    try:
        draft.touch(mode=0o600)
        draft.write_text(state.model_dump_json(indent=2) + "\n", encoding="utf-8")
        draft.replace(file)  # whoever reads it meanwhile reads a whole one
    except OSError as error:
        raise unwritable(file.parent, error) from error
    try:
        yield
    finally:
        with suppress(OSError):
            file.unlink()


def left_state(folder: Path) -> UpState | None:
    """What an `up` of this folder said of itself, whether or not it still runs; None where none did."""
    try:
        return UpState.model_validate_json((folder / STATE_FILE).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, ValidationError):
        return None


def running_up(folder: Path | None = None) -> UpState | None:
    """The `up` that runs on this machine in a folder, the usual one if None; None where none does."""
    state = left_state(folder or usual_folder())
    return state if state is not None and is_here(state.process) else None


def beside(settings: Settings, state: UpState | None, *, named: bool = False) -> Settings:
    """The settings with the places of a running `up` wherever they name none themselves.

    Args:
        settings: Flags, environment and settings file; what these say stands.
        state: The `up` that runs; nothing is changed if None.
        named: Whether somebody named this very `up`, so that its Redis is meant whatever the settings say.
    """
    if state is None:
        return settings
    given = settings.model_fields_set
    taken: dict[str, object] = {}
    redis = url_of(Path(state.folder))
    if redis is not None and (named or "redis_url" not in given):
        taken["redis_url"] = redis
    if "db" not in given and not state.db_has_password:
        taken["db"] = state.db
    for part in ("flower_port", "api_port", "metrics_port"):
        port: int | None = getattr(state, part)
        if port is not None and part not in given:
            taken[part] = port
    return settings.model_copy(update=taken)
