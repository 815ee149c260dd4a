"""`dissolve doctor` and `dissolve metrics`: what is wrong here, and what there is to watch."""

import json
import sys
from pathlib import Path

from cli.shared.beside_up import settings_beside
from cli.shared.exits import Exit
from cli.shared.output import printing, say
from dissolution.errors import InputError
from workers.checks.diagnosis import State
from workers.checks.doctor import diagnose
from workers.checks.up_checks import up_checks


def show_findings(
    *, roster: Path | None, local: bool, db: str | None, as_json: bool, folder: Path | None = None
) -> Exit:
    """Print one line a check; UNAVAILABLE when something is wrong, what is doubtful alone is no failure.

    Raises InputError for a folder in which no `dissolve up` runs, InvalidSettings.
    """
    settings, up = settings_beside(folder, db=db)
    found = (*up_checks(settings, up, folder), *diagnose(settings, roster=roster, local=local, up=up))
    wrong = sum(one.state is State.WRONG for one in found)
    with printing(Exit.OK):
        if as_json:
            sys.stdout.write(json.dumps([one.model_dump(mode="json") for one in found]) + "\n")
        else:
            for one in found:
                mark = "" if one.state is State.WELL else f"{one.state.value.upper()}: "
                sys.stdout.write(f"{one.check}: {mark}{one.words}\n")
                sys.stdout.write(f"  {one.remedy}\n" if one.remedy else "")
            sys.stdout.write(f"{len(found)} checks, {wrong} wrong\n")
    return Exit.UNAVAILABLE if wrong else Exit.OK


def serve_metrics(*, port: int | None, address: str | None, db: str | None) -> Exit:
    """Serve metrics until told to stop. Raises StoreError, and InputError when the port is taken."""
    from cli.shared.redis_needed import without_redis
    from cli.shared.stopping import told_to_stop
    from dissolution.clock import SystemClock
    from workers.checks.metrics import MetricsServer
    from workers.redis.queue_state import RedisDoorbell
    from workers.redis.server import refuse_taken_port
    from workers.telemetry.logs import set_up_logs

    settings, _ = settings_beside(db=db, metrics_port=port, metrics_address=address)
    refuse_taken_port(settings.metrics_port, "--port (DISSOLVE_METRICS_PORT)", settings.metrics_address)
    if (trouble := without_redis(settings)) is not None:
        return trouble
    set_up_logs(settings)
    doorbell = RedisDoorbell(settings)
    try:
        with told_to_stop() as stop, MetricsServer(settings, clock=SystemClock(), doorbell=doorbell) as server:
            say(f"metrics at http://{settings.metrics_address}:{server.port}/metrics")
            stop.wait()
    except OSError as error:
        place = f"{settings.metrics_address}:{settings.metrics_port}"
        raise InputError(f"metrics cannot be served at {place} ({error.strerror})", "choose another --port") from error
    finally:
        doorbell.close()
    return stop.ended()
