"""The command `dissolve completion`, as typer sees it, and what lets typer answer a shell."""

import os
import sys
from typing import Annotated, Literal

import typer

PROGRAM = "dissolve"
VARIABLE = "_DISSOLVE_COMPLETE"
"""A shell that asks for completions calls the program with this in its environment; typer answers then."""

Shell = Literal["bash", "zsh", "fish"]


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(completion)


def completion(
    shell: Annotated[Shell, typer.Argument(help="Whose script.")],
) -> None:
    r"""Print what makes a shell complete commands, options, presets and stored conversations with Tab.

    \b
    bash: dissolve completion bash >~/.dissolve-completion.bash
          echo 'source ~/.dissolve-completion.bash' >>~/.bashrc
    zsh:  dissolve completion zsh >~/.dissolve-completion.zsh
          echo 'autoload -Uz compinit && compinit; source ~/.dissolve-completion.zsh' >>~/.zshrc
    fish: dissolve completion fish >~/.config/fish/completions/dissolve.fish
    """
    from typer.completion import (
        get_completion_script,  # pyright: ignore[reportPrivateImportUsage] - typer names it there without listing it
    )

    script = get_completion_script(prog_name=PROGRAM, complete_var=VARIABLE, shell=shell)
    sys.stdout.write(f"{script}\n")


def answer_shells() -> None:
    """Let typer know the shells when one of them asks; at any other time nothing is loaded."""
    if VARIABLE in os.environ:
        from typer.completion import get_completion_inspect_parameters

        get_completion_inspect_parameters()  # its effect is wanted: typer registers its shells there
