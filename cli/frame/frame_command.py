"""The command `dissolve frame`, as typer sees it."""

from pathlib import Path
from typing import Annotated

import typer

from cli.shared.completion import files_or_conversations
from cli.shared.options import AsJson, By, Db, OfFile, Why


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(frame)


def frame(
    name: Annotated[
        str,
        typer.Argument(
            help="Conversation file, or a job or conversation of the database.", autocompletion=files_or_conversations
        ),
    ],
    *,
    conversation: OfFile = None,
    through: Annotated[int | None, typer.Option("--through", help="Last turn of a file [default: the last].")] = None,
    every: Annotated[bool, typer.Option("--all", help="Show plain premises that nothing rests on too.")] = False,
    svg: Annotated[Path | None, typer.Option("--svg", help="Write the picture of what rests on what there.")] = None,
    plot: Annotated[Path | None, typer.Option("--plot", help="Write the chart of lock-in over turns there.")] = None,
    adopt: Annotated[
        str | None, typer.Option("--adopt", help="Take this challenge of a committed job up as an open question.")
    ] = None,
    why: Why = None,
    by: By = None,
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Show what a conversation takes for granted: findings of the audit first, then the assumption register."""
    from cli.frame.report import FrameOptions, show_frame

    asked = FrameOptions(
        name=name,
        conversation=conversation,
        through=through,
        every=every,
        svg=svg,
        plot=plot,
        adopt=adopt,
        why=why,
        by=by,
        db=db,
        as_json=as_json,
    )
    raise typer.Exit(show_frame(asked))
