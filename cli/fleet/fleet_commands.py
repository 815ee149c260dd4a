"""The commands about what the fleet may do: limits and spending."""

from pathlib import Path
from typing import Annotated

import typer

Db = Annotated[str | None, typer.Option("--db", help="Database URL [default: ~/.dissolution/ledger.sqlite3].")]
AsJson = Annotated[bool, typer.Option("--json", help="Print exactly one JSON document on stdout.")]


def register(app: typer.Typer) -> None:
    """Add the commands to `dissolve fleet`."""
    for command in (limits, spend, scorecard):
        app.command()(command)


def limits(
    *,
    reset: Annotated[
        str | None, typer.Option("--reset", help="Forget the waits, circuit and account blocks of this model.")
    ] = None,
    folder: Annotated[
        Path | None, typer.Option("--dir", help="Folder of the `dissolve up` that is meant [default: the settings'].")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show how fast models may be asked, which are left alone, and which accounts were refused."""
    from cli.fleet.limits import show_limits

    raise typer.Exit(show_limits(reset=reset, folder=folder, as_json=as_json))


def spend(
    *,
    day: Annotated[str | None, typer.Option("--day", help="A day, such as 2026-03-01 (UTC), or `all`.")] = None,
    tenant: Annotated[str | None, typer.Option("--tenant", help="One tenant alone.")] = None,
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Show what is spent and reserved [default: today], and what the caps leave."""
    from cli.fleet.spend import show_spending

    raise typer.Exit(show_spending(day=day, tenant=tenant, db=db, as_json=as_json))


def scorecard(
    *,
    conversation: Annotated[
        str | None, typer.Option("--conversation", help="The jobs of one conversation alone.")
    ] = None,
    truth: Annotated[
        list[Path] | None,
        typer.Option("--truth", help="What is true of one conversation, by its `id`. May be given several times."),
    ] = None,
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Show what each member has brought over all jobs, and which fleet of a size would have kept most."""
    from cli.fleet.scorecard import show_scorecard

    raise typer.Exit(show_scorecard(conversation=conversation, truths=tuple(truth or ()), db=db, as_json=as_json))
