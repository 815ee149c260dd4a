"""`dissolve explain`: one claim with everything that was said for and against it."""

import json
import sys

from rich.console import Console
from rich.text import Text

from cli.shared.exits import Exit
from cli.shared.naming import the_statement
from cli.shared.output import printing
from cli.shared.views import MARK_WORDS, console, heading, support_words
from dissolution.boundary import BoundaryState
from dissolution.claims import Claim, Dissent
from dissolution.conversation import Conversation
from dissolution.settings import load_settings
from prompts.export.dissent_words import dissent_in_words
from prompts.export.notes import standing_notes
from prompts.export.reason_words import placed_in_words, reason_in_words
from workers.bootstrap import open_services


def explain_claim(beginning: str, *, db: str | None, as_json: bool) -> Exit:
    """Print a claim's or a dissent's support, evidence and what else was said about it."""
    with open_services(load_settings(db=db), create=False, reading=True) as services, services.unit_of_work() as work:
        found, boundary = the_statement(work, beginning)
        conversation = work.conversations.get(boundary.conversation)
    with printing(Exit.OK):
        if as_json:
            sys.stdout.write(json.dumps(found.model_dump(mode="json"), ensure_ascii=False, indent=1) + "\n")
        else:
            out = console()
            print_statement(out, found, boundary, conversation)
            print_others(out, found, boundary)
    return Exit.OK


def print_statement(out: Console, found: Claim | Dissent, boundary: BoundaryState, conversation: Conversation) -> None:
    """What it says, who said it in which words, and where it stands in the conversation."""
    heading(out, f"{found.id} [{found.section.value}] {found.text}")
    where = f"boundary version {boundary.version} of {boundary.conversation!r}, job {boundary.job}"
    if isinstance(found, Dissent):
        out.print(Text(f"dissent, not part of {where}: {dissent_in_words(found)}"))
    else:
        end = "open" if found.valid.end is None else f"until turn {found.valid.end}"
        notes = (*(MARK_WORDS[mark] for mark in found.marks), *standing_notes(found))
        marks = "".join(f", {note}" for note in notes)
        out.print(Text(f"{where}; holds from turn {found.valid.start}, {end}{marks}"))
        out.print(Text(f"why in {found.section.value}: {placed_in_words(found)}"))
        print_closing(out, found)
    heading(out, f"Said by {support_words(found.support)}")
    for statement in found.statements:
        cited = f" (cites turns {', '.join(map(str, statement.claim.turns))})" if statement.claim.turns else ""
        out.print(Text(f"• {statement.member} of {statement.family}: “{statement.claim.text}”{cited}"))
    heading(out, f"Evidence ({len(found.evidence)})")
    for piece in found.evidence:
        turn = conversation.turn(piece.turn)
        place = f"turn {piece.turn}, {turn.speaker}, characters {piece.start}–{piece.end}"
        out.print(Text(f"• {place}{', quoted material' if turn.is_quoted(piece) else ''}:\n  “{piece.text}”"))
    if not found.evidence:
        out.print(Text("none"))


def print_closing(out: Console, claim: Claim) -> None:
    """How a claim ended, by what and on which words; nothing for one that is held."""
    closing = claim.closing
    if closing is None:
        return
    by = f" by {closing.by}" if closing.by else ""
    out.print(Text(f"{closing.state.value}{by}: {reason_in_words(closing.reason)}"))
    for piece in closing.evidence:
        out.print(Text(f"• turn {piece.turn}: “{piece.text}”"))


def print_others(out: Console, found: Claim | Dissent, boundary: BoundaryState) -> None:
    """What was said against it, or what it was said against."""
    if isinstance(found, Dissent):
        against = {claim.id: claim for claim in boundary.claims if claim.id in found.against}
        heading(out, f"Against ({len(against)})")
        for claim in against.values():
            out.print(Text(f"• {claim.id} [{claim.section.value}] {claim.text}"))
        return
    others = [item for item in boundary.dissent if found.id in item.against]
    heading(out, f"What else was said about it ({len(others)})")
    for item in others:
        out.print(Text(f"• {item.id} set aside: {item.text} — {support_words(item.support)}"))
        out.print(Text(f"    {dissent_in_words(item)}", style="dim"))
