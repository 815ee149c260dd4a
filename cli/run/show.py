"""`dissolve show`: a boundary state read back from the store."""

import sys
from dataclasses import dataclass, replace
from typing import Literal

from cli.run.agreement_views import print_measures
from cli.run.asof import NOW, When, show_as_of
from cli.run.first_screen import print_screen, print_verdict
from cli.run.frame_brief import print_frame
from cli.run.page import html
from cli.run.policy_views import print_policy
from cli.run.probe_views import print_probe, probe_of
from cli.run.receipt_views import print_receipt
from cli.run.results import Result, gather, markdown, messages_json, print_json
from cli.run.run import the_job
from cli.shared.exits import Exit
from cli.shared.options import check_budget_option
from cli.shared.output import hint, printing, say
from cli.shared.views import console, print_boundary, print_dissent
from dissolution.boundary import BoundaryState
from dissolution.errors import BudgetTooSmall, InputError
from dissolution.job import Job, JobStatus
from dissolution.ports.store import UnitOfWork
from dissolution.settings import load_settings
from workers.bootstrap import open_services

Export = Literal["markdown", "messages", "html"]
"""What `--as` may say."""


@dataclass(frozen=True, kw_only=True)
class ShowOptions:
    """What was given on the command line of `dissolve show`."""

    name: str | None
    dissent: bool
    receipt: bool
    measures: bool
    probe: bool = False
    policy: bool = False
    export: Export | None
    when: When = NOW
    budget_tokens: int | None
    db: str | None
    as_json: bool


def show_job(options: ShowOptions) -> Exit:
    """Print a job's boundary in the form asked for, or the claims of a conversation as of another time."""
    if options.when.given:
        check_as_of(options)
        return show_as_of(options.name, options.when, db=options.db, as_json=options.as_json)
    if options.probe and options.export:
        raise InputError(f"--probe with --as {options.export}", "give only one of them")
    if options.as_json and options.export:
        raise InputError(f"--json with --as {options.export}", "give only one of them")
    check_budget_option(options.budget_tokens, renders=options.export == "messages", needs="--as messages")
    with open_services(load_settings(db=options.db), create=False, reading=True) as services:
        with services.unit_of_work() as work:
            job, newer, standing = chosen(work, options.name)
            probed = probe_of(work, job) if options.probe else None
        if newer is not None:
            read = hint("show", newer.id, db=options.db)
            say(f"job {newer.id} is newer and has no boundary ({newer.status.value}): {read}")
        result = gather(services, job)
        if standing is not None:
            result = replace(result, boundary=standing)
        text = (
            None if options.export is None else exported(result, options.export, options.budget_tokens, db=options.db)
        )
        with printing(Exit.OK):
            if probed is not None:
                print_probe(console(), probed, as_json=options.as_json)
            elif text is not None:
                sys.stdout.write(text.rstrip("\n") + "\n")
            elif options.as_json:
                print_json(result)
            else:
                print_views(result, options)
    return Exit.OK


def check_as_of(options: ShowOptions) -> None:
    """Refuse, beside a point in time, what only a job has. Raises InputError."""
    others = {
        "--dissent": options.dissent,
        "--receipt": options.receipt,
        "--probe": options.probe,
        "--policy": options.policy,
        "--as": options.export is not None,
    }
    for flag, given in others.items():
        if given:
            raise InputError(f"{flag} with a point in time", "give only one; a point in time shows claims alone")
    check_budget_option(options.budget_tokens, renders=False, needs="--as messages")


def chosen(work: UnitOfWork, name: str | None) -> tuple[Job, Job | None, BoundaryState | None]:
    """The job to show, a newer one of the same conversation that has no boundary, and the boundary that stands.

    A conversation is shown as it stands, with what people did since the commit: by the job of its boundary. Only one
    that has none is shown by its newest job, and so is a store without a name to look for; a job is shown as it was.

    Raises NotFound; InputError when there is no job at all, or a name fits several.
    """
    found = work.jobs.find(name or "")
    if name is None:
        if not found:
            raise InputError("no job yet", "make one with `dissolve run FILE`, or check --db")
        return found[0], None, None
    newest = the_job(found, name)
    named = newest.conversation == name and newest.id != name
    standing = work.boundaries.current(name) if named else None
    if standing is None:
        return newest, None, None
    later = newest if newest.id != standing.job and newest.status is not JobStatus.COMMITTED else None
    return work.jobs.get(standing.job), later, standing


def exported(result: Result, export: Export, budget_tokens: int | None, *, db: str | None) -> str:
    """The boundary as Markdown, a page or messages. Raises InputError for messages of what was never committed."""
    if export == "markdown":
        return markdown(result)
    if export == "html":
        return html(result)
    if result.boundary.version is None:
        raise InputError(
            f"messages of job {result.job.id!r}", "it has no committed boundary; the history stays in force"
        )
    try:
        return messages_json(result, budget_tokens, db=db)
    except BudgetTooSmall as error:
        remedy = f"give --budget-tokens {error.needed_tokens} or more; what is decided is never left out"
        raise InputError(error.what, remedy) from error


def print_views(result: Result, options: ShowOptions) -> None:
    """The parts asked for; the boundary, unless only another part was asked for."""
    out, receipt = console(), result.receipt
    if not (options.dissent or options.receipt or options.measures or options.policy):
        print_verdict(out, result)
        print_boundary(out, result.boundary, result.conversation)
        print_frame(out, result, db=options.db)
        out.print()
        print_screen(out, result, db=options.db, read=True)
    if options.dissent:
        print_dissent(out, result.boundary, full=True, db=options.db)
    if (options.measures or options.receipt) and receipt is None:
        print_verdict(out, result)  # the receipt is written when a job ends
    if options.measures and receipt is not None:
        print_measures(out, receipt)
    if options.receipt and receipt is not None:
        print_receipt(out, receipt)
    if options.policy:
        print_policy(out, result.job)
