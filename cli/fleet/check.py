"""`dissolve fleet check`: who would answer."""

import asyncio
import json
import sys
from pathlib import Path

from rich.table import Table
from rich.text import Text

from cli.shared.exits import Exit
from cli.shared.views import console, figure
from fleet.chat_member import close_members
from fleet.check import MemberCheck, check_members
from workers.bootstrap import build_roster

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
