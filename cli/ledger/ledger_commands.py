"""The commands of the ledger: cycles that wait, what people do to claims, versions, reading back, erasing."""

from typing import Annotated

import typer

from cli.shared.completion import conversations
from cli.shared.options import AsJson, BudgetTokens, By, Db, FileForm, Out, SectionName, Timezone, Verbose, Why
from dissolution.recall_kinds import RecallBy, RecallKind

ConversationName = Annotated[
    str, typer.Argument(metavar="CONVERSATION", help="Id of a stored conversation.", autocompletion=conversations)
]
JobName = Annotated[
    str,
    typer.Argument(metavar="JOB", help="Job id or its beginning, or a conversation.", autocompletion=conversations),
]
ClaimName = Annotated[str, typer.Argument(metavar="CLAIM", help="Id of a claim, or its beginning.")]
DissentName = Annotated[str, typer.Argument(metavar="DISSENT", help="Id of a dissent, or its beginning.")]
NeededWhy = Annotated[str, typer.Option("--why", help="The reason, for the record.")]
Turn = Annotated[int | None, typer.Option("--turn", min=1, help="What held at this turn.")]
KnownAt = Annotated[
    str | None, typer.Option("--known-at", help="What was held then: a version, or an instant with its zone.")
]
KnownAtTurn = Annotated[
    int | None, typer.Option("--known-at-turn", min=1, help="What was held before any later turn was covered.")
]


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    for command in (append, preview, commit, discard, log, diff, rollback, recall):
        app.command()(command)
    for command in (pin, unpin, confirm, retract, dismiss, erase, erasures):
        app.command()(command)


