"""`dissolve show`: a boundary state read back from the store."""

import json
import sys
from dataclasses import dataclass
from typing import Literal

from cli.exits import Exit
from cli.results import Result, document, gather, messages_json
from cli.run import the_job
from cli.views import console, print_boundary, print_dissent, print_ending, print_receipt
from dissolution.errors import InputError, NotFound
from dissolution.settings import load_settings
from prompts.export.markdown import boundary_markdown
from workers.bootstrap import open_services
from workers.services import Services


@dataclass(frozen=True, kw_only=True)
class ShowOptions:
    """What was given on the command line of `dissolve show`."""

    name: str | None
    dissent: bool
    receipt: bool
    export: Literal["markdown", "messages"] | None
    db: str | None
    as_json: bool


def show_job(options: ShowOptions) -> Exit:
    """Print a job's boundary in the form asked for."""
    if options.as_json and options.export:
        raise InputError(f"--json with --as {options.export}", "give only one of them")
    with open_services(load_settings(db=options.db)) as services:
        with services.unit_of_work() as work:
            found = work.jobs.find(options.name or "")
        if not found and options.name is None:
            kind = "job"
            raise NotFound(kind, "newest")
        result = gather(services, found[0] if options.name is None else the_job(found, options.name))
        if options.as_json:
            sys.stdout.write(json.dumps(document(result), ensure_ascii=False, indent=1) + "\n")
        elif options.export:
            sys.stdout.write(exported(services, result, options.export) + "\n")
        else:
            print_views(result, options)
    return Exit.OK


def exported(services: Services, result: Result, export: Literal["markdown", "messages"]) -> str:
    """The boundary as Markdown, or as messages. Raises InputError for messages of what was never committed."""
    if export == "markdown":
        return boundary_markdown(result.boundary, result.conversation, result.receipt)
    if result.boundary.version is None:
        raise InputError(
            f"messages of job {result.job.id!r}", "it has no committed boundary; the history stays in force"
        )
    return messages_json(services, result)


def print_views(result: Result, options: ShowOptions) -> None:
    """The parts asked for; the boundary, unless only another part was asked for."""
    out = console()
    if not (options.dissent or options.receipt):
        print_boundary(out, result.boundary, result.conversation)
        print_ending(out, result.job, result.boundary)
    if options.dissent:
        print_dissent(out, result.boundary, full=True)
    if options.receipt and result.receipt is not None:
        print_receipt(out, result.receipt, full=True)
