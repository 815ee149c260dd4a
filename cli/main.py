"""The `dissolve` command. Each command's work is imported when it runs, so that `--help` stays fast."""

import errno
import os
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from cli.completion_command import answer_shells
from cli.completion_command import register as register_completion
from cli.fleet.fleet_commands import register as register_fleet
from cli.frame.frame_command import register as register_frame
from cli.intake.import_command import register as register_import
from cli.ledger.ledger_commands import KnownAt, KnownAtTurn, Turn
from cli.ledger.ledger_commands import register as register_ledger
from cli.ledger.listing_command import register as register_listing
from cli.ledger.topics_command import register as register_topics
from cli.policy.policy_commands import register as register_policy
from cli.probe.probe_command import register as register_probe
from cli.service.care_commands import register as register_care
from cli.service.key_commands import register as register_keys
from cli.service.mcp_command import register as register_mcp
from cli.service.queue_commands import register
from cli.shared.completion import conversations, files_or_conversations
from cli.shared.exits import Exit, exit_for
from cli.shared.help_examples import add_examples
from cli.shared.help_groups import GroupedHelp
from cli.shared.options import Efforts, FormName, Verbose
from cli.shared.output import OutputLost, finish, give_up, say, speak_utf8
from cli.shared.stopping import tell_interruption
from cli.stability.experiment_command import register as register_experiment
from cli.stability.stability_commands import register as register_stability
from cli.triggers.trigger_commands import register as register_triggers
from dissolution.errors import DissolutionError

