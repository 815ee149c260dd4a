"""What a job came to, on one screen: the verdict in words, and at most eleven lines of what counts.

Each line has a long form and shorter ones; the longest that fits is printed, so that a narrow terminal shows as many.
"""

from collections.abc import Sequence
from textwrap import wrap
from typing import NamedTuple

from rich.console import Console
from rich.text import Text

from cli.run.asked_of import asked_of
from cli.run.results import Result
from cli.run.verdict import told_of
from cli.shared.output import hint
from dissolution.boundary_size import BoundarySize
from dissolution.claims import DissentReason, Mark, Section
from dissolution.job import JobStatus
from dissolution.receipt.job_receipt import Receipt
from dissolution.values import NotMeasured
from prompts.export.verdict_words import BoundaryStanding, counted

MOST_LINES = 12
LABEL = 11
"""Columns of the labels, with the space behind them."""

TOLD_LINES = 2
"""Lines that the verdict may take before it is told in few words."""

LESS = ("covers", "set aside", "asked")
"""Labels of lines that a narrow terminal goes without, the first one first, when there are too many."""


class Row(NamedTuple):
    """One line: its label and its value, the longest form first.

    Attributes:
        label: What it is about.
        forms: The longest that fits is printed; the last one is continued on further lines where none does.
        lines: Lines that a form may take.
        command: Whether it is something to type, which is never broken.
    """

    label: str
    forms: tuple[str, ...]
    lines: int = 1
    command: bool = False


def print_screen(out: Console, result: Result, *, db: str | None, read: bool = False) -> None:
    """Print it: the verdict, and a line for each thing that counts.

    Args:
        out: Where; in a pipe every line is whole, however long.
        result: The job.
        db: The database named on the command line, for the next command.
        read: Whether its reader has read the boundary; then another command comes next.
    """
    told = told_of(result)
    style = "bold green" if told.standing is BoundaryStanding.PROVEN else "bold yellow"
    width = out.width if out.is_terminal else None
    head = fitting(Row("", (told.told, told.brief), lines=TOLD_LINES), width, indent=0)
    below = [(row.label, fitting(row, width, indent=LABEL)) for row in rows(result, db=db, read=read)]
    for label in LESS:
        if len(head) + sum(len(lines) for _, lines in below) > MOST_LINES:
            below = [(other, lines) for other, lines in below if other != label]
    for line in head:
        out.print(Text(line, style=style), soft_wrap=True)
    for label, (first, *more) in below:
        out.print(Text.assemble((f"{label:<{LABEL}}", "dim"), first), soft_wrap=True)
        for line in more:
            out.print(Text(" " * LABEL + line), soft_wrap=True)


def fitting(row: Row, width: int | None, *, indent: int) -> list[str]:
    """The lines of the longest form that fits, or of the last one.

    Args:
        row: What is printed.
        width: Columns of the terminal; None where there is none, and a line may be of any length.
        indent: Columns that stand before each line.
    """
    if width is None or row.command:
        return [row.forms[0]]
    wrapped = [wrap(form, max(1, width - indent)) or [""] for form in row.forms]
    return next((lines for lines in wrapped if len(lines) <= row.lines), wrapped[-1])


def print_verdict(out: Console, result: Result) -> None:
    """The verdict in words, and what would change it, both in full."""
    told = told_of(result)
    style = "bold green" if told.standing is BoundaryStanding.PROVEN else "bold yellow"
    out.print(Text(told.told, style=style), soft_wrap=not out.is_terminal)
    if told.change:
        out.print(Text(f"to change it: {told.change}", style="dim"), soft_wrap=not out.is_terminal)


def rows(result: Result, *, db: str | None, read: bool = False) -> list[Row]:
    """Everything below the verdict, one line each; the next command is the last."""
    told, receipt = told_of(result), result.account
    found = [covers(result), *questions(result), *size(receipt), *holds(result), *aside(result)]
    found += [] if receipt is None else [Row("asked", asked_of(receipt)), cost(receipt)]
    if told.change:
        found.append(Row("to change", (told.change, told.change_brief), lines=2))
    return [*found, next_command(result, db=db, read=read)]


def covers(result: Result) -> Row:
    """Which turns of what, and the version that stands."""
    boundary, receipt = result.boundary, result.account
    version = f", version {boundary.version}" if boundary.version else ", not committed"
    secrets = 0 if receipt is None else sum(receipt.redactions.values())
    hidden = f"; {counted(secrets, 'secret')} replaced" if secrets else ""
    turns = f"turns 1 to {boundary.through}"
    return Row(
        "covers",
        (f"{turns} of {boundary.conversation}{version}{hidden}", f"{turns}{version}{hidden}", f"{turns}{version}"),
    )


