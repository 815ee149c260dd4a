"""The command `dissolve policy show`, as typer sees it."""

from pathlib import Path
from typing import Annotated

import typer

from cli.shared.options import AsJson

policy_app = typer.Typer(help="See the thresholds that jobs are run under.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.add_typer(policy_app, name="policy")


@policy_app.callback()
def policies() -> None:
    """See the thresholds that jobs are run under."""


@policy_app.command()
def show(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="Policy file (TOML) [default: the defaults].")
    ] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Show every field of a policy, and the thresholds that no policy sets: what each means and how it was found."""
    from cli.policy.standing import show_standing

    raise typer.Exit(show_standing(file=file, as_json=as_json))
