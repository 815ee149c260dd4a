"""`dissolve log`, `dissolve diff` and `dissolve rollback`: the versions of a conversation's ledger."""

import json
import sys
from collections.abc import Mapping

from rich.table import Table
from rich.text import Text

from cli.ledger.ledger_changes import counts_in_words, items_document, print_items
from cli.shared.exits import Exit
from cli.shared.naming import actor_of, check_conversation, check_version, version_of
from cli.shared.output import hint, printing
from cli.shared.views import console
from dissolution.boundary import BoundaryState
from dissolution.errors import InputError
from dissolution.ledger import LedgerEvent
from dissolution.ports.store import UnitOfWork
from dissolution.settings import load_settings
from prompts.export.verdict_words import BoundaryStanding, VerdictWords, verdict_words
from workers.bootstrap import open_services
from workers.members.cycles import boundary_at
from workers.results.ledger_diff import Item, difference, items
from workers.tenants.redaction import without_secrets

NOTHING = 0
"""The version before the first: an empty ledger."""


def log_conversation(conversation: str, *, db: str | None, as_json: bool) -> Exit:
    """Print every version of a conversation's ledger, oldest first: when, by whom, what, why."""
    with open_services(load_settings(db=db), create=False, reading=True) as services, services.unit_of_work() as work:
        check_conversation(work, conversation)
        events = work.ledger.events(conversation)
        verdicts, words = verdicts_of(work, events), words_of(work, events)
    with printing(Exit.OK):
        if as_json:
            versions = [event.model_dump(mode="json") | {"verdict": verdicts.get(event.version)} for event in events]
            told = {"conversation": conversation, "versions": versions}
            sys.stdout.write(json.dumps(told, ensure_ascii=False, indent=1) + "\n")
        elif not events:
            sys.stdout.write(f"conversation {conversation!r} has no boundary yet\n")
        else:
            console().print(_log_table(events, words))
    return Exit.OK


def verdicts_of(work: UnitOfWork, events: tuple[LedgerEvent, ...]) -> dict[int, str]:
    """The gate's verdict on each version that a job committed, by version."""
    found: dict[int, str] = {}
    for event in events:
        receipt = None if event.job is None else work.boundaries.receipt(event.job)
        if receipt is not None:
            found[event.version] = receipt.decision.verdict.value
    return found


def words_of(work: UnitOfWork, events: tuple[LedgerEvent, ...]) -> dict[int, VerdictWords]:
    """The same in words for a person."""
    found: dict[int, VerdictWords] = {}
    for event in events:
        boundary = None if event.job is None else work.boundaries.by_job(event.job)
        if boundary is not None and event.job is not None:
            found[event.version] = verdict_words(boundary, work.boundaries.receipt(event.job))
    return found


def _log_table(events: tuple[LedgerEvent, ...], words: Mapping[int, VerdictWords]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("version", "recorded", "what", "to turn", "by", "why"):
        table.add_column(name, justify="right" if name in {"version", "to turn"} else "left")
    for event in events:
        what = event.kind.value.replace("_", " ")
        about = event.job or event.claim or (None if event.restored is None else f"to version {event.restored}")
        table.add_row(
            str(event.version),
            f"{event.at:%Y-%m-%d %H:%M:%S}",
            Text(" ".join(part for part in (what, about, mark_of(words.get(event.version))) if part)),
            str(event.through),
            Text(event.actor),
            Text(words[event.version].told if event.version in words else event.reason),
        )
    return table


def mark_of(words: VerdictWords | None) -> str | None:
    """The label of a version that was committed without a language model's passed test."""
    return None if words is None or words.standing is BoundaryStanding.PROVEN else f"({words.standing.value})"


def diff_versions(conversation: str, first: str, second: str | None, *, db: str | None, as_json: bool) -> Exit:
    """Print what changed from one version of a ledger to a later one; 0 is the empty ledger, none given the newest."""
    with open_services(load_settings(db=db), create=False, reading=True) as services, services.unit_of_work() as work:
        check_conversation(work, conversation)
        events = work.ledger.events(conversation)
        newest = events[-1].version if events else NOTHING
        a, b = _version(first), newest if second is None else _version(second)
        for version in (a, b):
            check_version(events, conversation, version)
        if a > b:
            raise InputError(f"version {a} before version {b}", "give the earlier version first")
        found = difference_between(work, conversation, a, b, events)
        talk = work.conversations.get(conversation)
    with printing(Exit.OK):
        if as_json:
            told = {"conversation": conversation, "from_version": a, "to_version": b}
            document = {**told, "changes": items_document(found, talk)}
            sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=1) + "\n")
        else:
            out = console()
            out.print(Text(f"{conversation!r}, version {a} to {b}: {counts_in_words(found)}"))
            print_items(out, found)
    return Exit.OK


def _version(text: str) -> int:
    """A version by number; 0 is the empty ledger. Raises InputError."""
    version = NOTHING if text in {"0", "v0"} else version_of(text)
    if version is None:
        raise InputError(f"version {text!r}", "give a number such as 3; `dissolve log` lists them")
    return version


def difference_between(
    work: UnitOfWork, conversation: str, a: int, b: int, events: tuple[LedgerEvent, ...]
) -> tuple[Item, ...]:
    """What changed from version `a` to version `b` of a ledger, `a` not above `b`."""
    readings: list[BoundaryState] = [work.ledger.at_version(conversation, version) for version in range(a + 1, b + 1)]
    before = boundary_at(work, conversation, a)
    after = readings[-1] if readings else before
    between = [event for event in events if a < event.version <= b]
    return items(difference(before, after), readings, between)


def roll_back(conversation: str, *, to: str, why: str, by: str | None, db: str | None, as_json: bool) -> Exit:
    """Make an earlier version of a ledger current again, as a new version; nothing is deleted."""
    actor, wanted = actor_of(by), version_of(to)
    if wanted is None:
        raise InputError(f"--to {to!r}", "give a version such as 3; `dissolve log` lists them")
    with open_services(load_settings(db=db), create=False) as services, services.unit_of_work() as work:
        check_conversation(work, conversation)
        check_version(work.ledger.events(conversation), conversation, wanted)
        present = work.boundaries.version(conversation)
        at = services.clock.now()
        reason = without_secrets(work, why, conversation)
        event = work.ledger.roll_back(conversation, wanted, present, at, actor=actor, reason=reason)
        work.commit()
    with printing(Exit.OK):
        if as_json:
            sys.stdout.write(event.model_dump_json(indent=1) + "\n")
        else:
            sys.stdout.write(f"version {event.version} of {conversation!r} stands as version {wanted} did\n")
            sys.stdout.write(f"see: {hint('diff', conversation, present, event.version, db=db)}\n")
    return Exit.OK
