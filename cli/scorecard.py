"""`dissolve fleet scorecard`: what each member has brought over all jobs, and which fleet of a size gives most."""

import sys
from decimal import Decimal

from rich.console import Console

from cli.exits import Exit
from cli.output import printing
from cli.status import row, table
from cli.views import console
from dissolution.settings import load_settings
from dissolution.values import NotMeasured
from stability.scorecard import Scorecard, scorecard
from workers.bootstrap import open_services

JOBS = "j"
"""What every job's id begins with."""


def show_scorecard(*, conversation: str | None, db: str | None, as_json: bool) -> Exit:
    """Print the scorecard over all ended jobs, or those of one conversation."""
    with open_services(load_settings(db=db), create=False) as services, services.unit_of_work() as work:
        jobs = reversed(work.jobs.find(JOBS if conversation is None else conversation))  # newest first
        receipts = [(work.boundaries.receipt(job.id), work.boundaries.by_job(job.id)) for job in jobs]
    found = scorecard((receipt, boundary) for receipt, boundary in receipts if receipt is not None)
    with printing(Exit.OK):
        if as_json:
            sys.stdout.write(found.model_dump_json(indent=1) + "\n")
        else:
            print_scorecard(console(), found)
    return Exit.OK


def print_scorecard(out: Console, found: Scorecard) -> None:
    """For a person."""
    out.print(f"{found.jobs} jobs, {found.boundaries} boundaries, {found.claims} claims that their own members stated")
    if not found.members:
        return
    made = table(
        "member", "family", "asked", "used", "refused", "failed", "coverage", "agreement", "retained", "only it",
        "lost without", "latency (s)", "USD", "USD a claim",
    )  # fmt: skip
    for one in found.members:
        failed = ", ".join(f"{count} {name}" for name, count in one.failed.items())
        shares = (share(one.coverage), share(one.agreement))
        money = (plain(one.usd), plain(one.usd_per_retained))
        seconds = None if isinstance(one.latency_s, NotMeasured) else f"{one.latency_s:.2f}"
        counts = (one.retained, one.only, one.lost_without)
        row(made, one.member, one.family, one.jobs, one.usable, one.refused, failed, *shares, *counts, seconds, *money)
    out.print(made)
    made = table("family", "members", "coverage", "retained", "only it")
    for family in found.families:
        row(made, family.family, ", ".join(family.members), share(family.coverage), family.retained, family.only)
    out.print(made)
    made = table("fleet of", "that kept most", "claims", "share", "USD")
    for advice in found.advice:
        row(made, advice.size, ", ".join(advice.members), advice.retained, share(advice.share), plain(advice.usd))
    out.print(made)


def share(value: float | NotMeasured) -> str | None:
    """A share for a person; None where there is none."""
    return None if isinstance(value, NotMeasured) else f"{value:.2f}"


def plain(amount: Decimal | NotMeasured) -> str | None:
    """An amount of money; None where it is not known."""
    return None if isinstance(amount, NotMeasured) else f"{amount:.4f}"
