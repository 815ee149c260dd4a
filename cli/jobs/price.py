"""`dissolve fleet price`: what a job would use on its whole path, before anybody is asked."""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from cli.run.run import policy_of
from cli.shared.exits import Exit
from cli.shared.views import console, figure
from dissolution.boundary import BoundaryState
from dissolution.clock import SystemClock
from dissolution.conversation import Snapshot
from dissolution.errors import InputError
from dissolution.estimates import Expected, ExpectedLine, PathEstimate, sent_in_words
from dissolution.policy.effort import Effort
from dissolution.policy.job_policy import Policy
from dissolution.settings import load_settings
from language.intake.options import ReadingOptions
from language.intake.read import read_file
from workers.bootstrap import build_roster
from workers.estimates.effort import with_effort
from workers.estimates.estimate import estimate_path, refusal_of
from workers.estimates.expected_calls import expected_boundary
from workers.members.named_members import check_named_members

PRICE_KEY = b"a price is told and nothing is kept"
"""The key of every look: fixed, so that the same file has the same price each time. Nothing under it is stored."""

HEADS = ("calls", "input tokens", "of them cached", "output tokens", "USD", "histories", "with caches")


@dataclass(frozen=True, kw_only=True)
class PriceOptions:
    """What was given on the command line of `dissolve fleet price`."""

    file: str
    roster: Path
    through: int | None
    since: int | None = None
    policy: Path | None
    gate: str | None = None
    effort: Effort | None = None
    conversation: str | None
    as_json: bool


def price_file(options: PriceOptions) -> Exit:
    """Estimate what a job about a file would use on its whole path; nothing is asked and nothing is stored."""
    members = build_roster(options.roster)
    families = {member.card.name: member.card.family for member in members}
    policy = with_effort(policy_of(options.policy, options.gate, options.effort), families)
    check_named_members(policy, families)
    snapshot = snapshot_of(options)
    expected = estimate_path(members, snapshot, policy, PRICE_KEY, prior_of(options.since, snapshot, policy))
    refusal = refusal_of(expected, policy.budget)
    if options.as_json:
        counters = {member.card.name: member.counter_name for member in members}
        document = expected.model_dump(mode="json") | {"counters": counters, "refused": refusal}
        sys.stdout.write(json.dumps(document, indent=1) + "\n")
    else:
        print_estimate(console(), expected, policy, refusal)
    return Exit.OK if refusal is None else Exit.HISTORY_KEPT


def snapshot_of(options: PriceOptions) -> Snapshot:
    """What would be dissolved; read under the key of looks, and nothing is stored."""
    settings = load_settings()
    reading_options = ReadingOptions(
        conversation=options.conversation,
        max_bytes=settings.max_file_mb * 1_000_000,
        max_turn_chars=settings.max_turn_chars,
    )
    reading = read_file(Path(options.file), reading_options, key=PRICE_KEY, clock=SystemClock())
    return reading.conversation.snapshot(options.through)


def prior_of(since: int | None, snapshot: Snapshot, policy: Policy) -> BoundaryState | None:
    """A boundary through turn `since` as it is expected to be: then a cycle is estimated. Raises InputError."""
    if since is None:
        return None
    if not 1 <= since < snapshot.through:
        raise InputError(f"--since {since}", f"give a turn before the last, 1 to {snapshot.through - 1}")
    return expected_boundary(snapshot, policy, since)


def print_estimate(out: Console, expected: PathEstimate, policy: Policy, refusal: str | None) -> None:
    """One row a stage, then one a member, the whole, and whether a job may cost that."""
    out.print(lines_table("stage", expected.by_stage, expected.whole))
    out.print()
    out.print(lines_table("member", expected.by_member, None))
    whole = expected.whole
    out.print(Text(sent_in_words(whole.histories, whole.histories_with_caches)))
    out.print(Text(f"USD: {figure(whole.usd, 'f')} (known part: {whole.known_usd:f})"))
    if expected.repairs is not None:
        more = expected.repairs
        told = f"{more.calls} calls, {more.input_tokens} input tokens, USD {figure(more.usd, 'f')}"
        out.print(Text(f"repairs, where the gate asks for them, at most: {told}"))
    if expected.without_price:
        out.print(Text(f"price not known: {', '.join(expected.without_price)}"))
    if expected.too_small:
        out.print(Text(f"window too small for one turn: {', '.join(expected.too_small)}"))
    over = whole.known_usd > policy.budget.max_usd
    state = "within" if refusal is None else "OVER" if over else "not allowed"
    out.print(Text(f"cap of policy {policy.name!r}: {policy.budget.max_usd} USD, {state}"))
    if refusal is not None:
        out.print(Text(f"a job would be refused: {refusal}"))


def lines_table(of: str, lines: Sequence[ExpectedLine], whole: Expected | None) -> Table:
    """One row a line, and the whole below them."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(of)
    for name in HEADS:
        table.add_column(name, justify="right")
    for line in lines:
        table.add_row(Text(line.of), *_cells(line))
    if whole is not None:
        table.add_row("whole path", *_cells(whole), style="bold")
    return table


def _cells(line: Expected) -> tuple[str, ...]:
    return (
        str(line.calls),
        str(line.input_tokens),
        str(line.cached_input_tokens),
        str(line.output_tokens),
        figure(line.usd, "f"),
        f"{line.histories:.1f}",
        f"{line.histories_with_caches:.1f}",
    )
