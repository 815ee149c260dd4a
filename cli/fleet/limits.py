"""`dissolve fleet limits`: how fast models may be asked, which are left alone, and which accounts were refused."""

import asyncio
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

from cli.jobs.status import print_blocks
from cli.shared.exits import Exit
from cli.shared.output import printing, say
from cli.shared.tables import row, table
from cli.shared.views import console
from dissolution.limits import LimitsStanding
from dissolution.settings import load_settings
from workers.redis.limit_states import settings_with_redis, shared_reset, shared_standing

AWAY = "Redis is away: each worker limits itself by its own memory (check redis_url, or name the folder with --dir)"


def show_limits(*, reset: str | None, folder: Path | None, as_json: bool) -> Exit:
    """Print the limits of all workers; UNAVAILABLE while Redis is away, BAD_INPUT for a model nobody has asked."""
    settings = settings_with_redis(load_settings(), folder)
    if reset is not None:
        count = asyncio.run(shared_reset(settings, reset))
        if count is None:
            say(AWAY)
            return Exit.UNAVAILABLE
        if not count:
            say(f"no limits are kept for a model {reset!r}; `dissolve fleet limits` lists those that are")
            return Exit.BAD_INPUT
        say(f"what was known of {reset} is forgotten ({count} accounts)")
    standing = asyncio.run(shared_standing(settings))
    if standing is None:
        say(AWAY)
        return Exit.UNAVAILABLE
    with printing(Exit.OK):
        if as_json:
            sys.stdout.write(standing.model_dump_json(indent=2) + "\n")
        else:
            print_limits(console(), standing)
    return Exit.OK


def print_limits(out: Console, standing: LimitsStanding) -> None:
    """For a person."""
    if standing.buckets:
        made = table("model", "account", "req/min", "free", "tokens/min", "free", "wait (s)", "circuit", "failures")
        for one in standing.buckets:
            open_ = f"{one.circuit.value.replace('_', ' ')}" + (f" for {one.open_s:.0f} s" if one.open_s else "")
            free = ["" if left is None else f"{left:.0f}" for left in (one.requests_free, one.tokens_free)]
            wait = f"{one.blocked_s:.0f}" if one.blocked_s else None
            row(made, one.model, one.account, one.rpm, free[0], one.tpm, free[1], wait, open_, one.failures)
        out.print(made)
    else:
        out.print("no model was asked in the last hour")
    print_blocks(out, standing.blocks)
    for seats in standing.seats:
        out.print(Text(f"tenant {seats.tenant}: {seats.taken} {seats.seats.value} at work"))
