"""A job's receipt for a person: tables of who was asked, what each stage did and cost, and what was kept."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from rich.console import Console
from rich.table import Table
from rich.text import Text

from cli.run.probe_views import receipt_lines
from cli.shared.views import figure, heading, in_words
from dissolution.boundary_size import BoundarySize, size_in_words
from dissolution.estimates import sent_in_words
from dissolution.findings import StageReport, StageState
from dissolution.ledger import ChangeKind
from dissolution.policy.effort import Effort
from dissolution.receipt.job_receipt import ConsensusReport, Cost, CostLine, MemberReport, Receipt
from dissolution.values import NotMeasured
from prompts.export.dissent_words import SHORT
from prompts.export.outcome_words import outcome_in_words
from prompts.export.verdict_words import counted

CHANGE_WORDS = {
    ChangeKind.ADDED: "new",
    ChangeKind.AFFIRMED: "said again",
    ChangeKind.REVISED: "changed",
    ChangeKind.CLOSED: "ended",
    ChangeKind.CARRIED: "kept though not said again",
    ChangeKind.PROMOTED: "taken in, set aside before",
    ChangeKind.CONTESTED: "contradicted",
    ChangeKind.REPAIRED: "put right",
}


def print_receipt(out: Console, receipt: Receipt) -> None:
    """Who was asked, what came back, what was kept, what each stage did, and at what cost."""
    heading(out, f"RECEIPT of job {receipt.job}")
    out.print(facts_table(receipt))
    heading(out, "Who was asked")
    out.print(members_table(receipt.members))
    heading(out, "What was done, and what it took")
    out.print(stages_table(receipt.stages, receipt.cost))
    for stage in receipt.stages:
        if stage.reason:
            out.print(Text(f"{stage.stage}: {stage.reason}", style="dim"))
    if receipt.cost.by_member:
        heading(out, "What each member took")
        out.print(cost_table(receipt.cost.by_member))
    heading(out, "How it was tested")
    for line in receipt_lines(receipt.probe):
        out.print(Text(line), soft_wrap=True)


def table(*names: str, left: frozenset[str] = frozenset()) -> Table:
    """A plain table; columns that are not named in `left` hold figures."""
    made = Table(box=None, pad_edge=False, header_style="bold")
    for name in names:
        made.add_column(name, justify="left" if name in left else "right", overflow="fold")
    return made


def facts_table(receipt: Receipt) -> Table:
    """What there is to say of the whole job, a line each."""
    made = Table(box=None, pad_edge=False, show_header=False)
    made.add_column(style="dim", no_wrap=True)
    made.add_column(overflow="fold")
    for name, value in facts(receipt):
        made.add_row(name, Text(value))
    return made


def facts(receipt: Receipt) -> Iterator[tuple[str, str]]:
    """Each fact with its name."""
    cost = receipt.cost
    yield "conversation", f"{receipt.conversation}, turns 1 to {receipt.through}, language {receipt.language.code}"
    yield "asked", receipt.fleet
    yield "enough answers", enough_in_words(receipt)
    yield from kept(receipt)
    if isinstance(receipt.size, BoundarySize):
        yield "size", "; ".join(line.removeprefix("size: ") for line in size_in_words(receipt.size, "show --dissent"))
    yield (
        "cost",
        f"{in_words(cost.used_usd, 'USD')}, {in_words(cost.estimated_usd, 'USD')} expected, cap {cost.cap_usd} USD",
    )
    cached = f", of them {in_words(cost.used_cached_input_tokens, form=',')} from a provider's cache"
    yield "tokens read", f"{in_words(cost.used_input_tokens, form=',')}{cached}"
    yield "tokens written", in_words(cost.used_output_tokens, form=",")
    yield (
        "history sent",
        sent_in_words(cost.histories, cost.histories_with_caches).removeprefix("history sent").lstrip(": "),
    )
    if receipt.redactions:
        kinds = ", ".join(f"{kind} × {count}" for kind, count in sorted(receipt.redactions.items()))
        yield "secrets", f"replaced at reading: {kinds}"
    if receipt.policy.effort is not Effort.STANDARD:
        yield "effort", receipt.policy.effort.value
    named = f"{receipt.policy.name} " if receipt.policy.name else ""
    yield "policy", f"{named}{receipt.policy_digest[:12]}; every field: show {receipt.job} --policy"
    calibration = receipt.calibration_digest
    told = calibration.not_measured if isinstance(calibration, NotMeasured) else calibration[:12]
    yield "calibration", f"{told}; the one that stands: dissolve policy show"
    yield "software", receipt.software


def enough_in_words(receipt: Receipt) -> str:
    """Whether enough members answered for their answers to count."""
    quorum = receipt.quorum
    if isinstance(quorum, NotMeasured):
        return str(quorum)
    families = counted(len(quorum.families), "family", "families")
    needed = f"{quorum.min_members} of {counted(quorum.min_families, 'family', 'families')} are needed"
    return f"{'yes' if quorum.met else 'no'}: {quorum.answered} of {quorum.asked} answered, of {families}; {needed}"


def kept(receipt: Receipt) -> Iterator[tuple[str, str]]:
    """What was heard, what stands of it, and what was set aside."""
    consensus = receipt.consensus
    if isinstance(consensus, NotMeasured):
        yield "heard", str(consensus)
        return
    if consensus.unread:
        yield "chosen", f"{counted(consensus.excerpts, 'passage')}; nobody stated anything"
        yield from changes(consensus)
        return
    stands = ", ".join(f"{section} {count}" for section, count in consensus.kept.items())
    yield "heard", f"{counted(consensus.statements, 'statement')} in {counted(consensus.groups, 'meaning')}"
    yield "kept", f"{stands}; {counted(consensus.single_source, 'claim')} on one family's word"
    dropped = ", ".join(f"{count} {SHORT[reason]}" for reason, count in consensus.dissent.items()) or "nothing"
    yield "set aside", dropped
    yield from changes(consensus)
    yield (
        "agreement",
        f"{in_words(consensus.measures.claim_agreement, form='.0%')} of the meanings are stated by two families",
    )


def changes(consensus: ConsensusReport) -> Iterator[tuple[str, str]]:
    """What became of the claims held before, and each that the answers would have lost; nothing in a first cycle."""
    if consensus.prior_version == 0:
        return
    counts = ", ".join(f"{count} {CHANGE_WORDS[kind]}" for kind, count in consensus.changes.items()) or "no change"
    yield f"since version {consensus.prior_version}", counts
    if consensus.hints:
        yield (
            "suspected",
            f"{counted(len(consensus.hints), 'claim')} may have ended or repeat another; nothing rests on it",
        )
    for change in consensus.temporal_errors:
        yield "put right", f"{change.claim}: {change.reason}"


def members_table(members: Sequence[MemberReport]) -> Table:
    """One row for each member that was asked."""
    windows = ("read in parts",) if any(report.windows > 1 for report in members) else ()
    made = table(
        *("member", "family", "what came", "statements", *windows, "seconds", "tokens in", "tokens out", "USD"),
        left=frozenset({"member", "family", "what came"}),
    )
    for report in members:
        usage = report.usage
        absent = isinstance(usage, NotMeasured)
        made.add_row(
            Text(report.card.name),
            Text(report.card.family),
            outcome_in_words(report),
            str(report.statements or report.chosen),
            *((str(report.windows),) if windows else ()),
            figure(report.latency_s, ".1f"),
            figure(usage if absent else usage.input_tokens),
            figure(usage if absent else usage.output_tokens),
            figure(usage if absent else usage.cost_usd),
        )
    return made


def stages_table(stages: Sequence[StageReport], cost: Cost) -> Table:
    """One row for each stage: what became of it, its time, and what its calls took."""
    by_stage = {line.of: line for line in cost.by_stage}
    made = table("stage", "", "seconds", *_COLUMNS, left=frozenset({"stage", ""}))
    for stage in stages:
        state = "" if stage.state is StageState.RAN else stage.state.value.replace("_", " ")
        line = by_stage.get(stage.stage)
        cells = [""] * len(_COLUMNS) if line is None else _cells(line)
        made.add_row(stage.stage, state, _seconds(stage.started_at, stage.ended_at), *cells)
    return made


def cost_table(lines: Sequence[CostLine]) -> Table:
    """One row for each member: what all its calls took."""
    made = table("member", *_COLUMNS, left=frozenset({"member"}))
    for line in lines:
        made.add_row(Text(line.of), *_cells(line))
    return made


_COLUMNS = ("calls", "replies", "tokens in", "cached", "tokens out", "USD", "histories", "with caches")


def _cells(line: CostLine) -> list[str]:
    tokens = (line.input_tokens, line.cached_input_tokens, line.output_tokens)
    sent = (line.histories, line.histories_with_caches)
    counts = [str(line.calls), str(line.replies)]
    return [*counts, *map(figure, tokens), figure(line.usd), *(figure(times, ".1f") for times in sent)]


def _seconds(began: datetime | None, ended: datetime | None) -> str:
    return "" if began is None or ended is None else f"{(ended - began).total_seconds():.1f}"
