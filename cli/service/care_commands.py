"""The commands around a running installation: migrate, health, doctor, metrics, flower."""

from pathlib import Path
from typing import Annotated

import typer

Db = Annotated[str | None, typer.Option("--db", help="Database URL [default: ~/.dissolution/ledger.sqlite3].")]
UpFolder = Annotated[
    Path | None,
    typer.Option("--dir", help="Folder of the `dissolve up` that is meant [default: ~/.dissolution/up, if it runs]."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print exactly one JSON document on stdout.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    for command in (migrate, health, doctor, metrics, flower):
        app.command()(command)


def migrate(*, db: Db = None) -> None:
    """Bring the database to this version's tables, or make it; safe to repeat, and to run while workers run."""
    from cli.service.care import migrate_store

    raise typer.Exit(migrate_store(db=db))


def health(
    parts: Annotated[
        list[str] | None,
        typer.Argument(
            help="Parts of this machine: database, redis, relay, worker, worker-io, worker-cpu, worker-giant,"
            " flower, api, metrics [default: database and redis; beside `dissolve up` all its parts]."
        ),
    ] = None,
    *,
    folder: UpFolder = None,
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Tell whether parts of the fleet do their work; exit code 4 when one does not."""
    from cli.service.care import show_health

    raise typer.Exit(show_health(tuple(parts or ()), db=db, as_json=as_json, folder=folder))


def doctor(
    *,
    roster: Annotated[
        Path | None, typer.Option("--roster", help="Also check the keys that this roster file (TOML) names.")
    ] = None,
    local: Annotated[
        bool, typer.Option("--local", help="Jobs run without workers here: look for no Redis, worker or relay.")
    ] = False,
    folder: UpFolder = None,
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Look over the whole installation and tell what is wrong, and what to do; exit code 4 when anything is."""
    from cli.service.doctor import show_findings

    raise typer.Exit(show_findings(roster=roster, local=local, db=db, as_json=as_json, folder=folder))


def metrics(
    *,
    port: Annotated[
        int | None, typer.Option("--port", min=1024, max=65535, help="Port [default: the settings'].")
    ] = None,
    address: Annotated[str | None, typer.Option("--address", help="Address [default: this machine alone].")] = None,
    db: Db = None,
) -> None:
    """Serve metrics for Prometheus until told to stop: counts and times, no content."""
    from cli.service.doctor import serve_metrics

    raise typer.Exit(serve_metrics(port=port, address=address, db=db))


def flower(
    *,
    port: Annotated[
        int | None, typer.Option("--port", min=1024, max=65535, help="Port [default: the settings'].")
    ] = None,
    address: Annotated[str | None, typer.Option("--address", help="Address [default: this machine alone].")] = None,
    password_file: Annotated[
        Path | None,
        typer.Option(
            "--password-file", help="Kept password, made if need be [default: ~/.dissolution/flower-password]."
        ),
    ] = None,
    writable: Annotated[
        bool, typer.Option("--writable", help="Let whoever signs in revoke tasks and stop workers.")
    ] = False,
) -> None:
    """Serve Flower, the web page on what workers do, until told to stop; it shows ids and names, and only looks."""
    from cli.service.care import serve_flower

    raise typer.Exit(serve_flower(port=port, address=address, password_file=password_file, writable=writable))
