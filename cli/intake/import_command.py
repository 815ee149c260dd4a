"""The command that takes in what other programs hold."""

from pathlib import Path
from typing import Annotated

import typer

from cli.shared.options import AsJson, Db, FileForm, Timezone


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("import")(import_)


def import_(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Files, folders or zip archives.")],
    *,
    listing: Annotated[bool, typer.Option("--list", help="Tell what is in them, and store nothing.")] = False,
    conversation: Annotated[
        list[str] | None, typer.Option("--conversation", help="Take this one alone, by its id; may be repeated.")
    ] = None,
    form: FileForm = None,
    timezone: Timezone = None,
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Store conversations of Claude Code, Codex, ChatGPT, claude.ai and others; nobody is asked."""
    from cli.intake.import_files import ImportOptions, import_files

    asked = ImportOptions(
        files=files,
        listing=listing,
        wanted=conversation or (),
        form=form,
        timezone=timezone,
        db=db,
        as_json=as_json,
    )
    raise typer.Exit(import_files(asked))
