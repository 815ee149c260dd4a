"""The frame for a person: findings first, then challenges, lock-in, and the register as a table."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from cli.shared.views import heading, shortened
from dissolution.framing import Challenge, Finding, LockIn
from dissolution.premises import PLAIN_STATUSES, Premise
from dissolution.receipt.frame import FrameSummary, ReviewReader
from dissolution.reviewing import Hint
from dissolution.values import NotMeasured
from frame_agent.challenge.adoption import challenge_id
from prompts.export.frame_notes import nothing_found
from prompts.export.reason_words import FAULT_WORDS, fault_in_words


def print_findings(out: Console, findings: Sequence[Finding], blocked: Sequence[str] = (), none: str = "none") -> None:
    """Each finding with who says it, on which words, and what was done; `none` where there is none."""
    heading(out, f"Findings ({len(findings)})")
    if not findings:
        out.print(Text(none))
    for one in findings:
        about = " / ".join(f"{each.section.value}: {shortened(each.text, 200)}" for each in one.claims)
        fault = fault_in_words(one)
        out.print(Text(f"• {fault}: {about}" if about else f"• {fault}"))
        for claim in one.claims:
            out.print(Text(f"    claim {claim.claim}"))
        for piece in one.evidence:
            out.print(Text(f"    turn {piece.turn}: “{shortened(piece.text)}”"))
        families = f" ({counted(len(one.families))})" if one.families else ""
        out.print(Text(f"    said by {', '.join(one.told_by)}{families}"))
        out.print(Text(f"    {one.outcome}"))
    for reason in blocked:
        out.print(Text(f"keeps it from being committed: {reason}", style="red"))


def counted(families: int) -> str:
    """How many families, in words."""
    return f"{families} {'family' if families == 1 else 'families'}"


def print_hints(out: Console, hints: Sequence[Hint]) -> None:
    """What rules and fitted models suspect, called what it is; nothing when there is none."""
    if not hints:
        return
    heading(out, f"Hints ({len(hints)}): suspicions of a machine, on which nothing rests")
    for one in hints:
        share = "not measured" if isinstance(one.probability, NotMeasured) else f"{one.probability:.2f}"
        about = ", ".join(one.claims) or "no claim"
        out.print(Text(f"• {FAULT_WORDS[one.suspects]}? {about} (probability {share}; {one.basis})"))
        if one.evidence is not None:
            out.print(Text(f"    turn {one.evidence.turn}: “{shortened(one.evidence.text)}”"))


def print_challenges(out: Console, challenges: tuple[Challenge, ...] | NotMeasured) -> None:
    """Framings that the conversation never considered, or why nobody named any."""
    if isinstance(challenges, NotMeasured):
        heading(out, "Challenges")
        out.print(Text(str(challenges)))
        return
    heading(out, f"Challenges ({len(challenges)})")
    for one in challenges:
        out.print(Text(f"• {one.alternative}"))
        out.print(Text(f"    instead of: {one.proposition} (accepted at turn {one.turn})"))
        out.print(Text(f"    leads to: {one.leads_to}"))
        out.print(Text(f"    what would tell: {one.test}"))
        out.print(Text(f"    {challenge_id(one)}, leverage {one.leverage:g}, by {one.member}"))


def print_summary(out: Console, summary: FrameSummary | NotMeasured) -> None:
    """Findings and challenges of a job, or why there are none."""
    if isinstance(summary, NotMeasured):
        heading(out, "Findings")
        out.print(Text(str(summary)))
        return
    print_findings(out, summary.findings, summary.blocked, nothing_found(summary))
    for one in summary.again:
        heading(out, f"After repair {one.round}")
        print_findings(out, one.findings, one.blocked)
    print_hints(out, summary.hints)
    print_challenges(out, summary.challenges)
    for reader in summary.readers:
        told = f"{reader.premises} premises, {reader.new} new" if reader.failure is None else reader.failure.value
        out.print(Text(f"read by {reader.member}: {told}{f' ({reader.detail})' if reader.detail else ''}"))
    for one in summary.reviewers:
        out.print(Text(f"reviewed by {one.member} ({one.family}): {reviewed(one)}"))


def reviewed(one: ReviewReader) -> str:
    """What came of one reviewer, in words."""
    counts = [f"{one.remarks} {'remark' if one.remarks == 1 else 'remarks'}"]
    counts += [f"{one.unproved} without proof"] if one.unproved else []
    counts += [f"{one.unread} claims not read"] if one.unread else []
    why = [word for word in (one.failure.value if one.failure else "", one.detail) if word]
    return ", ".join(counts) + (f" ({': '.join(why)})" if why else "")


def print_lock_in(out: Console, measured: LockIn | NotMeasured) -> None:
    """Lock-in with its parts."""
    if isinstance(measured, NotMeasured) or isinstance(measured.value, NotMeasured):
        out.print(Text(f"lock-in: {measured if isinstance(measured, NotMeasured) else measured.value}"))
        return
    parts = f"share {measured.share:.2f}, depth {measured.depth:.2f}, age {measured.age:.2f}"
    rests = "how far what is open rests on what nobody confirmed, 0 to 1"
    out.print(Text(f"lock-in at turn {measured.turn}: {measured.value:.2f}, {rests} ({parts})"))


def shown_premises(premises: Sequence[Premise], *, every: bool) -> tuple[Premise, ...]:
    """The premises that are shown: all, or those that are in doubt or that something rests on."""
    return tuple(one for one in premises if every or one.status not in PLAIN_STATUSES or one.open_dependants)


def print_register(out: Console, premises: Sequence[Premise], *, every: bool) -> None:
    """The register as a table, and how many premises it leaves out."""
    shown = shown_premises(premises, every=every)
    heading(out, f"Taken for granted ({len(premises)} premises)")
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("id", "status", "scope", "since", "by", "accepted", "rests"):
        table.add_column(name, no_wrap=name != "accepted")
    table.add_column("proposition", overflow="fold", ratio=1)
    for one in shown:
        accepted = ", ".join(f"{a.how.value.replace('_', ' ')} (turn {a.turn})" for a in one.accepted[-2:]) or "–"
        resting = f"{len(one.open_dependants)} of {len(one.dependants)}" if one.dependants else "–"
        status = one.status.value.replace("_", " ")
        cells = (one.id, status, one.scope.value.replace("_", " "), f"turn {one.turn}", one.speaker, accepted, resting)
        table.add_row(*(Text(cell) for cell in cells), Text(shortened(one.proposition, 200)))
    out.print(table)
    if len(shown) < len(premises):
        left = f"{len(premises) - len(shown)} plain premises that nothing rests on are left out: --all"
        out.print(Text(left, style="dim"))
    for one in shown:
        if len({reading.status for reading in one.readings}) > 1:
            said = ", ".join(f"{reading.reader} {reading.status.value}" for reading in one.readings)
            out.print(Text(f"readers disagree on {one.id}: {said}"))