app = typer.Typer(
    name="dissolve",
    cls=GroupedHelp,
    help="Dissolve long conversations into verified boundary states.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

Db = Annotated[str | None, typer.Option("--db", help="Database URL [default: ~/.dissolution/ledger.sqlite3].")]
AsJson = Annotated[bool, typer.Option("--json", help="Print exactly one JSON document on stdout.")]
Out = Annotated[Path | None, typer.Option("--out", help="Write boundary, messages and receipt there.")]
Gate = Annotated[
    Literal["strict", "balanced", "lenient"] | None,
    typer.Option("--gate", help="Enforce the probe's verdict with this preset [default: the policy's]."),
]
BudgetTokens = Annotated[
    int | None,
    typer.Option(
        "--budget-tokens", min=200, max=1_000_000, help="Token budget of the messages [default: the policy's]."
    ),
]
ClassName = Literal["forward_open", "deferred", "current_state", "closed_historical", "backward_mutation"]


fleet_app = typer.Typer(help="See who would answer, and what it would cost.", no_args_is_help=True)
app.add_typer(fleet_app, name="fleet")
register_fleet(fleet_app)


def version(wanted: bool) -> None:  # noqa: FBT001 - the callback's signature
    """Print the version and end."""
    if wanted:
        from dissolution import __version__

        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def options(
    *,
    _version: Annotated[
        bool, typer.Option("--version", callback=version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Dissolve long conversations into verified boundary states."""


@app.command()
def run(
    file: Annotated[
        str,
        typer.Argument(
            help="Conversation file, or the id of a stored one; - reads stdin.", autocompletion=files_or_conversations
        ),
    ],
    *,
    fleet: Annotated[
        str, typer.Option("--fleet", help="Who is asked: `extractive`, or a roster file (TOML).")
    ] = "extractive",
    recorded: Annotated[
        Path | None, typer.Option("--recorded", help="Replay the recorded answers in this folder instead.")
    ] = None,
    cassette: Annotated[
        Path | None, typer.Option("--cassette", help="Keep every answer in this folder, and ask for none twice.")
    ] = None,
    through: Annotated[int | None, typer.Option("--through", help="Last turn to dissolve [default: the last].")] = None,
    policy: Annotated[Path | None, typer.Option("--policy", help="Policy file (TOML).")] = None,
    gate: Gate = None,
    effort: Efforts = None,
    form: Annotated[FormName | None, typer.Option("--format", help="Form of the file [default: detected].")] = None,
    conversation: Annotated[
        str | None, typer.Option("--conversation", help="Which conversation of the file, or its name.")
    ] = None,
    timezone: Annotated[
        str | None, typer.Option("--timezone", help="Zone of times without one, such as Europe/Oslo.")
    ] = None,
    db: Db = None,
    as_json: AsJson = False,
    hold: Annotated[bool, typer.Option("--hold", help="Stop before the commit, for a preview.")] = False,
    out: Out = None,
    budget_tokens: BudgetTokens = None,
    verbose: Verbose = False,
) -> None:
    """Dissolve a conversation end to end and commit its boundary state; one that has grown is dissolved again."""
    from cli.run.run import Giving, RunOptions, run_file

    asked = RunOptions(
        file=file,
        fleet=fleet,
        recorded=recorded,
        cassette=cassette,
        through=through,
        policy=policy,
        gate=gate,
        effort=effort,
        form=form,
        conversation=conversation,
        timezone=timezone,
        hold=hold,
        giving=Giving(db=db, as_json=as_json, out=out, budget_tokens=budget_tokens, verbose=verbose),
    )
    raise typer.Exit(run_file(asked))


@app.command()
def resume(
    job: Annotated[str | None, typer.Argument(help="Job id or its beginning [default: every unfinished job].")] = None,
    *,
    db: Db = None,
    as_json: AsJson = False,
    out: Annotated[
        Path | None, typer.Option("--out", help="As for run; with several jobs, a folder for each below it.")
    ] = None,
    budget_tokens: BudgetTokens = None,
    verbose: Verbose = False,
) -> None:
    """Go on with a job that was interrupted; nothing that has landed is asked again."""
    from cli.run.run import Giving, resume_jobs

    giving = Giving(db=db, as_json=as_json, out=out, budget_tokens=budget_tokens, verbose=verbose)
    raise typer.Exit(resume_jobs(job, giving))


@app.command()
def show(
    name: Annotated[
        str | None,
        typer.Argument(
            help="Job id, its beginning, or a conversation [default: the newest job].", autocompletion=conversations
        ),
    ] = None,
    *,
    dissent: Annotated[bool, typer.Option("--dissent", help="Show the dissent in full, with its voters.")] = False,
    receipt: Annotated[
        bool, typer.Option("--receipt", help="Show who was asked, what came of it, and the cost.")
    ] = False,
    measures: Annotated[bool, typer.Option("--measures", help="Show how far the answers agree.")] = False,
    probe: Annotated[bool, typer.Option("--probe", help="Show the probe's questions with both answers.")] = False,
    policy: Annotated[bool, typer.Option("--policy", help="Show every field of the job's policy.")] = False,
    turn: Turn = None,
    known_at: KnownAt = None,
    known_at_turn: KnownAtTurn = None,
    export: Annotated[
        Literal["markdown", "messages", "html"] | None,
        typer.Option("--as", help="Print an export instead; html is one page with the evidence."),
    ] = None,
    budget_tokens: BudgetTokens = None,
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Read a boundary state back: its claims with support and evidence, also as of another time."""
    from cli.run.asof import When
    from cli.run.show import ShowOptions, show_job

    asked = ShowOptions(
        name=name,
        dissent=dissent,
        receipt=receipt,
        measures=measures,
        probe=probe,
        policy=policy,
        export=export,
        when=When(turn=turn, known_at=known_at, known_at_turn=known_at_turn),
        budget_tokens=budget_tokens,
        db=db,
        as_json=as_json,
    )
    raise typer.Exit(show_job(asked))


@app.command()
def explain(
    claim: Annotated[str, typer.Argument(help="Id of a claim or dissent, or its beginning.")],
    *,
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Explain one claim: who said it in which words, on which evidence, and what else was said."""
    from cli.run.explain import explain_claim

    raise typer.Exit(explain_claim(claim, db=db, as_json=as_json))


@app.command()
def classify(
    file: Annotated[str, typer.Argument(help="Conversation file; - reads stdin.")],
    *,
    text: Annotated[bool, typer.Option("--text", help="The file is plain text: read each line by itself.")] = False,
    only: Annotated[ClassName | None, typer.Option("--only", help="Show this class alone.")] = None,
    form: Annotated[FormName | None, typer.Option("--format", help="Form of the file [default: detected].")] = None,
    conversation: Annotated[str | None, typer.Option("--conversation", help="Which conversation of the file.")] = None,
    timezone: Annotated[
        str | None, typer.Option("--timezone", help="Zone of times without one, such as Europe/Oslo.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Tell for each sentence when it holds: from now on, later, now, no more, or never as was said."""
    from cli.intake.classify import ClassifyOptions, classify_file

    asked = ClassifyOptions(
        file=file,
        text=text,
        form=form,
        conversation=conversation,
        timezone=timezone,
        only=only,
        as_json=as_json,
    )
    raise typer.Exit(classify_file(asked))


@fleet_app.command("check")
def fleet_check(
    roster: Annotated[Path, typer.Argument(help="Roster file (TOML).")],
    *,
    deadline_s: Annotated[float, typer.Option("--deadline", min=0.1, help="Longest wait for each member (s).")] = 30.0,
    as_json: AsJson = False,
) -> None:
    """Ask each member for one token: who answers, how fast, at what price, and what is supported."""
    from cli.fleet.check import check_fleet

    raise typer.Exit(check_fleet(roster, deadline_s=deadline_s, as_json=as_json))


@fleet_app.command("price")
def fleet_price(
    file: Annotated[str, typer.Argument(help="Conversation file.")],
    *,
    fleet: Annotated[Path, typer.Option("--fleet", help="Roster file (TOML).")],
    through: Annotated[int | None, typer.Option("--through", help="Last turn [default: the last].")] = None,
    since: Annotated[
        int | None, typer.Option("--since", help="A cycle after a boundary through this turn [default: none stands].")
    ] = None,
    policy: Annotated[Path | None, typer.Option("--policy", help="Policy file (TOML).")] = None,
    gate: Gate = None,
    effort: Efforts = None,
    conversation: Annotated[str | None, typer.Option("--conversation", help="Which conversation of the file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Estimate what a job would use on its whole path, stage by stage, before anybody is asked."""
    from cli.jobs.price import PriceOptions, price_file

    asked = PriceOptions(
        file=file,
        roster=fleet,
        through=through,
        since=since,
        policy=policy,
        gate=gate,
        effort=effort,
        conversation=conversation,
        as_json=as_json,
    )
    raise typer.Exit(price_file(asked))


register_listing(app)
register_topics(app)
register(app)
register_import(app)
register_care(app)
register_keys(app)
register_mcp(app)

register_ledger(app)
register_probe(app)
register_policy(app)
register_frame(app)
register_triggers(app)
register_stability(app)
register_experiment(app)
register_completion(app)
add_examples(app)


DISK = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EFBIG})
"""What a disk says that is full or must not be written, wherever a command meets it."""


def main() -> None:
    """Run the command line; errors raised on purpose become one line on stderr and an exit code."""
    speak_utf8()
    answer_shells()
    if any(name.upper().startswith("DISSOLVE_") for name in os.environ):  # else the settings need not be imported here
        from dissolution.unknown_settings import unknown_variables

        for line in unknown_variables(os.environ):
            say(line)
    sys.exit(outcome())


def outcome() -> int:
    """The exit code of the process."""
    try:
        app()
    except SystemExit as ending:  # how typer ends every command
        tell_interruption(ending)
        return finish(ending.code if isinstance(ending.code, int) else Exit.OK)
    except DissolutionError as error:
        say(str(error))
        return finish(exit_for(error))
    except OSError as error:
        if error.errno not in DISK:
            raise
        where = "the disk" if error.filename is None else repr(str(error.filename))
        say(
            f"{where} cannot be written ({error.strerror}): free some space, or make it writable; what was stored stays"
        )
        return finish(Exit.UNAVAILABLE)
    except OutputLost as lost:
        return give_up(lost, lost.code)
    except KeyboardInterrupt as interruption:
        tell_interruption(interruption)
        return Exit.INTERRUPTED
    return finish(Exit.OK)


if __name__ == "__main__":
    main()
