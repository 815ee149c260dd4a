"""`dissolve migrate`, `health` and `flower`: the care of a running installation."""

import json
import sys
from datetime import UTC, datetime
from pathlib import Path

from cli.shared.beside_up import settings_beside
from cli.shared.exits import Exit
from cli.shared.output import printing, say, shown_db
from cli.shared.redis_needed import without_redis
from cli.shared.stopping import Stop
from dissolution.errors import InputError
from dissolution.settings import Settings, home, load_settings
from workers.bootstrap import prepare_store
from workers.checks.health import CHECKS
from workers.checks.remedies import mending
from workers.checks.up_checks import PAGES
from workers.redis.server import refuse_taken_port
from workers.runtime.flower_server import password_in, run_flower
from workers.runtime.up_state import UpState
from workers.telemetry.logs import set_up_logs

PASSWORD_FILE = "flower-password"  # noqa: S105 - the name of a file

USUAL = ("database", "redis")
"""What every part needs; asked when none is named."""


def migrate_store(*, db: str | None) -> Exit:
    """Bring the database to this version's tables. Raises StoreError."""
    settings = load_settings(db=db)
    prepare_store(settings)
    say(f"database {shown_db(settings.db)} has this version's tables")
    return Exit.OK


def show_health(parts: tuple[str, ...], *, db: str | None, as_json: bool, folder: Path | None = None) -> Exit:
    """Print one line a part, and below it what mends one that does not work; UNAVAILABLE when one does not, or not yet.

    Raises InputError for a part that is none, or a folder in which no `dissolve up` runs.
    """
    for part in parts:
        if part not in CHECKS:
            raise InputError(f"part {part!r} is none of the fleet's", f"choose from {', '.join(CHECKS)}")
    settings, up = settings_beside(folder, db=db)
    found = {part: CHECKS[part](settings) for part in parts or usual_parts(up)}
    remedies = {part: "" if one.well else one.remedy or mending(part, up) for part, one in found.items()}
    with printing(Exit.OK):
        if as_json:
            document = {
                part: {"well": one.well, "words": one.words, "remedy": remedies[part]} for part, one in found.items()
            }
            sys.stdout.write(json.dumps(document) + "\n")
        else:
            not_well = "starting" if up is not None and up.is_starting(datetime.now(UTC)) else "NOT WELL"
            for part, one in found.items():
                sys.stdout.write(f"{part}: {'well' if one.well else not_well}: {one.words}\n")
                sys.stdout.write(f"  {remedies[part]}\n" if remedies[part] else "")
    return Exit.OK if all(one.well for one in found.values()) else Exit.UNAVAILABLE


def usual_parts(up: UpState | None) -> tuple[str, ...]:
    """What is asked when nothing is named: what every part needs, and the parts of the `up` that runs."""
    if up is None:
        return USUAL
    pages = tuple(part for part in PAGES if getattr(up, f"{part}_port") is not None)
    return (*USUAL, "relay", "worker-io", "worker-cpu", "worker-giant", *pages)


def serve_flower(*, port: int | None, address: str | None, password_file: Path | None, writable: bool) -> Exit:
    """Run Flower until it is told to stop. Raises InputError, InvalidSettings."""
    settings, _ = settings_beside(flower_port=port, flower_address=address)
    refuse_taken_port(settings.flower_port, "--port (DISSOLVE_FLOWER_PORT)", settings.flower_address)
    if (trouble := without_redis(settings)) is not None:
        return trouble
    password = the_password(settings, password_file or home() / PASSWORD_FILE)
    set_up_logs(settings)
    stop = Stop()
    stop.by = run_flower(settings, password, read_only=not writable)
    return stop.ended()


def the_password(settings: Settings, file: Path) -> str:
    """The password of the settings, else the one in the file, which is made if need be; where it is is said."""
    if settings.flower_password is not None:
        return settings.flower_password.get_secret_value()
    password, made = password_in(file)
    how = "a new password was made and is" if made else "the password is"
    say(f"Flower: user {settings.flower_user}, {how} in {file}")
    return password
