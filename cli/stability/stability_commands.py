"""`dissolve stability`: run cycles and replicates, go on with them, report, list, cancel."""

from pathlib import Path
from typing import Annotated

import typer

from cli.shared.completion import files_or_conversations
from cli.shared.options import OfFile

Db = Annotated[str | None, typer.Option("--db", help="Database URL [default: ~/.dissolution/ledger.sqlite3].")]
AsJson = Annotated[bool, typer.Option("--json", help="Print exactly one JSON document on stdout.")]
RunName = Annotated[str, typer.Argument(help="Run id or its beginning.")]
OutFolder = Annotated[Path, typer.Option("--out", help="Folder for the report (HTML, Markdown, JSON).")]
Workers = Annotated[
    bool, typer.Option("--workers", help="Leave the run to workers (lane `stability`) instead of doing it here.")
]
Bank = Annotated[
    Path | None, typer.Option("--bank", help="Questions to put to every state [default: the file, if it has some].")
]

app = typer.Typer(help="Does understanding hold over many cycles? Run them and report.", no_args_is_help=True)


def register(program: typer.Typer) -> None:
    """Add the commands to the program."""
    program.add_typer(app, name="stability")


@app.command()
def run(
    conversation: Annotated[
        str,
        typer.Argument(
            help="A file, `-` for stdin, or a stored conversation's id.", autocompletion=files_or_conversations
        ),
    ],
    *,
    every: Annotated[int | None, typer.Option("--every", min=1, help="A cycle every so many turns.")] = None,
    at: Annotated[
        str | None,
        typer.Option("--at", help="Cycles at these turns, such as 14,28,42; `firings`: where triggers fire."),
    ] = None,
    replicates: Annotated[int, typer.Option("--replicates", min=1, max=100, help="How often each arm is run.")] = 1,
    arms: Annotated[
        str, typer.Option("--arms", help="What is compared, with commas between: see docs/stability.md.")
    ] = "ledger",
    fleet: Annotated[
        list[str] | None,
        typer.Option("--fleet", help="Who is asked: `extractive`, or a roster file (TOML). Several are compared."),
    ] = None,
    recorded: Annotated[
        Path | None, typer.Option("--recorded", help="Replay the recorded answers in this folder instead.")
    ] = None,
    policy: Annotated[
        list[Path] | None, typer.Option("--policy", help="Policy file (TOML). Several are compared.")
    ] = None,
    truth: Annotated[
        Path | None, typer.Option("--truth", help="What is true at which turn [default: the file, if it says so].")
    ] = None,
    bank: Bank = None,
    chosen: OfFile = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the draws.")] = 0,
    max_usd: Annotated[float | None, typer.Option("--max-usd", min=0, help="Cap over all jobs of the run.")] = None,
    workers: Workers = False,
    out: OutFolder = Path("out/stability"),
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Dissolve a conversation again and again as it grows, and measure what holds."""
    from cli.stability.runs import run_stability
    from cli.stability.stability_plan import Asked

    asked = Asked(
        conversation=conversation,
        chosen=chosen,
        every=every,
        at=at,
        replicates=replicates,
        arms=arms,
        fleets=tuple(fleet or ("extractive",)),
        recorded=recorded,
        policies=tuple(policy or ()),
        truth=truth,
        bank=bank,
        seed=seed,
        max_usd=max_usd,
        workers=workers,
        out=out,
        db=db,
        as_json=as_json,
    )
    raise typer.Exit(run_stability(asked))


@app.command()
def resume(
    name: RunName,
    *,
    bank: Bank = None,
    out: OutFolder = Path("out/stability"),
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Go on with a run that was interrupted; what is stored is not asked again. One of workers is watched."""
    from cli.stability.runs import resume_stability

    raise typer.Exit(resume_stability(name, bank=bank, out=out, db=db, as_json=as_json))


@app.command()
def report(name: RunName, *, out: OutFolder = Path("out/stability"), db: Db = None, as_json: AsJson = False) -> None:
    """Write the report of a run as far as it has come."""
    from cli.stability.runs import report_stability

    raise typer.Exit(report_stability(name, out=out, db=db, as_json=as_json))


@app.command()
def compare(
    first: RunName,
    second: RunName,
    *,
    out: OutFolder = Path("out/stability"),
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Hold two runs over the same turns against each other, cell by cell, with intervals."""
    from cli.stability.runs import compare_stability

    raise typer.Exit(compare_stability(first, second, out=out, db=db, as_json=as_json))


@app.command(name="list")
def list_runs(*, db: Db = None, as_json: AsJson = False) -> None:
    """Show the stored runs, newest first."""
    from cli.stability.runs import list_stability

    raise typer.Exit(list_stability(db=db, as_json=as_json))


@app.command()
def cancel(
    name: RunName,
    *,
    reason: Annotated[str, typer.Option("--reason", help="Why.")] = "cancelled on request",
    db: Db = None,
) -> None:
    """End a run and its unfinished job; what was measured stays."""
    from cli.stability.runs import cancel_stability

    raise typer.Exit(cancel_stability(name, reason=reason, db=db))
