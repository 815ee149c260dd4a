"""The commands of the HTTP service: api, and its keys."""

from typing import Annotated, Literal

import typer

from cli.shared.options import AsJson, By, Db

ScopeName = Literal["read", "write", "admin"]
KeyName = Annotated[str, typer.Argument(metavar="KEY", help="Id of a key, the part after dsk_.")]
TenantName = Annotated[str, typer.Argument(metavar="TENANT", help="Whose data.")]

keys_app = typer.Typer(help="Make and take back keys of the HTTP service.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command()(api)
    app.add_typer(keys_app, name="keys")


def api(
    *,
    port: Annotated[
        int | None, typer.Option("--port", min=1024, max=65535, help="Port [default: the settings'].")
    ] = None,
    address: Annotated[str | None, typer.Option("--address", help="Address [default: this machine alone].")] = None,
    mode: Annotated[
        Literal["embedded", "service"] | None,
        typer.Option("--mode", help="`embedded` runs jobs itself; with `service` workers do [default: the settings']."),
    ] = None,
    db: Db = None,
) -> None:
    """Serve the HTTP API until told to stop."""
    from cli.service.serving import become_api

    become_api(port=port, address=address, mode=mode, db=db)


@keys_app.command()
def create(
    name: Annotated[str, typer.Argument(help="What people call it.")],
    *,
    tenant: Annotated[str, typer.Option("--tenant", help="Whose data it opens.")] = "default",
    scope: Annotated[
        ScopeName, typer.Option("--scope", help="What it allows; each allows what those before it do.")
    ] = "write",
    days: Annotated[
        int | None, typer.Option("--days", min=1, max=3650, help="How long it works [default: until revoked].")
    ] = None,
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Make a key and print it, this once."""
    from cli.service.keys import create_key

    raise typer.Exit(create_key(name=name, tenant=tenant, scope=scope, days=days, db=db, as_json=as_json))


@keys_app.command("list")
def listed(
    *,
    tenant: Annotated[str | None, typer.Option("--tenant", help="This tenant's alone.")] = None,
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """List keys: whose, what for, until when."""
    from cli.service.keys import list_keys

    raise typer.Exit(list_keys(tenant=tenant, db=db, as_json=as_json))


@keys_app.command("rotate")
def rotate_one(
    key: KeyName,
    *,
    hours: Annotated[float, typer.Option("--hours", min=0, max=8760, help="How long the old one works on.")] = 24,
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Make a key in the place of another one, which works on for a while."""
    from cli.service.keys import rotate_key

    raise typer.Exit(rotate_key(key, hours=hours, db=db, as_json=as_json))


@keys_app.command()
def revoke(key: KeyName, *, db: Db = None) -> None:
    """Take a key back, at once."""
    from cli.service.keys import revoke_key

    raise typer.Exit(revoke_key(key, db=db))


@keys_app.command("erase-tenant")
def erase_tenant(
    tenant: TenantName,
    *,
    why: Annotated[str, typer.Option("--why", help="The reason, for the record.")],
    by: By = None,
    sure: Annotated[bool, typer.Option("--yes", help="Really do it; nothing brings it back.")] = False,
    db: Db = None,
) -> None:
    """Erase all of a tenant: its conversations with what came of them, its keys, webhooks and rules."""
    from cli.service.keys import erase_all

    raise typer.Exit(erase_all(tenant, why=why, by=by, sure=sure, db=db))
