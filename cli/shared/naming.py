"""What the commands of the ledger are given: conversations, versions, instants, claims, and who gives them."""

import getpass
import re
from collections.abc import Sequence
from datetime import datetime

from dissolution.boundary import BoundaryState
from dissolution.claims import Claim, ClaimId, Dissent
from dissolution.errors import InputError, NaiveInstant, NotFound
from dissolution.job import JobStatus
from dissolution.ledger import LedgerEvent
from dissolution.ports.store import UnitOfWork

UNKNOWN_ACTOR = "unknown"
MAX_ACTOR_CHARS = 100
VERSION = re.compile(r"v?([1-9]\d{0,8})")


def actor_of(named: str | None) -> str:
    """Who acts, as the ledger records it: the name given, or the login name of this process's user."""
    if named is not None and not 0 < len(named.strip()) <= MAX_ACTOR_CHARS:
        raise InputError(f"--by {named!r}", f"give a name of 1 to {MAX_ACTOR_CHARS} characters")
    if named is not None:
        return named.strip()
    try:
        return getpass.getuser()[:MAX_ACTOR_CHARS] or UNKNOWN_ACTOR
    except (OSError, KeyError):  # a process without a user entry, as in some containers
        return UNKNOWN_ACTOR


def instant_of(name: str, text: str) -> datetime:
    """An instant in ISO 8601. Raises NaiveInstant without a time zone, InputError when it is none at all."""
    try:
        instant = datetime.fromisoformat(text)
    except ValueError as error:
        raise InputError(f"{name} {text!r}", "give a version, or an instant such as 2026-03-01T09:00:00Z") from error
    if instant.tzinfo is None:
        raise NaiveInstant(name, text)
    return instant


def version_of(text: str) -> int | None:
    """The version that `3` or `v3` names; None for anything else."""
    match = VERSION.fullmatch(text)
    return int(match[1]) if match else None


def check_conversation(work: UnitOfWork, conversation: str) -> None:
    """Raise NotFound when no conversation of this id is stored."""
    if conversation not in work.conversations.ids():
        kind = "conversation"
        raise NotFound(kind, conversation)


def refuse_one_name(conversation: str | None, files: Sequence[str]) -> None:
    """Raise InputError for `--conversation` with several files: it names one conversation of one file."""
    if conversation is not None and len(files) > 1:
        raise InputError(f"--conversation {conversation!r} with {len(files)} files", "give one file with it")


def check_version(events: tuple[LedgerEvent, ...], conversation: str, version: int) -> None:
    """Raise InputError when the conversation's ledger has no such version."""
    last = events[-1].version if events else 0
    if version > last:
        known = f"choose one from 1 to {last}" if last else "it has no boundary yet; make one with `dissolve run`"
        raise InputError(f"version {version} of conversation {conversation!r}", known)


def the_claim(work: UnitOfWork, beginning: str) -> tuple[ClaimId, str]:
    """The whole id of a claim or dissent and its conversation, by id or unique beginning.

    Raises NotFound, and InputError with the first ids when the beginning fits several.
    """
    found, boundary = the_statement(work, beginning)
    return found.id, boundary.conversation


IDS_SHOWN = 10


def the_statement(work: UnitOfWork, beginning: str) -> tuple[Claim | Dissent, BoundaryState]:
    """The claim or dissent with this id, or with this beginning of one.

    Raises NotFound, and InputError with the first ids when the beginning fits several.
    """
    try:
        return work.boundaries.claim(beginning)
    except NotFound as error:
        ids = ids_beginning_with(work, beginning)
        if not ids:
            raise
        shown = ", ".join(ids[:IDS_SHOWN]) + (", …" if len(ids) > IDS_SHOWN else "")
        raise InputError(f"{beginning!r} is the beginning of several ids", f"give more of it: {shown}") from error


def ids_beginning_with(work: UnitOfWork, prefix: str) -> list[str]:
    """Ids of stored claims and dissents, those of the newest boundaries first; a few more than are shown at most."""
    ids: dict[str, None] = {}
    for job in work.jobs.find(""):
        boundary = work.boundaries.by_job(job.id) if job.status is JobStatus.COMMITTED else None
        if boundary is not None:
            every = (*boundary.claims, *boundary.dissent)
            ids.update(dict.fromkeys(item.id for item in every if item.id.startswith(prefix)))
        if len(ids) > IDS_SHOWN:
            break
    return list(ids)
