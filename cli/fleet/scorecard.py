"""`dissolve fleet scorecard`: what each member has brought over all jobs, and which fleet of a size gives most."""

import json
import sys
from decimal import Decimal
from pathlib import Path
from typing import cast

from rich.console import Console

from cli.shared.exits import Exit
from cli.shared.output import printing
from cli.shared.tables import row, table
from cli.shared.views import console
from dissolution.errors import InputError
from dissolution.settings import load_settings
from dissolution.stability import OWN_CONVERSATIONS
from dissolution.values import NotMeasured
from stability.scorecard import Scorecard, scorecard
from stability.true_contributions import KnownJob, TrueScore, true_contributions
from stability.truth import read_truth
from workers.bootstrap import open_services

JOBS = "j"
"""What every job's id begins with."""

NO_TRUTH = NotMeasured(not_measured="nobody has said what is true; --truth names a file that does")


class Document(Scorecard):
    """What `--json` prints."""

    true_contributions: tuple[TrueScore, ...] | NotMeasured


def show_scorecard(*, conversation: str | None, truths: tuple[Path, ...] = (), db: str | None, as_json: bool) -> Exit:
    """Print the scorecard over all ended jobs, or those of one conversation; with truths also what of it is true.

    Raises InputError for a truth that cannot be read.
    """
    known = {named(path): read_truth(path) for path in truths}
    with open_services(load_settings(db=db), create=False) as services, services.unit_of_work() as work:
        jobs = tuple(reversed(work.jobs.find(JOBS if conversation is None else conversation)))  # newest first
        receipts = [(work.boundaries.receipt(job.id), work.boundaries.by_job(job.id)) for job in jobs]
        judged = [
            KnownJob(job.through, work.jobs.answers(job.id), known[talk])
            for job in jobs
            if (talk := job.conversation.partition(OWN_CONVERSATIONS)[0]) in known
        ]
    found = scorecard((receipt, boundary) for receipt, boundary in receipts if receipt is not None)
    true = true_contributions(judged) if judged else NO_TRUTH
    with printing(Exit.OK):
        if as_json:
            document = Document.model_validate({**found.model_dump(), "true_contributions": true})
            sys.stdout.write(document.model_dump_json(indent=1) + "\n")
        else:
            print_scorecard(console(), found)
            print_true(console(), true)
    return Exit.OK


def named(path: Path) -> str:
    """The conversation that a truth file is about: its `id`, else its name. Raises InputError."""
    try:
        data: object = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"truth file {str(path)!r} cannot be read ({type(error).__name__})", "check it") from error
    found = cast("dict[str, object]", data).get("id") if isinstance(data, dict) else None
    return found if isinstance(found, str) else path.stem


def print_true(out: Console, found: tuple[TrueScore, ...] | NotMeasured) -> None:
    """For a person: what each member said that is true, alone or not, and what is over."""
    if isinstance(found, NotMeasured):
        out.print(f"true contributions and faults: {found.not_measured}")
        return
    made = table("member", "family", "jobs", "true", "of", "only it", "faults", "of")
    for one in found:
        row(made, one.member, one.family, one.jobs, one.said, one.of, one.only, one.faults, one.of_over)
    out.print(made)


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
    made = table("fleet of", "that kept most", "claims", "share", "USD", "USD a claim")
    for advice in found.advice:
        money = (plain(advice.usd), plain(advice.usd_per_retained))
        row(made, advice.size, ", ".join(advice.members), advice.retained, share(advice.share), *money)
    out.print(made)


def share(value: float | NotMeasured) -> str | None:
    """A share for a person; None where there is none."""
    return None if isinstance(value, NotMeasured) else f"{value:.2f}"


def plain(amount: Decimal | NotMeasured) -> str | None:
    """An amount of money; None where it is not known."""
    return None if isinstance(amount, NotMeasured) else f"{amount:.4f}"
