"""The commands around the worker fleet: enqueue, status, cancel, requeue, worker, relay, up."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from cli.shared.options import Efforts, FormName

Db = Annotated[str | None, typer.Option("--db", help="Database URL [default: ~/.dissolution/ledger.sqlite3].")]
AsJson = Annotated[bool, typer.Option("--json", help="Print exactly one JSON document on stdout.")]
PresetName = Literal["strict", "balanced", "lenient"]
LaneName = Literal["interactive", "batch", "stability"]
ClassOfQueue = Literal["io", "cpu", "giant"]
JobName = Annotated[str, typer.Argument(help="Job id or its beginning.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    for command in (enqueue, status, cancel, requeue, worker, relay, up):
        app.command()(command)


def enqueue(
    files: Annotated[list[str], typer.Argument(help="Conversation files, one job each.")],
    *,
    fleet: Annotated[
        str, typer.Option("--fleet", help="Who is asked: `extractive`, or a roster file (TOML).")
    ] = "extractive",
    recorded: Annotated[
        Path | None, typer.Option("--recorded", help="Replay the recorded answers in this folder instead.")
    ] = None,
    policy: Annotated[Path | None, typer.Option("--policy", help="Policy file (TOML).")] = None,
    gate: Annotated[
        PresetName | None,
        typer.Option("--gate", help="Enforce the probe's verdict with this preset [default: the policy's]."),
    ] = None,
    effort: Efforts = None,
    lane: Annotated[LaneName, typer.Option("--lane", help="How urgent the jobs are.")] = "batch",
    form: Annotated[FormName | None, typer.Option("--format", help="Form of the files [default: detected].")] = None,
    conversation: Annotated[
        str | None, typer.Option("--conversation", help="Which conversation of the one file, or its name.")
    ] = None,
    timezone: Annotated[
        str | None, typer.Option("--timezone", help="Zone of times without one, such as Europe/Oslo.")
    ] = None,
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Store dissolutions for workers to run, and print their job ids."""
    from cli.jobs.enqueue import EnqueueOptions, enqueue_files
    from dissolution.job import Lane

    asked = EnqueueOptions(
        files=tuple(files),
        fleet=fleet,
        recorded=recorded,
        policy=policy,
        gate=gate,
        effort=effort,
        lane=Lane(lane),
        form=form,
        conversation=conversation,
        timezone=timezone,
        db=db,
        as_json=as_json,
    )
    raise typer.Exit(enqueue_files(asked))


def status(
    jobs: Annotated[list[str] | None, typer.Argument(help="Job ids or their beginnings [default: all].")] = None,
    *,
    watch: Annotated[bool, typer.Option("--watch", help="Show it again every two seconds until Ctrl-C.")] = False,
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Show what runs, what waits for what, and what is dead."""
    from cli.jobs.status import show_status

    raise typer.Exit(show_status(tuple(jobs or ()), watch=watch, db=db, as_json=as_json))


def cancel(job: JobName, *, db: Db = None) -> None:
    """End a job; the history stays in force. What runs of it ends within about two seconds."""
    from cli.jobs.status import cancel_job

    raise typer.Exit(cancel_job(job, db=db))


def requeue(job: JobName, *, db: Db = None) -> None:
    """Try the dead steps of a failed job again; nothing that has landed is asked again."""
    from cli.jobs.status import requeue_job

    raise typer.Exit(requeue_job(job, db=db))


def worker(
    *,
    queue: Annotated[
        ClassOfQueue,
        typer.Option(
            "--queue",
            help="Which steps: `io` asks models, `cpu` computes, `giant` computes about very long conversations.",
        ),
    ],
    processes: Annotated[
        int | None,
        typer.Option("--steps", "--processes", min=1, max=2000, help="Steps at a time [default: the settings']."),
    ] = None,
    lane: Annotated[
        LaneName | None, typer.Option("--lane", help="Serve this lane alone [default: all, by urgency].")
    ] = None,
    db: Db = None,
) -> None:
    """Run steps until told to stop."""
    from cli.service.serving import serve_queue

    raise typer.Exit(serve_queue(queue, processes=processes, lane=lane, db=db))


def relay(*, db: Db = None) -> None:
    """Send workers what is due, again if it was lost, until told to stop. Any number may run."""
    from cli.service.serving import serve_relay

    raise typer.Exit(serve_relay(db=db))


def up(
    *,
    folder: Annotated[
        Path | None, typer.Option("--dir", help="Folder of logs and of Redis [default: ~/.dissolution/up].")
    ] = None,
    port: Annotated[
        int | None, typer.Option("--port", min=1024, max=65535, help="Port of Redis [default: the settings'].")
    ] = None,
    io: Annotated[int | None, typer.Option("--io", min=1, max=64, help="Workers of class io.")] = None,
    cpu: Annotated[int | None, typer.Option("--cpu", min=1, max=64, help="Processes of the cpu worker.")] = None,
    flower: Annotated[bool, typer.Option("--flower/--no-flower", help="Whether Flower runs too.")] = True,
    flower_port: Annotated[
        int | None, typer.Option("--flower-port", min=1024, max=65535, help="Port of Flower [default: the settings'].")
    ] = None,
    api: Annotated[bool, typer.Option("--api/--no-api", help="Whether the HTTP API runs too.")] = True,
    api_port: Annotated[
        int | None, typer.Option("--api-port", min=1024, max=65535, help="Port of the API [default: the settings'].")
    ] = None,
    metrics: Annotated[bool, typer.Option("--metrics/--no-metrics", help="Whether metrics are served too.")] = True,
    metrics_port: Annotated[
        int | None,
        typer.Option("--metrics-port", min=1024, max=65535, help="Port of the metrics [default: the settings']."),
    ] = None,
    db: Db = None,
) -> None:
    """Run everything on this machine: Redis, database, workers, relay, Flower, API and metrics; Ctrl-C stops it all."""
    from cli.service.up import UpOptions, run_up

    raise typer.Exit(
        run_up(
            UpOptions(
                folder=folder,
                port=port,
                io=io,
                cpu=cpu,
                db=db,
                flower=flower,
                flower_port=flower_port,
                api=api,
                api_port=api_port,
                metrics=metrics,
                metrics_port=metrics_port,
            )
        )
    )
