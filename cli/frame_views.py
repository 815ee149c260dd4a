"""The frame for a person: findings first, then challenges, lock-in, and the register as a table."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from cli.views import heading, shortened
from dissolution.frame_receipt import ClaimReader, FrameSummary
from dissolution.framing import RULES, Challenge, Finding, LockIn
from dissolution.premises import Premise, PremiseStatus
from dissolution.values import NotMeasured
from frame_agent.adopting import challenge_id

PLAIN = frozenset({PremiseStatus.ASSERTED, PremiseStatus.CONFIRMED})
"""Status of premises that the table leaves out when nothing rests on them."""


def print_findings(out: Console, findings: Sequence[Finding], blocked: Sequence[str] = ()) -> None:
    """Each finding with what was done about it; a line when there is none."""
    heading(out, f"Findings ({len(findings)})")
    if not findings:
        out.print(Text("nothing was promoted, lost, misattributed or made up"))
    for one in findings:
        done = "disputed" if one.disputed else one.action.value
        out.print(Text(f"• [{one.severity.value}] {one.kind.value}, {done}: {one.words}"))
        if one.claim is not None:
            out.print(Text(f"    claim {one.claim}"))
        for piece in one.evidence:
            out.print(Text(f"    turn {piece.turn}: “{shortened(piece.text)}”"))
        if one.told_by != (RULES,) or one.disputed_by:
            against = f"; read otherwise by {', '.join(one.disputed_by)}" if one.disputed_by else ""
            out.print(Text(f"    told by {', '.join(one.told_by)}{against}"))
        if one.outcome is not None:
            out.print(Text(f"    {one.outcome}"))
    for reason in blocked:
        out.print(Text(f"blocked: {reason}", style="red"))


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
    print_findings(out, summary.findings, summary.blocked)
    for one in summary.again:
        heading(out, f"After repair {one.round}")
        print_findings(out, one.findings, one.blocked)
    print_challenges(out, summary.challenges)
    for reader in summary.readers:
        told = f"{reader.premises} premises, {reader.new} new" if reader.failure is None else reader.failure.value
        out.print(Text(f"read by {reader.member}: {told}{f' ({reader.detail})' if reader.detail else ''}"))
    for auditor in summary.auditors:
        out.print(Text(f"audited by {auditor.member} ({auditor.family}): {audited(auditor)}"))


def audited(auditor: ClaimReader) -> str:
    """What came of one auditor, in words."""
    counts = [f"{auditor.read} claims read", f"{auditor.faults} at fault"]
    counts += [f"{auditor.unproved} faults without proof"] if auditor.unproved else []
    counts += [f"{auditor.unread} claims not read"] if auditor.unread else []
    why = [word for word in (auditor.failure.value if auditor.failure else "", auditor.detail) if word]
    return ", ".join(counts) + (f" ({': '.join(why)})" if why else "")


def print_lock_in(out: Console, measured: LockIn | NotMeasured) -> None:
    """Lock-in with its parts."""
    if isinstance(measured, NotMeasured) or isinstance(measured.value, NotMeasured):
        out.print(Text(f"lock-in: {measured if isinstance(measured, NotMeasured) else measured.value}"))
        return
    parts = f"share {measured.share:.2f}, depth {measured.depth:.2f}, age {measured.age:.2f}"
    out.print(Text(f"lock-in at turn {measured.turn}: {measured.value:.2f} ({parts})"))


def told(premises: Sequence[Premise], *, every: bool) -> tuple[Premise, ...]:
    """The premises that are shown: all, or those that are in doubt or that something rests on."""
    return tuple(one for one in premises if every or one.status not in PLAIN or one.open_dependants)


def print_register(out: Console, premises: Sequence[Premise], *, every: bool) -> None:
    """The register as a table, and how many premises it leaves out."""
    shown = told(premises, every=every)
    heading(out, f"Assumption register ({len(premises)} premises)")
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
