"""The command `dissolve list`, as typer sees it."""

from typing import Annotated

import typer

from cli.shared.options import AsJson, Db


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("list")(list_stored)


def list_stored(
    *,
    name: Annotated[
        str | None, typer.Option("--name", help="Only conversations whose id or title contains this text.")
    ] = None,
    tenant: Annotated[str | None, typer.Option("--tenant", help="Of this tenant alone [default: of all].")] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, max=100_000, help="Conversations shown at most.")] = 20,
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """List the stored conversations, newest first: turns, ledger version, size, last job and its state."""
    from cli.ledger.listing import ListOptions, list_conversations

    asked = ListOptions(name=name, tenant=tenant, limit=limit, db=db, as_json=as_json)
    raise typer.Exit(list_conversations(asked))
