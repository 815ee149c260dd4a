"""What a look at an installation says of its `dissolve up`: whether one runs, and whether this look is at its parts."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from dissolution.settings import Settings
from workers.checks.diagnosis import CheckResult, doubtful, well, wrong
from workers.checks.health import CHECKS
from workers.checks.remedies import mending
from workers.redis.server import url_of
from workers.runtime.up_state import UpState, left_state, usual_folder

PAGES = ("flower", "api", "metrics")
"""Parts that `up` may be told to do without."""


def up_checks(
    settings: Settings,
    up: UpState | None,
    folder: Path | None = None,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> Iterator[CheckResult]:
    """The `up` whose parts are looked at, and its pages; one that ended without a word; nothing where none ran.

    Args:
        settings: Where everything is looked for.
        up: The `up` that runs.
        folder: Where it was looked for; the usual folder if None.
        now: This machine's clock (aware).
    """
    if up is None:
        left = left_state(folder or usual_folder())
        if left is not None:
            words = f"process {left.pid} of {left.folder} ended without stopping its parts"
            yield doubtful("up", words, "start `dissolve up` again; unfinished jobs go on")
        return
    yield up_check(settings, up)
    ports = {f"{part}_port": port for part in PAGES if (port := getattr(up, f"{part}_port")) is not None}
    theirs = settings.model_copy(update=ports)  # whatever the settings name: here it is asked how this `up` does
    for part in PAGES:
        if getattr(up, f"{part}_port") is None:
            continue
        found = CHECKS[part](theirs)
        missing = doubtful if up.is_starting(now()) else wrong
        yield well(part, found.words) if found.well else missing(part, found.words, mending(part, up))


def up_check(settings: Settings, up: UpState) -> CheckResult:
    """Whether these settings name the parts of the `up` that runs."""
    words = f"`dissolve up` runs in {up.folder} (process {up.pid})"
    theirs = url_of(Path(up.folder))
    if theirs is not None and settings.redis_url.get_secret_value() != theirs.get_secret_value():
        return doubtful(
            "up",
            f"{words}; the settings name another Redis, which is looked at here",
            f"`dissolve doctor --dir {up.folder}` looks at its own; or unset DISSOLVE_REDIS_URL (`redis_url`)",
        )
    if not up.db_has_password and settings.db != up.db:
        remedy = f"`dissolve doctor --db {up.db}` looks at its own; or unset DISSOLVE_DB (`db`)"
        return doubtful("up", f"{words} on database {up.db}; another one is looked at here", remedy)
    return well("up", words)
