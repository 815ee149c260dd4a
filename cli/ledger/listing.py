"""`dissolve list`: what is stored, newest first, and how each conversation stands."""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from cli.shared.exits import Exit
from cli.shared.output import hint, printing, say
from cli.shared.tables import row, table
from cli.shared.views import console, shortened
from dissolution.service import ConversationFacts, ConversationStanding
from dissolution.settings import Settings, load_settings
from dissolution.tenancy import checked_tenant
from dissolution.values import NotMeasured
from workers.bootstrap import open_store

TITLE_CHARS = 40


@dataclass(frozen=True, kw_only=True)
class ListOptions:
    """What was given on the command line of `dissolve list`."""

    name: str | None
    tenant: str | None
    limit: int
    db: str | None
    as_json: bool


@dataclass(frozen=True, kw_only=True)
class Listed:
    """The conversations shown, each with how it stands, and whether there are more."""

    rows: Sequence[tuple[ConversationFacts, ConversationStanding]]
    more: bool


def list_conversations(options: ListOptions) -> Exit:
    """Print the conversations, newest first. Raises InputError for a tenant's name that none can have."""
    tenant = None if options.tenant is None else checked_tenant(options.tenant)
    listed = read(load_settings(db=options.db), options, tenant)
    with printing(Exit.OK):
        if options.as_json:
            sys.stdout.write(json.dumps(document(listed), ensure_ascii=False, indent=1) + "\n")
        elif listed.rows:
            print_listed(listed)
    if not options.as_json:
        tell(listed, options)
    return Exit.OK


def read(settings: Settings, options: ListOptions, tenant: str | None) -> Listed:
    """What the database has. Raises StoreUnavailable where there is none."""
    store = open_store(settings, create=False, reading=True)
    with store() as work:
        listing = work.service.listing
        found = listing.newest(tenant, options.name or "", options.limit + 1)
        standings = listing.standings([one.id for one in found[: options.limit]])
    rows = [(one, standings[one.id]) for one in found[: options.limit]]
    return Listed(rows=rows, more=len(found) > options.limit)


def document(listed: Listed) -> dict[str, object]:
    """The list as JSON values."""
    return {
        "conversations": [
            {
                **facts.model_dump(mode="json", exclude={"digest", "language"}),
                "language": facts.language.code,
                **standing.model_dump(mode="json"),
            }
            for facts, standing in listed.rows
        ],
        "more": listed.more,
    }


def print_listed(listed: Listed) -> None:
    """One row a conversation."""
    titled = any(facts.title not in {None, facts.id} for facts, _ in listed.rows)
    titles = ("title",) if titled else ()
    made = table("conversation", *titles, "turns", "version", "tokens", "last job", "state", "last change (UTC)")
    for facts, standing in listed.rows:
        job = standing.last_job
        changed = facts.recorded_at if job is None else max(facts.recorded_at, job.created_at)
        title = (shortened(facts.title or "", TITLE_CHARS),) if titled else ()
        version = standing.version or None
        state = (job.id, job.status.value.replace("_", " ")) if job else (None, None)
        row(made, facts.id, *title, facts.turns, version, size_of(standing), *state, f"{changed:%Y-%m-%d %H:%M}")
    console().print(made)


def size_of(standing: ConversationStanding) -> str:
    """Tokens before and after as the boundary's job counted them; without a boundary the characters of all turns."""
    if isinstance(standing.size, NotMeasured):
        return f"{standing.characters} characters"
    return f"{standing.size.before_tokens} → {standing.size.after_tokens}"


def tell(listed: Listed, options: ListOptions) -> None:
    """What to do where there is nothing, and how to see more, on stderr."""
    if listed.rows:
        if listed.more:
            say(f"the newest {options.limit} are shown; give --limit, or --name with a part of a name")
        return
    chosen = [f"{flag} {value!r}" for flag, value in (("--name", options.name), ("--tenant", options.tenant)) if value]
    if chosen:
        say(f"no conversation fits {' and '.join(chosen)}; all: {hint('list', db=options.db)}")
    else:
        say(f"no conversation is stored; store one with {hint('run', 'FILE', db=options.db)}")
