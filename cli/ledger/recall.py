"""`dissolve recall`: claims, dissent and turns by words, section and time."""

import json
import sys
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from cli.run.asof import When, moment_of
from cli.shared.exits import Exit
from cli.shared.naming import check_conversation
from cli.shared.output import printing
from cli.shared.views import console, evidence_lines, heading, print_claim
from dissolution.claims import Section
from dissolution.conversation import Conversation
from dissolution.errors import InputError
from dissolution.ledger import Query
from dissolution.recall_kinds import RecallBy, RecallKind
from dissolution.recalling import WORDS_LENGTH, Became, Recalled, RecallQuery, RecallResult
from dissolution.settings import load_settings
from prompts.export.dissent_words import dissent_in_words
from prompts.export.document import claim_document
from workers.bootstrap import open_services
from workers.tenants.recall import recall_of


@dataclass(frozen=True, kw_only=True)
class RecallOptions:
    """What was given on the command line of `dissolve recall`."""

    conversation: str
    text: str | None
    section: str | None
    when: When
    every_state: bool
    limit: int
    db: str | None
    as_json: bool
    kinds: tuple[RecallKind, ...] = ()  # every one if empty
    match: RecallBy = RecallBy.AUTO


def recall(options: RecallOptions) -> Exit:
    """Print what fits, best first; of claims by default those that are held.

    Nothing is written but vectors, and those only when meaning is asked for.
    """
    check_words(options.text)
    reading = options.match is not RecallBy.MEANING
    with open_services(load_settings(db=options.db), create=False, reading=reading) as services:
        with services.unit_of_work.reading() as work:
            check_conversation(work, options.conversation)
            conversation = work.conversations.get(options.conversation)
            moment = moment_of(options.when, work.ledger.events(options.conversation), conversation)
        query = RecallQuery(
            text=options.text,
            fit=Query(
                section=None if options.section is None else Section(options.section),
                at=moment,
                open_only=not options.every_state,
                limit=options.limit,
            ),
            kinds=frozenset(options.kinds or RecallKind),
            match=options.match,
        )
        found = recall_of(services, waits=True)(options.conversation, query)
    with printing(Exit.OK):
        if options.as_json:
            print_json(found, options.text, conversation)
        else:
            print_found(console(), found, conversation)
    return Exit.OK


def check_words(text: str | None) -> None:
    """Raise InputError for words that can find nothing."""
    if text is not None and not text.strip():
        raise InputError(f"text {text!r}", "give words to look for, or leave it out")
    if text is not None and len(text) > WORDS_LENGTH:
        raise InputError(f"text of {len(text)} characters", f"give at most {WORDS_LENGTH}")


def print_json(found: Recalled, text: str | None, conversation: Conversation) -> None:
    """One document: the results in their order, and the claims among them whole."""
    document = {
        "conversation": found.conversation,
        "text": text,
        "matched_by": found.matched_by.value,
        "notes": list(found.notes),
        "results": [one.model_dump(mode="json") for one in found.results],
        "claims": [claim_document(claim, conversation) for claim in found.claims],
    }
    sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=1) + "\n")


def print_found(out: Console, found: Recalled, conversation: Conversation) -> None:
    """The results in their order, each with its turn and words."""
    heading(out, f"{len(found.results)} found in {found.conversation!r}")
    for one in found.results:
        _print_result(out, one, conversation)
    for note in found.notes:
        out.print(Text(note, style="dim"))


def _print_result(out: Console, one: RecallResult, conversation: Conversation) -> None:
    if one.claim is not None:
        print_claim(out, one.claim, conversation, section=True)
    elif one.dissent is not None:
        out.print(Text.assemble(("• ", "bold"), f"[{one.dissent.section.value}] {one.text}", (" [dissent]", "yellow")))
        out.print(Text(f"    {one.id}  set aside: {dissent_in_words(one.dissent)}", style="dim"))
        for line in list(evidence_lines(one.words, conversation))[:1]:
            out.print(Text(f"    {line}", style="dim"))
    else:
        out.print(Text.assemble(("• ", "bold"), f"turn {one.id}, {one.speaker}: “{' '.join(one.text.split())}”"))
        for became in one.became:
            out.print(Text(f"    {_stands(became)}", style="dim"))


def _stands(became: Became) -> str:
    """How a claim that rests on the turn stands now, in words."""
    by = f" by {became.by}" if became.by else ""
    return (
        f"{became.claim} rests on it"
        if became.state.value == "current"
        else f"{became.claim}: {became.state.value}{by}"
    )
