"""One conversation out of a file that holds several."""

from collections.abc import Sequence

from dissolution.errors import InvalidConversation
from language.intake.foreign.form import Entry
from language.intake.shown import shown

LISTED = 10
"""So many ids are named in a refusal."""


def chosen(entries: Sequence[Entry], name: str, wanted: str | None) -> Entry:
    """The entry with id `wanted`; without that, or of one alone, the only one that stands on its own.

    Raises:
        InvalidConversation: None, several and none wanted, none of that id, or several of it.
    """
    if not entries:
        raise InvalidConversation(f"file {name!r} holds no conversation", "export again, with conversations in it")
    if len(entries) == 1:
        return entries[0]
    standing = [entry for entry in entries if not entry.aside]
    if wanted is None and len(standing) == 1:
        return standing[0]
    if wanted is None:
        raise InvalidConversation(
            f"file {name!r} holds {len(entries)} conversations ({_listed(entries)})",
            "pick one with --conversation ID (over HTTP and MCP, `pick`); `dissolve import --list` shows all",
        )
    found = [entry for entry in entries if entry.id == wanted]
    if not found:
        raise InvalidConversation(
            f"file {name!r} holds no conversation {shown(wanted)}",
            f"pick one of its {len(entries)}: {_listed(entries)}",
        )
    if len(found) > 1:
        raise InvalidConversation(
            f"file {name!r} holds conversation {shown(wanted)} {len(found)} times", "give each conversation its own id"
        )
    return found[0]


def _listed(entries: Sequence[Entry]) -> str:
    names = ", ".join("one without id" if one.id is None else shown(one.id) for one in entries[:LISTED])
    return names if len(entries) <= LISTED else f"{names}, …"
