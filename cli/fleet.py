"""`dissolve fleet`: who would answer, and what a job would cost."""

import asyncio
import json
import secrets
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.table import Table
from rich.text import Text

from cli.exits import Exit
from cli.views import console, figure
from dissolution.answers import Usage
from dissolution.clock import SystemClock
from dissolution.conversation import Snapshot
from dissolution.errors import BudgetExceeded, MemberWindowExceeded
from dissolution.policy import Policy
from dissolution.policy_file import load_policy
from dissolution.settings import load_settings
from dissolution.values import Frozen
from fleet.budget import Estimate, combined
from fleet.budget import check as check_budget
from fleet.chat_member import ChatMember, close_members
from fleet.check import MemberCheck, check_members
from language.intake.options import ReadingOptions
from language.intake.read import read_file
from workers.bootstrap import build_roster
from workers.rooms import first_asker
from workers.windows import NOTHING, Asker, estimate_in_windows

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
    as_json: bool


class MemberPrice(Frozen):
    """What one member would use at most."""

    name: str
    windows: int  # 0: it cannot read even one turn, and will not be asked
    counter: str
    usage: Usage


def price_file(options: PriceOptions) -> Exit:
    """Estimate what asking a roster about a file would cost at most; nothing is asked and nothing is stored."""
    policy = load_policy(options.policy) if options.policy else Policy()
    members = build_roster(options.roster)
    prices = prices_of(members, *snapshot_of(options, policy))
    estimate = combined({price.name: price.usage for price in prices})
    refusal = refusal_of(estimate, policy)
    if options.as_json:
        document = estimate.model_dump(mode="json") | {
            "members": [price.model_dump(mode="json") for price in prices],
            "refused": refusal,
        }
        sys.stdout.write(json.dumps(document, indent=1) + "\n")
    else:
        print_prices(prices, estimate, policy, refusal)
    return Exit.OK if refusal is None else Exit.HISTORY_KEPT


def prices_of(members: Sequence[ChatMember], snapshot: Snapshot, asker: Asker) -> tuple[MemberPrice, ...]:
    """The price of each member, in their order."""
    prices: list[MemberPrice] = []
    for member in members:
        try:
            windows, usage = estimate_in_windows(member, snapshot, asker)
        except MemberWindowExceeded:
            windows, usage = 0, NOTHING
        prices.append(MemberPrice(name=member.card.name, windows=windows, counter=member.counter_name, usage=usage))
    return tuple(prices)


def refusal_of(estimate: Estimate, policy: Policy) -> str | None:
    """Why a job with this estimate would be refused before anybody is asked, or None."""
    try:
        check_budget(estimate, policy.budget)
    except BudgetExceeded as error:
        return str(error)
    return None


def print_prices(prices: Sequence[MemberPrice], estimate: Estimate, policy: Policy, refusal: str | None) -> None:
    """One row a member, the sum, and whether a job may cost that."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("member", "windows", "input tokens", "counted by", "output, at most", "USD, at most"):
        table.add_column(name, justify="left" if name in {"member", "counted by"} else "right")
    for price in prices:
        used = price.usage
        table.add_row(
            Text(price.name),
            str(price.windows) if price.windows else "too small",
            figure(used.input_tokens),
            price.counter,
            figure(used.output_tokens),
            figure(used.cost_usd, "f"),
        )
    out = console()
    out.print(table)
    out.print(
        f"input tokens: {figure(estimate.input_tokens)}; output tokens, at most: {figure(estimate.output_tokens)}"
    )
    out.print(f"USD, at most: {figure(estimate.cost_usd, 'f')} (known part: {estimate.known_cost_usd:f})")
    if estimate.without_price:
        out.print(Text(f"price not known: {', '.join(estimate.without_price)}"))
    state = (
        "within" if refusal is None else "OVER" if estimate.known_cost_usd > policy.budget.max_usd else "not allowed"
    )
    out.print(Text(f"cap of policy {policy.name!r}: {policy.budget.max_usd} USD, {state}"))
    if refusal is not None:
        out.print(Text(f"a job would be refused: {refusal}"))


def snapshot_of(options: PriceOptions, policy: Policy) -> tuple[Snapshot, Asker]:
    """What the members would be asked about, and how; under a key for this one look, so that nothing is stored."""
    settings = load_settings()
    reading_options = ReadingOptions(
        conversation=options.conversation,
        max_bytes=settings.max_file_mb * 1_000_000,
        max_turn_chars=settings.max_turn_chars,
    )
    key = secrets.token_bytes(32)
    reading = read_file(Path(options.file), reading_options, key=key, clock=SystemClock())
    snapshot = reading.conversation.snapshot(options.through)
    return snapshot, first_asker(policy, snapshot, key)
