"""The commands around a running installation: migrate, health, flower."""

from pathlib import Path
from typing import Annotated

import typer

Db = Annotated[str | None, typer.Option("--db", help="Database URL [default: ~/.dissolution/ledger.sqlite3].")]
AsJson = Annotated[bool, typer.Option("--json", help="Print exactly one JSON document on stdout.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    for command in (migrate, health, flower):
        app.command()(command)


def migrate(*, db: Db = None) -> None:
    """Bring the database to this version's tables, or make it; safe to repeat, and to run while workers run."""
    from cli.care import migrate_store

    raise typer.Exit(migrate_store(db=db))


def health(
    parts: Annotated[
        list[str] | None,
        typer.Argument(
            help="Parts of this machine: database, redis, relay, worker, worker-io, worker-cpu, flower, api"
            " [default: database and redis]."
        ),
    ] = None,
    *,
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Tell whether parts of the fleet do their work; exit code 4 when one does not."""
    from cli.care import show_health

    raise typer.Exit(show_health(tuple(parts or ()), db=db, as_json=as_json))


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
    from cli.care import serve_flower

    raise typer.Exit(serve_flower(port=port, address=address, password_file=password_file, writable=writable))
