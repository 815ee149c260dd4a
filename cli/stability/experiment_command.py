"""`dissolve experiment N`: one of the dissertation's experiments, repeated."""

from pathlib import Path
from typing import Annotated

import typer


def register(program: typer.Typer) -> None:
    """Add the command to the program."""
    program.command()(experiment)


def experiment(
    number: Annotated[int, typer.Argument(min=1, max=5, help="1 competence, 2 prompts, 3 cycles, 4 frame, 5 time.")],
    *,
    fleet: Annotated[
        str, typer.Option("--fleet", help="Who is asked: `recorded`, `extractive`, or a roster file (TOML).")
    ] = "recorded",
    data: Annotated[
        Path | None, typer.Option("--data", help="Folder with the data [default: benchmarks/data of the source].")
    ] = None,
    conversations: Annotated[
        str | None, typer.Option("--conversations", help="Only these, with commas between [default: all that fit].")
    ] = None,
    replicates: Annotated[int, typer.Option("--replicates", min=1, max=20, help="Of experiment 3.")] = 1,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the draws.")] = 0,
    policy: Annotated[Path | None, typer.Option("--policy", help="Policy file (TOML).")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Folder for the report (HTML, Markdown, JSON).")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print exactly one JSON document on stdout.")] = False,
) -> None:
    """Repeat one of the dissertation's experiments: hypotheses, figures with intervals, verdict and limits."""
    from cli.stability.experiment import Asked, run_experiment

    asked = Asked(
        number=number,
        fleet=fleet,
        data=data,
        conversations=conversations,
        replicates=replicates,
        seed=seed,
        policy=policy,
        out=out,
        as_json=as_json,
    )
    raise typer.Exit(run_experiment(asked))
