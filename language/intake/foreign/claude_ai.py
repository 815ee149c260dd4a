"""The export of claude.ai: `conversations.json`, a list of conversations with `chat_messages`.

Nobody documents the form officially; what is read here is what importers agree on (docs/conversations.md lists it).
"""

from collections.abc import Mapping
from typing import Any

from dissolution.conversation import QuotedKind, Role
from dissolution.errors import InvalidConversation
from language.intake.drafts import Draft, DraftTurn, Part
from language.intake.foreign.form import Entry, ForeignForm
from language.intake.foreign.material import Material
from language.intake.foreign.turns import block_turns
from language.intake.json_values import as_list, as_object, as_text
from language.intake.options import Form
from language.intake.shown import shown
from language.intake.split import Tally
from language.intake.times import Stamps

_ROLES = {"human": Role.USER, "user": Role.USER, "assistant": Role.ASSISTANT}


def _recognise(material: Material) -> str | None:
    if any("chat_messages" in one for one in material.objects):
        return "conversations with chat_messages"
    return None


def _read(material: Material) -> tuple[Entry, ...]:
    value = material.whole_value()
    listed = as_list(value)
    return tuple(_entry(one, place) for place, one in enumerate([value] if listed is None else listed, start=1))


def _entry(value: Any, place: int) -> Entry:  # noqa: ANN401 - JSON is any value
    fields = as_object(value) or {}

    def draft(stamps: Stamps) -> Draft:
        messages = as_list(fields.get("chat_messages"))
        if messages is None:
            raise InvalidConversation(
                f"conversation {place} has no list 'chat_messages'", "take conversations.json as it was exported"
            )
        return _draft(fields, messages, stamps)

    return Entry(as_text(fields.get("uuid")), as_text(fields.get("name")), draft)


def _draft(fields: Mapping[str, Any], messages: list[Any], stamps: Stamps) -> Draft:
    tally = Tally()
    turns: list[DraftTurn] = []
    shown_ones, told = _shown_branch(fields, messages)
    for place, one in shown_ones:
        where = f"message {place}"
        sender = one.get("sender")
        role = _ROLES.get(sender) if isinstance(sender, str) else None
        if role is None:
            raise InvalidConversation(f"{where} has the sender {shown(sender)}", "human and assistant are read")
        said = DraftTurn(where, role, role.value, (), stamps.leniently(one.get("created_at")))
        turns += block_turns(one.get("content") or one.get("text"), said, tally, beside=_attached(one))
    return Draft(tuple(turns), as_text(fields.get("uuid")), as_text(fields.get("name")), (*told, *tally.warnings()))


def _shown_branch(
    fields: Mapping[str, Any], messages: list[Any]
) -> tuple[list[tuple[int, dict[str, Any]]], tuple[str, ...]]:
    """The messages in their places (from 1): the branch that the page shows where the file says it, else all."""
    listed: list[tuple[int, dict[str, Any]]] = []
    for place, entry in enumerate(messages, start=1):
        one = as_object(entry)
        if one is None:
            raise InvalidConversation(f"message {place} is {shown(entry)}", 'each is {"sender": …, "text": …}')
        listed.append((place, one))
    leaf = as_text(fields.get("current_leaf_message_uuid"))
    placed = {as_text(one.get("uuid")): (place, one) for place, one in listed}
    if leaf is None or leaf not in placed:
        return listed, ()
    branch: list[tuple[int, dict[str, Any]]] = []
    at: str | None = leaf
    while at is not None and at in placed:
        found = placed.pop(at)
        branch.append(found)
        at = as_text(found[1].get("parent_message_uuid"))
    branch.reverse()
    left = len(listed) - len(branch)
    return branch, (f"{left} messages of other branches were left out",) if left else ()


def _attached(message: Mapping[str, Any]) -> list[Part]:
    """Attachments with the text that was taken out of them, and files by their names."""
    parts: list[Part] = []
    named: set[str] = set()
    for key in ("attachments", "files", "files_v2"):
        for entry in as_list(message.get(key)) or []:
            one = as_object(entry) or {}
            name = as_text(one.get("file_name")) or "without a name"
            text = as_text(one.get("extracted_content"))
            if name in named and text is None:
                continue
            named.add(name)
            head = f"[file: {name}]"
            parts.append(Part(f"{head}\n{text}" if text else head, QuotedKind.DOCUMENT))
    return parts


FORM = ForeignForm(
    form=Form.CLAUDE_AI,
    title="claude.ai export",
    marks=frozenset({"uuid", "name", "chat_messages", "sender", "created_at"}),
    converter="take conversations.json out of the zip that Settings, Privacy, Export data sends",
    recognise=_recognise,
    read=_read,
)
