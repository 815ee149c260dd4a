"""The command `dissolve probe`, as typer sees it."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from cli.shared.options import OfFile

AsJson = Annotated[bool, typer.Option("--json", help="Print exactly one JSON document on stdout.")]
Preset = Literal["strict", "balanced", "lenient"]


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(probe)


def probe(
    *,
    history: Annotated[Path, typer.Option("--history", help="Conversation file that the context is to replace.")],
    context: Annotated[
        Path, typer.Option("--context", help="The context: plain text or Markdown; a summary, a boundary, any memory.")
    ],
    bank: Annotated[
        Path | None, typer.Option("--bank", help="Questions (JSON) [default: written from the history].")
    ] = None,
    conversation: OfFile = None,
    through: Annotated[
        int | None, typer.Option("--through", help="Last turn of the history [default: the last].")
    ] = None,
    preset: Annotated[Preset, typer.Option("--preset", help="How sure the gate has to be.")] = "balanced",
    questions: Annotated[bool, typer.Option("--questions", help="Show every question with both answers.")] = False,
    ask_all: Annotated[
        bool, typer.Option("--all", help="Ask the whole bank, for the diagnosis; the verdict stays the same.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Ask a history and a context the same questions: does the context answer them about as well? Nothing is stored."""
    from cli.probe.evaluate import ProbeOptions, probe_files

    asked = ProbeOptions(
        history=history,
        context=context,
        bank=bank,
        conversation=conversation,
        through=through,
        preset=preset,
        questions=questions,
        ask_all=ask_all,
        as_json=as_json,
    )
    raise typer.Exit(probe_files(asked))