def questions(result: Result) -> list[Row]:
    """How many test questions are answered right from the boundary, and by whom."""
    answered, receipt = result.answered, result.account
    if answered is None:
        return [] if receipt is None else [Row("questions", ("none was asked of it",))]
    policy = result.job.policy.probe
    right = f"{answered.right} of {answered.asked} answered right"
    reader = "by looking words up, without a model" if policy.reader is None else f"by {policy.reader}"
    judged = "" if policy.judge is None else f", judged by {policy.judge}"
    beside = f"{answered.history_right} from the full text"
    return [Row("questions", (f"{right} from it, {beside} ({reader}{judged})", f"{right} from it, {beside}", right))]


def size(receipt: Receipt | None) -> list[Row]:
    """Tokens before and after; nothing where they are not known."""
    measured = None if receipt is None else receipt.size
    if not isinstance(measured, BoundarySize) or isinstance(measured.share, NotMeasured):
        return []
    told = f"{measured.before_tokens:,} before, {measured.after_tokens:,} after ({measured.share:.0%})"
    brief = f"{measured.before_tokens:,}, now {measured.after_tokens:,} ({measured.share:.0%})"
    if not measured.send_history:
        return [Row("tokens", (told, brief))]
    return [Row("tokens", (f"{told}: it saves nothing, send the conversation itself", f"{told}: saves nothing", brief))]


def holds(result: Result) -> list[Row]:
    """What binds and what is open, or the excerpts of what nobody has read."""
    boundary, receipt = result.boundary, result.account
    if receipt is not None and isinstance(receipt.consensus, NotMeasured) and not boundary.claims:
        return []  # it ended before anything was stated
    found: list[Row] = []
    if boundary.excerpts:
        excerpts = counted(len(boundary.excerpts), "passage")
        found.append(Row("excerpts", (f"{excerpts}, word for word and in order", excerpts)))
    if boundary.unread and not boundary.claims:
        return found
    decided, rules = len(boundary.section(Section.DECIDED)), len(boundary.section(Section.IDENTITY))
    parts = f"{counted(decided, 'decision')}, {counted(rules, 'rule or role', 'rules and roles')}"
    contested = sum(Mark.CONTESTED in claim.marks for claim in boundary.claims)
    beside = f", {contested} contested" if contested else ""
    return [
        *found,
        Row("binds", (f"{decided + rules} ({parts})", str(decided + rules))),
        Row("open", (f"{counted(len(boundary.section(Section.EDGES)), 'question')}{beside}",)),
    ]


def aside(result: Result) -> list[Row]:
    """How many statements were heard and did not enter."""
    dissent = result.boundary.dissent
    if not dissent:
        return []
    heard = counted(len(dissent), "statement")
    room = sum(item.reason is DissentReason.SIZE for item in dissent)
    why = f", {room} for want of room" if room else ""
    return [Row("set aside", (f"{heard} kept with their reasons{why}: show --dissent", f"{heard}{why}", heard))]


def cost(receipt: Receipt) -> Row:
    """What was paid, and the tokens that models read and wrote."""
    used, cap = receipt.cost.used_usd, receipt.cost.cap_usd
    paid = "not known" if isinstance(used, NotMeasured) else f"{used.normalize():f} USD"
    read, wrote = receipt.cost.used_input_tokens, receipt.cost.used_output_tokens
    if isinstance(read, NotMeasured) or isinstance(wrote, NotMeasured):
        return Row("cost", (f"{paid} of at most {cap} USD; tokens not known", paid))
    told = f"{paid} of at most {cap} USD"
    return Row("cost", (f"{told}; models read {read:,} tokens and wrote {wrote:,}", told, paid))


def next_command(result: Result, *, db: str | None, read: bool) -> Row:
    """What to type next, on the database that was named."""
    return Row("next", (" · ".join(hint(*words, db=db) for words in _next(result, read=read)),), command=True)


def _next(result: Result, *, read: bool) -> Sequence[tuple[str, ...]]:
    job, boundary = result.job.id, result.boundary
    if result.job.status is JobStatus.HELD:
        return tuple((way, job) for way in ("preview", "commit", "discard"))
    if result.undecided is not None:
        return (("resume", job),)
    if boundary.version is None:
        why = "--receipt" if result.answered is None else "--probe"
        return (("show", job, why),) if result.receipt else (("show", job),)
    if not read:
        return (("show", job),)
    if boundary.claims:
        return (("explain", boundary.claims[0].id),)
    return (("show", job, "--as", "messages"),)