def append(
    conversation: ConversationName,
    file: Annotated[str, typer.Argument(help="File with the grown conversation; - reads stdin.")],
    *,
    after: Annotated[
        int | None, typer.Option("--after", min=0, help="The file holds only the turns that follow this one.")
    ] = None,
    form: FileForm = None,
    timezone: Timezone = None,
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Add turns to a stored conversation; nobody is asked."""
    from cli.ledger.append import AppendOptions, append_file

    asked = AppendOptions(
        file=file, conversation=conversation, after=after, form=form, timezone=timezone, db=db, as_json=as_json
    )
    raise typer.Exit(append_file(asked))


def preview(job: JobName, *, db: Db = None, as_json: AsJson = False) -> None:
    """List what the commit of a job would add, revise, close, carry and promote, and why."""
    from cli.ledger.hold import preview_job

    raise typer.Exit(preview_job(job, db=db, as_json=as_json))


def commit(
    job: JobName,
    *,
    db: Db = None,
    as_json: AsJson = False,
    out: Out = None,
    budget_tokens: BudgetTokens = None,
    verbose: Verbose = False,
) -> None:
    """Commit a job that is held."""
    from cli.ledger.hold import commit_job
    from cli.run.run import Giving

    giving = Giving(db=db, as_json=as_json, out=out, budget_tokens=budget_tokens, verbose=verbose)
    raise typer.Exit(commit_job(job, giving))


def discard(job: JobName, *, why: Why = None, by: By = None, db: Db = None, as_json: AsJson = False) -> None:
    """End a job that is held without a boundary."""
    from cli.ledger.hold import discard_job

    raise typer.Exit(discard_job(job, why=why, by=by, db=db, as_json=as_json))


def log(conversation: ConversationName, *, db: Db = None, as_json: AsJson = False) -> None:
    """List the versions of a conversation's ledger: when, what, by whom, why."""
    from cli.ledger.history import log_conversation

    raise typer.Exit(log_conversation(conversation, db=db, as_json=as_json))


def diff(
    conversation: ConversationName,
    first: Annotated[str, typer.Argument(metavar="A", help="A version; 0 is the empty ledger.")],
    second: Annotated[str | None, typer.Argument(metavar="B", help="A later version [default: the newest].")] = None,
    *,
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Show what changed from one version of a ledger to another."""
    from cli.ledger.history import diff_versions

    raise typer.Exit(diff_versions(conversation, first, second, db=db, as_json=as_json))


def rollback(
    conversation: ConversationName,
    *,
    to: Annotated[str, typer.Option("--to", help="The version whose state is to stand again.")],
    why: NeededWhy,
    by: By = None,
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Make an earlier version current again, as a new version; nothing is deleted."""
    from cli.ledger.history import roll_back

    raise typer.Exit(roll_back(conversation, to=to, why=why, by=by, db=db, as_json=as_json))


def recall(
    conversation: ConversationName,
    text: Annotated[str | None, typer.Argument(help="Words to look for.")] = None,
    *,
    section: Annotated[SectionName | None, typer.Option("--section", help="Of this section alone.")] = None,
    turn: Turn = None,
    known_at: KnownAt = None,
    known_at_turn: KnownAtTurn = None,
    every_state: Annotated[bool, typer.Option("--all", help="Claims that have ended too.")] = False,
    kind: Annotated[
        list[RecallKind] | None, typer.Option("--kind", help="Only these; may be repeated [default: all three].")
    ] = None,
    match: Annotated[
        RecallBy,
        typer.Option("--match", help="What is compared; `meaning` loads the embedding model and stores vectors."),
    ] = RecallBy.AUTO,
    limit: Annotated[int, typer.Option("--limit", min=1, max=1000, help="Results at most.")] = 20,
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Find claims, dissent and turns by text, section and time, also those a context has left out."""
    from cli.ledger.recall import RecallOptions
    from cli.ledger.recall import recall as find
    from cli.run.asof import When

    asked = RecallOptions(
        conversation=conversation,
        text=text,
        section=section,
        when=When(turn=turn, known_at=known_at, known_at_turn=known_at_turn),
        every_state=every_state,
        kinds=tuple(kind or ()),
        match=match,
        limit=limit,
        db=db,
        as_json=as_json,
    )
    raise typer.Exit(find(asked))


def pin(claim: ClaimName, *, why: Why = None, by: By = None, db: Db = None, as_json: AsJson = False) -> None:
    """Keep a claim in every context, whatever the budget."""
    _act("pinned", claim, why=why, by=by, db=db, as_json=as_json)


def unpin(claim: ClaimName, *, why: Why = None, by: By = None, db: Db = None, as_json: AsJson = False) -> None:
    """Take a pin off."""
    _act("unpinned", claim, why=why, by=by, db=db, as_json=as_json)


def confirm(claim: ClaimName, *, why: Why = None, by: By = None, db: Db = None, as_json: AsJson = False) -> None:
    """Say that a claim is right."""
    _act("confirmed", claim, why=why, by=by, db=db, as_json=as_json)


def retract(
    claim: ClaimName,
    *,
    why: Why = None,
    by: By = None,
    never_held: Annotated[bool, typer.Option("--never-held", help="It was wrong from the start, not over.")] = False,
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Close a claim: it holds no longer."""
    _act("retracted", claim, why=why, by=by, db=db, as_json=as_json, never_held=never_held)


def dismiss(dissent: DissentName, *, why: Why = None, by: By = None, db: Db = None, as_json: AsJson = False) -> None:
    """Close a dissent, so that it is never promoted."""
    _act("dismissed", dissent, why=why, by=by, db=db, as_json=as_json)


def _act(
    kind: str, claim: str, *, why: str | None, by: str | None, db: str | None, as_json: bool, never_held: bool = False
) -> None:
    from cli.ledger.acts import ActOptions, act_on_claim
    from dissolution.ledger import LedgerEventKind

    asked = ActOptions(
        kind=LedgerEventKind(kind), claim=claim, why=why, by=by, never_held=never_held, db=db, as_json=as_json
    )
    raise typer.Exit(act_on_claim(asked))


def erase(
    conversation: ConversationName,
    *,
    why: NeededWhy,
    by: By = None,
    sure: Annotated[bool, typer.Option("--yes", help="Really do it; nothing brings it back.")] = False,
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Delete a conversation with everything that came of it, and record that."""
    from cli.ledger.erase import erase_conversation

    raise typer.Exit(erase_conversation(conversation, why=why, by=by, sure=sure, db=db, as_json=as_json))


def erasures(*, db: Db = None, as_json: AsJson = False) -> None:
    """List what was erased: when, by whom, why, how much."""
    from cli.ledger.erase import list_erasures

    raise typer.Exit(list_erasures(db=db, as_json=as_json))
