"""`dissolve fleet`: who would answer, and what a job would cost."""

import asyncio
import json
import sys
from dataclasses import dataclass
from pathlib import Path

from rich.table import Table
from rich.text import Text

from cli.exits import Exit
from cli.views import console, figure
from dissolution.answers import MemberTask
from dissolution.policy import Policy
from dissolution.policy_file import load_policy
from dissolution.settings import load_settings
from fleet.chat_member import close_members
from fleet.check import MemberCheck, check_members, price
from wording.reading.options import ReadingOptions
from wording.reading.read import read_file
from wording.tokens import ApproximateTokenCounter
from workers.bootstrap import build_roster, open_services
from workers.windows import Asker, Window

NOTABLE = ("temperature", "seed", "response_format", "logprobs", "reasoning_effort")
"""Parameters that decide how comparable a member is; `--json` lists all that the library's tables name."""


def check_fleet(roster: Path, *, deadline_s: float, as_json: bool) -> Exit:
    """Ask each member of a roster for one token and print what it found out; FAULT when somebody does not answer."""
    members = build_roster(roster)

    async def ask() -> tuple[MemberCheck, ...]:
        try:
            return await check_members(members, deadline_s=deadline_s)
        finally:
            await close_members(members)

    checks = asyncio.run(ask())
    if as_json:
        sys.stdout.write(json.dumps([check.model_dump(mode="json") for check in checks], indent=1) + "\n")
    else:
        print_checks(checks)
    return Exit.OK if all(check.answers for check in checks) else Exit.FAULT


def print_checks(checks: tuple[MemberCheck, ...]) -> None:
    """One row a member, then why those that do not answer do not."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("member", "family", "model", "answers", "seconds", "USD/M in", "USD/M out", "window", "parameters"):
        table.add_column(name, justify="right" if name in {"seconds", "window"} else "left", overflow="fold")
    for check in checks:
        table.add_row(
            Text(check.card.name),
            Text(check.card.family),
            Text(check.card.model),
            "yes" if check.answers else f"no: {check.failure.error_class.value if check.failure else 'unknown'}",
            figure(check.latency_s, ".2f"),
            figure(check.input_usd_per_million, "f"),
            figure(check.output_usd_per_million, "f"),
            figure(check.window_tokens),
            Text(", ".join(name for name in NOTABLE if name in check.supported_parameters) or "not known"),
        )
    out = console()
    out.print(table)
    for check in checks:
        if check.failure is not None:
            out.print(Text(f"{check.card.name}: {check.failure.detail}"))


@dataclass(frozen=True, kw_only=True)
class PriceOptions:
    """What was given on the command line of `dissolve fleet price`."""

    file: str
    roster: Path
    through: int | None
    policy: Path | None
    conversation: str | None
    db: str | None
    as_json: bool


def price_file(options: PriceOptions) -> Exit:
    """Estimate what asking a roster about a file would cost at most; nothing is asked and nothing is stored."""
    policy = load_policy(options.policy) if options.policy else Policy()
    members = build_roster(options.roster)
    estimate = price(members, task_of(options, policy))
    if options.as_json:
        sys.stdout.write(estimate.model_dump_json(indent=1) + "\n")
        return Exit.OK
    out = console()
    out.print(f"input tokens: {figure(estimate.input_tokens)} (counted by {ApproximateTokenCounter().name})")
    out.print(f"output tokens, at most: {figure(estimate.output_tokens)}")
    out.print(f"USD, at most: {figure(estimate.cost_usd, 'f')} (known part: {estimate.known_cost_usd:f})")
    if estimate.without_price:
        out.print(Text(f"price not known: {', '.join(estimate.without_price)}"))
    fits = estimate.known_cost_usd <= policy.budget.max_usd
    out.print(f"cap of policy {policy.name!r}: {policy.budget.max_usd} USD, {'within' if fits else 'OVER'}")
    return Exit.OK if fits else Exit.HISTORY_KEPT


def task_of(options: PriceOptions, policy: Policy) -> MemberTask:
    """What each member would be asked."""
    settings = load_settings(db=options.db)
    with open_services(settings) as services:
        reading_options = ReadingOptions(
            conversation=options.conversation,
            max_bytes=settings.max_file_mb * 1_000_000,
            max_turn_chars=settings.max_turn_chars,
        )
        with services.unit_of_work() as work:
            key = work.installation_key()
        reading = read_file(Path(options.file), reading_options, key=key, clock=services.clock)
    snapshot = reading.conversation.snapshot(options.through)
    asker = Asker(version=policy.prompt_version, key=key, deadline_s=policy.quorum.hard_deadline_s)
    return asker.task(snapshot, Window(since=0, through=snapshot.through), None)
