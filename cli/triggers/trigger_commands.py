"""The commands `dissolve triggers …`, as typer sees them."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from cli.shared.completion import conversations
from cli.shared.options import AsJson, By, Db, FileForm, OfFile, Timezone, Why

Name = Annotated[str, typer.Argument(help="A stored conversation.", autocompletion=conversations)]
PolicyFile = Annotated[Path | None, typer.Option("--policy", help="Policy file (TOML).")]

triggers_app = typer.Typer(help="Let the service decide when to dissolve, and see why it did.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.add_typer(triggers_app, name="triggers")
    for command in (watch, unwatch, state, explain, calibrate, fire):
        triggers_app.command()(command)
    triggers_app.command("catch-up")(catch_up)


def watch(
    conversation: Name,
    *,
    policy: PolicyFile = None,
    preset: Annotated[
        Literal["eager", "balanced", "patient"] | None,
        typer.Option("--preset", help="Triggers of a preset in place of the policy's."),
    ] = None,
    fleet: Annotated[
        str, typer.Option("--fleet", help="Who is asked by the jobs: `extractive`, or a roster file (TOML).")
    ] = "extractive",
    live: Annotated[
        bool, typer.Option("--live", help="Submit jobs. Without it firings are only recorded (shadow mode).")
    ] = False,
    lane: Annotated[Literal["interactive", "batch"], typer.Option("--lane", help="Where its jobs wait.")] = "batch",
    db: Db = None,
) -> None:
    """Watch a conversation from now on; turns it has already are read at once."""
    from cli.triggers.watch import WatchOptions, watch_conversation

    asked = WatchOptions(
        conversation=conversation, policy=policy, preset=preset, fleet=fleet, live=live, lane=lane, db=db
    )
    raise typer.Exit(watch_conversation(asked))


def unwatch(conversation: Name, *, db: Db = None) -> None:
    """Watch a conversation no more; what was evaluated stays."""
    from cli.triggers.watch import unwatch_conversation

    raise typer.Exit(unwatch_conversation(conversation, db=db))


def state(conversation: Name, *, db: Db = None, as_json: AsJson = False) -> None:
    """Show how a conversation is watched, where its triggers stand, and what they last decided."""
    from cli.triggers.watch import show_state

    raise typer.Exit(show_state(conversation, db=db, as_json=as_json))


def explain(
    conversation: Name,
    *,
    chart: Annotated[
        Path | None, typer.Option("--chart", help="Write the signals over turns to this SVG file.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option("--report", help="Write the chart and every evaluation to this HTML page.")
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Show every turn, not only those where something changed.")
    ] = False,
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Explain turn by turn why triggers fired or held, as a table and as a chart."""
    from cli.triggers.explain import explain_conversation

    raise typer.Exit(
        explain_conversation(conversation, chart=chart, report=report, every=every, db=db, as_json=as_json)
    )


def calibrate(
    files: Annotated[list[str], typer.Argument(help="Conversation files.")],
    *,
    labels: Annotated[
        Path | None,
        typer.Option("--labels", help="JSON: the first turns of topics, a list for each conversation or file name."),
    ] = None,
    policy: PolicyFile = None,
    rate: Annotated[
        float, typer.Option("--rate", min=0.01, max=100, help="Firings wanted for 10,000 tokens, without labels.")
    ] = 2.0,
    out: Annotated[Path, typer.Option("--out", help="Where the policy is written.")] = Path("triggers.toml"),
    form: FileForm = None,
    conversation: OfFile = None,
    timezone: Timezone = None,
    as_json: AsJson = False,
) -> None:
    """Fit thresholds to conversations and write a policy with its expected firing rate; nothing is stored."""
    from cli.triggers.calibrate import CalibrateOptions, calibrate_files

    asked = CalibrateOptions(
        files=tuple(files),
        labels=labels,
        policy=policy,
        rate=rate,
        out=out,
        form=form,
        conversation=conversation,
        timezone=timezone,
        as_json=as_json,
    )
    raise typer.Exit(calibrate_files(asked))


def fire(conversation: Name, *, why: Why = None, by: By = None, db: Db = None, as_json: AsJson = False) -> None:
    """Submit a dissolution of a watched conversation now, with the policy and the fleet it is watched with."""
    from cli.triggers.watch import fire_now

    raise typer.Exit(fire_now(conversation, why=why, by=by, db=db, as_json=as_json))


def catch_up(
    *,
    limit: Annotated[int, typer.Option("--limit", min=1, max=100_000, help="Conversations at most.")] = 1000,
    db: Db = None,
) -> None:
    """Evaluate watched conversations whose newest turns were not read, as after a crash; the relay does it too."""
    from cli.triggers.watch import catch_up_all

    raise typer.Exit(catch_up_all(limit, db=db))
