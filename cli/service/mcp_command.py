"""The command line of `dissolve mcp`."""

from typing import Annotated, Literal

import typer

Db = Annotated[str | None, typer.Option("--db", help="Database URL [default: ~/.dissolution/ledger.sqlite3].")]


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(mcp)


def mcp(
    *,
    http: Annotated[
        bool, typer.Option("--http", help="Serve Streamable HTTP at /mcp; without it stdin and stdout, for one host.")
    ] = False,
    port: Annotated[
        int | None, typer.Option("--port", min=1024, max=65535, help="Port, with --http [default: the settings'].")
    ] = None,
    address: Annotated[
        str | None, typer.Option("--address", "--host", help="Address, with --http [default: this machine alone].")
    ] = None,
    mode: Annotated[
        Literal["embedded", "service"] | None,
        typer.Option("--mode", help="`embedded` runs jobs itself; with `service` workers do [default: the settings']."),
    ] = None,
    db: Db = None,
) -> None:
    """Serve agents over the Model Context Protocol: dissolve, status, context, recall, frame."""
    from cli.service.mcp import become_mcp

    become_mcp(http=http, port=port, address=address, mode=mode, db=db)
