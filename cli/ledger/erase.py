"""`dissolve erase` and `erasures`: the one deletion there is, of a whole conversation and all that came of it."""

import json
import sys

from rich.markup import escape
from rich.table import Table

from cli.shared.exits import Exit
from cli.shared.naming import actor_of, check_conversation
from cli.shared.output import printing
from cli.shared.views import console
from dissolution.errors import InputError
from dissolution.settings import load_settings
from workers.bootstrap import open_services
from workers.tenants.redaction import reason_of_erasure


def erase_conversation(
    conversation: str, *, why: str, by: str | None, sure: bool, db: str | None, as_json: bool
) -> Exit:
    """Delete a conversation with its jobs, answers and ledger, and record that. Raises InputError unless `sure`."""
    actor = actor_of(by)
    with open_services(load_settings(db=db), create=False) as services, services.unit_of_work() as work:
        check_conversation(work, conversation)
        if not sure:
            turns, jobs = len(work.conversations.get(conversation).turns), len(work.jobs.find(conversation))
            what = f"erasing conversation {conversation!r} ({turns} turns, {jobs} jobs and its whole ledger)"
            raise InputError(what, "nothing brings it back; add --yes to do it")
        reason = reason_of_erasure(work, why, conversation)
        erasure = work.ledger.erase(conversation, services.clock.now(), actor=actor, reason=reason)
        work.commit()
    with printing(Exit.OK):
        if as_json:
            sys.stdout.write(erasure.model_dump_json(indent=1) + "\n")
        else:
            gone = f"{erasure.turns} turns, {erasure.jobs} jobs, {erasure.claims} claims"
            sys.stdout.write(f"conversation {conversation!r} is erased ({gone}); that it was is recorded\n")
    return Exit.OK


def list_erasures(*, db: str | None, as_json: bool) -> Exit:
    """Print what was erased, oldest first: when, by whom, why, how much."""
    with open_services(load_settings(db=db), create=False) as services, services.unit_of_work() as work:
        found = work.ledger.erasures()
    with printing(Exit.OK):
        if as_json:
            told = [one.model_dump(mode="json") for one in found]
            sys.stdout.write(json.dumps(told, ensure_ascii=False, indent=1) + "\n")
        elif not found:
            sys.stdout.write("nothing was erased\n")
        else:
            table = Table(box=None, pad_edge=False, show_edge=False, header_style="bold")
            for heading in ("erased", "conversation", "turns", "jobs", "claims", "by", "why"):
                table.add_column(heading, justify="right" if heading in {"turns", "jobs", "claims"} else "left")
            for one in found:
                at = f"{one.at:%Y-%m-%d %H:%M:%S}"
                table.add_row(
                    at,
                    escape(one.conversation),
                    *map(str, (one.turns, one.jobs, one.claims)),
                    escape(one.actor),
                    escape(one.reason),
                )
            console().print(table)
    return Exit.OK
