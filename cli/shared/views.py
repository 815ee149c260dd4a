"""Boundaries and dissent for a person at a terminal."""

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.text import Text

from cli.shared.output import ResultConsole, hint
from dissolution.boundary import BoundaryState
from dissolution.claims import Claim, Dissent, Evidence, Mark, Section, Support
from dissolution.conversation import Conversation
from dissolution.values import NotMeasured
from prompts.export.dissent_words import dissent_in_words
from prompts.export.notes import standing_notes

EVIDENCE_CHARS = 150
DISSENT_SHOWN = 8
PLAIN_WIDTH = 120
MARK_WORDS = {
    Mark.SINGLE_SOURCE: "one family alone states it",
    Mark.CONTESTED: "contradicted, and no turn settles it",
    Mark.PINNED: "pinned",
    Mark.CONFIRMED: "confirmed",
}


def console() -> Console:
    """A console on stdout; a fixed width when it is not a terminal, so that output does not depend on the machine."""
    out = ResultConsole(highlight=False)
    return out if out.is_terminal else ResultConsole(highlight=False, width=PLAIN_WIDTH)


def heading(out: Console, text: str) -> None:
    """A section heading."""
    out.print()
    out.print(Text(text, style="bold"))


def shortened(text: str, limit: int = EVIDENCE_CHARS) -> str:
    """One line of at most `limit` characters."""
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def support_words(support: Support) -> str:
    """Families with their count."""
    count = len(support.families)
    return f"{count} {'family' if count == 1 else 'families'}: {', '.join(support.families)}"


def evidence_lines(evidence: Sequence[Evidence], conversation: Conversation) -> Iterable[str]:
    """One line for each piece of evidence."""
    for piece in evidence:
        yield f"turn {piece.turn}, {conversation.turn(piece.turn).speaker}: “{shortened(piece.text)}”"


def print_boundary(out: Console, boundary: BoundaryState, conversation: Conversation) -> None:
    """The four sections, each claim with its support and first evidence."""
    state = f"boundary version {boundary.version}" if boundary.version else "candidate, not committed"
    heading(out, f"{conversation.title or conversation.id} — {state}, through turn {boundary.through}")
    print_excerpts(out, boundary)
    for section in Section if boundary.claims or not boundary.unread else ():
        claims = boundary.section(section)
        heading(out, f"{section.value} ({len(claims)})")
        for claim in claims:
            print_claim(out, claim, conversation)


def print_excerpts(out: Console, boundary: BoundaryState) -> None:
    """The excerpts with turn and speaker, in the order in which they were said; nothing without any."""
    if not boundary.excerpts:
        return
    heading(out, f"EXCERPTS ({len(boundary.excerpts)}): what was said, read by nobody; the newest words stand last")
    for excerpt in boundary.excerpts:
        passed_on = ", passed on" if excerpt.quoted else ""
        said = f"turn {excerpt.turn}, {excerpt.speaker}{passed_on}: "
        out.print(Text.assemble(("• ", "bold"), (said, "dim"), f"“{' '.join(excerpt.text.split())}”"))


def print_claim(out: Console, claim: Claim, conversation: Conversation, *, section: bool = False) -> None:
    """One claim: its words, its support, its first evidence; with `section` its section before it."""
    notes = (*(MARK_WORDS[mark] for mark in claim.marks), *standing_notes(claim))
    marks = "".join(f" [{note}]" for note in notes)
    where = f"[{claim.section.value}] " if section else ""
    out.print(Text.assemble(("• ", "bold"), where, claim.text, (marks, "yellow")), soft_wrap=False)
    first = next(iter(evidence_lines(claim.evidence, conversation)), "no evidence needed: an open question")
    more = f" (+{len(claim.evidence) - 1})" if len(claim.evidence) > 1 else ""
    out.print(Text(f"    {claim.id}  {support_words(claim.support)}", style="dim"))
    out.print(Text(f"    {first}{more}", style="dim"))


def print_dissent(out: Console, boundary: BoundaryState, *, full: bool, db: str | None) -> None:
    """What was heard and not admitted; the first few unless `full`."""
    dissent: tuple[Dissent, ...] = boundary.dissent
    heading(out, f"DISSENT ({len(dissent)}): heard, kept, not part of the boundary")
    for item in dissent if full else dissent[:DISSENT_SHOWN]:
        out.print(Text.assemble(("• ", "bold"), f"[{item.section.value}] {item.text}"))
        often = f" (said in {item.cycles} cycles)" if item.cycles > 1 else ""
        out.print(Text(f"    {item.id}  set aside: {dissent_in_words(item)}{often}", style="dim"))
        out.print(Text(f"    {support_words(item.support)}; members {', '.join(item.support.members)}", style="dim"))
        if full:
            print_dissent_in_full(out, item, boundary)
    if not full and len(dissent) > DISSENT_SHOWN:
        rest = hint("show", boundary.job, "--dissent", db=db)
        out.print(Text(f"  … {len(dissent) - DISSENT_SHOWN} more: {rest}", style="dim"), soft_wrap=True)


def print_dissent_in_full(out: Console, item: Dissent, boundary: BoundaryState) -> None:
    """Each voter's own words, and what the dissent is against, in words."""
    for statement in item.statements:
        out.print(Text(f"    {statement.member} of {statement.family}: “{statement.claim.text}”", style="dim"))
    texts = {other.id: other.text for other in (*boundary.claims, *boundary.dissent)}
    for opponent in item.against:
        words = f" “{texts[opponent]}”" if opponent in texts else ""
        out.print(Text(f"    against {opponent}{words}", style="dim"))


def figure(value: object, form: str = "") -> str:
    """A figure, or in a table's cell that there is none; the reason stands in the lines below it and in --json."""
    return "not measured" if isinstance(value, NotMeasured) else format(value, form)


def in_words(value: object, unit: str = "", form: str = "") -> str:
    """A figure with its unit, or in words why there is none."""
    if isinstance(value, NotMeasured):
        return str(value)
    return f"{format(value, form)}{' ' if unit else ''}{unit}"
