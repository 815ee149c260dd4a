"""`dissolve fleet spend`: what is spent and reserved, and what the caps leave."""

import sys
from datetime import date
from decimal import Decimal

from rich.console import Console
from rich.text import Text

from cli.shared.exits import Exit
from cli.shared.output import printing
from cli.shared.tables import row, table
from cli.shared.views import console
from dissolution.errors import InputError
from dissolution.settings import load_settings
from workers.bootstrap import open_services
from workers.spending import Spending, left, spending

ALL_DAYS = "all"


def show_spending(*, day: str | None, tenant: str | None, db: str | None, as_json: bool) -> Exit:
    """Print caps, reserved and spent. Raises InputError for a day that is none."""
    wanted = None if day in {None, ALL_DAYS} else day_of(day or "")
    with open_services(load_settings(db=db), create=False, reading=True) as services:
        today = services.clock.now().date()
        told = spending(services, today if day is None else wanted, tenant)
    with printing(Exit.OK):
        if as_json:
            sys.stdout.write(told.model_dump_json(indent=2) + "\n")
        else:
            print_spending(console(), told)
    return Exit.OK


def day_of(text: str) -> date:
    """The day a text names. Raises InputError."""
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise InputError(f"day {text!r} is none", "write it as in 2026-03-01, or `all`") from error


def print_spending(out: Console, told: Spending) -> None:
    """For a person."""
    if told.days:
        made = table("day (UTC)", "tenant", "spent USD", "reserved USD", "cap USD", "left USD", "calls without a price")
        for one in told.days:
            cap = told.caps.day_usd if one.tenant is None else told.caps.tenant_day_usd
            money = [plain(amount) for amount in (one.spent_usd, one.reserved_usd, cap, left(cap, one))]
            row(made, one.day, one.tenant or "(all)", *money, one.unpriced or None)
        out.print(made)
    else:
        out.print("nothing was spent or reserved")
    for name, cap in (("a tenant", told.caps.tenant_day_usd), ("all tenants", told.caps.day_usd)):
        out.print(Text(f"cap of {name} a day: {'none' if cap is None else f'{plain(cap)} USD'}"))


def plain(amount: Decimal | None) -> str | None:
    """An amount without an exponent; None where there is none."""
    return None if amount is None else f"{amount:f}"
