"""`dissolve append`: turns are added to a stored conversation; nobody is asked."""

import json
import sys
from dataclasses import dataclass

from cli.run.run import Source, read_conversation
from cli.shared.exits import Exit
from cli.shared.naming import check_conversation
from cli.shared.output import hint, printing, say
from cli.triggers.watch import after_turns
from cli.triggers.watch import evaluation_lines as trigger_lines
from dissolution.conversation import Conversation, Redaction, Turn
from dissolution.errors import ChangedPast, InputError
from dissolution.ports.store import UnitOfWork
from dissolution.settings import load_settings
from workers.bootstrap import open_services


@dataclass(frozen=True, kw_only=True)
class AppendOptions(Source):
    """What was given on the command line of `dissolve append`; `conversation` is the stored one."""

    after: int | None
    db: str | None
    as_json: bool


def append_file(options: AppendOptions) -> Exit:
    """Add the turns of a file that are not stored yet.

    Raises NotFound (no such conversation), InputError (a stored turn differs), UnknownTurn, InvalidConversation.
    """
    name = options.conversation
    if name is None:  # the command line requires it
        raise InputError("a conversation", "name the stored one")
    settings = load_settings(db=options.db)
    with open_services(settings, create=False) as services:
        with services.unit_of_work() as work:
            check_conversation(work, name)
            met = work.conversations.known(name)
        before = None if options.after is None else [one for one in met if one.turn <= options.after]
        reading = read_conversation(options, settings, services, known=before)
        for warning in reading.warnings:
            say(warning)
        with services.unit_of_work() as work:
            given = reading.conversation
            if options.after is not None:
                given = placed_after(work.conversations.get(name), given, options.after)
            added = extended(work, given)
            turns = len(work.conversations.get(name).turns)
            standing = work.boundaries.current(name)
            work.commit()
        evaluations = after_turns(services, name)
    through = None if standing is None else standing.through
    with printing(Exit.OK):
        if options.as_json:
            told = {
                "conversation": name,
                "added": added,
                "turns": turns,
                "boundary_through": through,
                "evaluations": [one.model_dump(mode="json") for one in evaluations],
            }
            sys.stdout.write(json.dumps(told, ensure_ascii=False, indent=1) + "\n")
        else:
            sys.stdout.write(f"{in_words(added, turns)} in conversation {name!r}\n")
            for line in trigger_lines(evaluations, name, db=options.db):
                sys.stdout.write(f"{line}\n")
            if added and not evaluations:
                sys.stdout.write(f"dissolve them: {hint('run', name, db=options.db)}\n")
    return Exit.OK


def extended(work: UnitOfWork, given: Conversation) -> int:
    """How many turns were new. Raises InputError for a stored turn that differs: here the conversation is named."""
    try:
        return work.conversations.extend(given)
    except ChangedPast as error:
        remedy = "a stored past is never rewritten; give the grown file, or with --after N the turns that follow turn N"
        raise InputError(error.what, remedy) from error


def in_words(added: int, turns: int) -> str:
    """How many turns were added, and which."""
    if added == 0:
        return f"nothing new: {turns} turns"
    if added == 1:
        return f"1 turn added: turn {turns}"
    return f"{added} turns added: {turns - added + 1} to {turns}"


def placed_after(stored: Conversation, given: Conversation, after: int) -> Conversation:
    """The stored conversation up to turn `after`, then the given turns under the numbers that follow.

    Given once more, the same turns after the same number add nothing. Raises UnknownTurn.
    """
    kept = stored.snapshot(after).turns if after else ()
    turns = (*kept, *(_renumbered(turn, after) for turn in given.turns))
    redactions = (
        *(one for one in stored.redactions if one.turn <= after),
        *(Redaction(turn=one.turn + after, kind=one.kind, placeholder=one.placeholder) for one in given.redactions),
    )
    known = (
        *(one for one in stored.known if one.turn <= after),
        *(one.model_copy(update={"turn": one.turn + after}) for one in given.known),
    )
    return stored.model_copy(update={"turns": turns, "redactions": redactions, "known": known})


def _renumbered(turn: Turn, after: int) -> Turn:
    return turn.model_copy(update={"number": turn.number + after})
