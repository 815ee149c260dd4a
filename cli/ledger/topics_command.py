"""The command `dissolve topics`, as typer sees it."""

from typing import Annotated

import typer

from cli.shared.options import AsJson, Db


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(topics)


def topics(
    *,
    tenant: Annotated[str, typer.Option("--tenant", help="Whose conversations.")] = "default",
    name: Annotated[
        str | None, typer.Option("--name", help="Only conversations whose id or title contains this text.")
    ] = None,
    least: Annotated[int, typer.Option("--least", min=2, max=1000, help="Claims of a topic at least.")] = 5,
    limit: Annotated[
        int, typer.Option("--limit", min=1, max=10_000, help="Conversations at most, those that changed last.")
    ] = 200,
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Find the matters that claims of many conversations are about; stores vectors of claims that have none."""
    from cli.ledger.topics import TopicOptions, show_topics

    asked = TopicOptions(tenant=tenant, name=name, least=least, limit=limit, db=db, as_json=as_json)
    raise typer.Exit(show_topics(asked))
