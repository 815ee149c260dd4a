"""Boundaries, dissent and receipts for a person at a terminal."""

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from cli.output import ResultConsole, hint
from cli.probe_views import receipt_lines
from cli.results import Result
from dissolution.boundary import BoundaryState
from dissolution.boundary_size import SEND_HISTORY, size_in_words
from dissolution.claims import Claim, Dissent, Evidence, Mark, Section, Support
from dissolution.conversation import Conversation
from dissolution.effort import Effort
from dissolution.estimates import sent_in_words
from dissolution.excerpts import NOBODY_HAS_READ
from dissolution.findings import GateDecision, StageState, Verdict
from dissolution.job import JobStatus
from dissolution.receipt import ConsensusReport, Cost, MemberReport, Receipt
from dissolution.values import NotMeasured
from prompts.export.notes import standing_notes

EVIDENCE_CHARS = 150
DISSENT_SHOWN = 8
PLAIN_WIDTH = 120
MARK_WORDS = {
    Mark.SINGLE_SOURCE: "single source",
    Mark.CONTESTED: "contested",
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
        out.print(Text(f"    {item.id}  {item.reason.value}: {item.detail}{often}", style="dim"))
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


def print_receipt(out: Console, receipt: Receipt, *, full: bool) -> None:
    """Who was asked, what came back, what was kept, and at what cost."""
    heading(out, f"RECEIPT of job {receipt.job}")
    out.print(f"fleet: {receipt.fleet}; language: {receipt.language.code}; software {receipt.software}")
    out.print(members_table(receipt.members))
    print_figures(out, receipt)
    for line in receipt_lines(receipt.probe):
        out.print(Text(line), soft_wrap=True)
    if receipt.redactions:
        kinds = ", ".join(f"{kind} × {count}" for kind, count in sorted(receipt.redactions.items()))
        out.print(Text(f"secrets replaced at reading: {kinds}"))
    for stage in receipt.stages:
        if full or stage.state is not StageState.RAN:
            out.print(Text(f"stage {stage.stage}: {stage.state.value}{f' ({stage.reason})' if stage.reason else ''}"))
    if full:
        if receipt.cost.by_stage:
            out.print(cost_table(receipt.cost))
        out.print(
            Text(f"policy {receipt.policy.name} ({receipt.policy_digest[:12]}): {receipt.policy.model_dump_json()}")
        )


def members_table(members: Sequence[MemberReport]) -> Table:
    """One row for each member that was asked."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    windowed = any(report.windows > 1 for report in members)
    windows = ("windows",) if windowed else ()
    for name in ("member", "family", "kind", "outcome", "statements", *windows, "seconds", "tokens in/out", "USD"):
        table.add_column(name, justify="right" if name in {"statements", "windows", "seconds"} else "left")
    for report in members:
        outcome = report.answer_class or report.failure or "not landed"
        usage = report.usage
        tokens = (
            figure(usage)
            if isinstance(usage, NotMeasured)
            else f"{figure(usage.input_tokens)}/{figure(usage.output_tokens)}"
        )
        table.add_row(
            Text(report.card.name),
            Text(report.card.family),
            report.card.kind.value,
            f"{outcome}{', late' if report.late else ''}",
            str(report.statements or report.chosen),
            *((str(report.windows),) if windowed else ()),
            figure(report.latency_s, ".1f"),
            tokens,
            figure(usage if isinstance(usage, NotMeasured) else usage.cost_usd),
        )
    return table


def print_figures(out: Console, receipt: Receipt) -> None:
    """Quorum, consensus and cost in a line each."""
    quorum, consensus, cost = receipt.quorum, receipt.consensus, receipt.cost
    if isinstance(quorum, NotMeasured):
        out.print(Text(f"quorum: {quorum}"))
    else:
        rule = f"{quorum.min_members} members of {quorum.min_families} families"
        state = "met" if quorum.met else "not met"
        out.print(f"quorum ({rule}): {state}, {quorum.answered} of {quorum.asked} from {len(quorum.families)} families")
    if isinstance(consensus, NotMeasured):
        out.print(Text(f"consensus: {consensus}"))
    elif consensus.unread:
        out.print(f"{consensus.excerpts} excerpts; extraction methods state nothing")
        print_changes(out, consensus)
    else:
        kept = ", ".join(f"{section} {count}" for section, count in consensus.kept.items())
        dropped = ", ".join(f"{reason} {count}" for reason, count in consensus.dissent.items()) or "none"
        out.print(f"{consensus.statements} statements in {consensus.groups} meanings; kept: {kept}; dissent: {dropped}")
        agreement = in_words(consensus.measures.claim_agreement, form=".2f")
        print_changes(out, consensus)
        out.print(Text(f"claim agreement {agreement}; {consensus.single_source} claims on a single source"))
    out.print(Text(f"cost: {in_words(cost.used_usd, 'USD')} (cap {cost.cap_usd} USD)"))
    out.print(Text(f"expected before: {in_words(cost.estimated_usd, 'USD')}"))
    out.print(Text(sent_in_words(cost.histories, cost.histories_with_caches)))
    if receipt.policy.effort is not Effort.STANDARD:
        out.print(Text(f"effort: {receipt.policy.effort.value}"))
    for name, tokens in (
        ("input", cost.used_input_tokens),
        ("cached input", cost.used_cached_input_tokens),
        ("output", cost.used_output_tokens),
    ):
        out.print(Text(f"{name} tokens: {in_words(tokens)}"))


def print_changes(out: Console, consensus: ConsensusReport) -> None:
    """What became of the claims held before, and each that the answers would have lost; nothing in a first cycle."""
    if consensus.prior_version == 0:
        return
    counts = ", ".join(f"{count} {kind.value}" for kind, count in consensus.changes.items()) or "no change"
    out.print(Text(f"against version {consensus.prior_version} of the ledger: {counts}"))
    if consensus.hints:
        out.print(Text(f"{len(consensus.hints)} hints of what may have ended or may say the same; they decide nothing"))
    for change in consensus.temporal_errors:
        out.print(Text(f"temporal error, repaired: {change.claim}: {change.reason}", style="yellow"))


def cost_table(cost: Cost) -> Table:
    """What was used by stage, then by member."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("cost of", "calls", "replies", "tokens in", "cached", "out", "USD", "histories", "with caches"):
        table.add_column(name, justify="left" if name == "cost of" else "right")
    for kind, lines in (("stage", cost.by_stage), ("member", cost.by_member)):
        for line in lines:
            table.add_row(
                Text(f"{kind} {line.of}"),
                str(line.calls),
                str(line.replies),
                figure(line.input_tokens),
                figure(line.cached_input_tokens),
                figure(line.output_tokens),
                figure(line.usd),
                figure(line.histories, ".1f"),
                figure(line.histories_with_caches, ".1f"),
            )
    return table


def print_verdict(out: Console, result: Result) -> None:
    """The verdict with its reasons in one line, or that there is none."""
    decision = result.boundary.decision
    if result.undecided is not None:
        out.print(Text(f"not decided: the job is {result.job.status.value}", style="yellow"))
        return
    style = "green" if decision.verdict is Verdict.COMMIT else "yellow"
    if result.boundary.unread:
        out.print(Text(f"{NOBODY_HAS_READ} — verdict: {decision.verdict.value}", style=style))
        for reason in decision.reasons:
            if reason != NOBODY_HAS_READ:
                out.print(Text(f"  {reason}", style="dim"))
        print_change(out, decision)
        return
    out.print(Text(f"verdict: {decision.verdict.value} — {'; '.join(decision.reasons)}", style=style))
    print_change(out, decision)


def print_change(out: Console, decision: GateDecision) -> None:
    """What would change the end, in a line of its own."""
    if decision.would_change is not None:
        out.print(Text(f"to change it — {decision.would_change}"), soft_wrap=True)


def print_size(out: Console, result: Result, *, db: str | None) -> None:
    """Tokens before and after, what had no room and where it is, and whether the history is the shorter of the two."""
    receipt = result.receipt
    size = None if receipt is None else receipt.size
    if size is None or isinstance(size, NotMeasured):
        return
    for line in size_in_words(size, hint("show", result.job.id, "--dissent", db=db)):
        out.print(Text(line, style="yellow" if line == SEND_HISTORY else ""), soft_wrap=True)


def print_ending(out: Console, result: Result, *, db: str | None) -> None:
    """The verdict again, as what was printed in between is long, the size, and where to go from here."""
    out.print()
    print_verdict(out, result)
    print_size(out, result, db=db)
    job, boundary = result.job.id, result.boundary
    if boundary.version is None:
        out.print(Text("No boundary is committed: the history stays in force."))
    if result.undecided is not None:
        ways = ("preview", "commit", "discard") if result.job.status is JobStatus.HELD else ("resume",)
        go_on = " · ".join(hint(way, job, db=db) for way in ways)
        out.print(Text(f"go on: {go_on}", style="dim"), soft_wrap=True)
        return
    read_on = [hint("show", job, db=db)]
    if boundary.version is not None and boundary.claims:  # what was not committed has no ids in the store
        read_on.append(hint("explain", boundary.claims[0].id, db=db))
    out.print(Text(f"read on: {' · '.join(read_on)}", style="dim"), soft_wrap=True)
