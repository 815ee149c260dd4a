"""Our own form: one JSON object with `turns`, any speaker labels, any further keys."""

from typing import Any

from dissolution.conversation import Role
from dissolution.errors import InvalidConversation
from language.intake.drafts import Draft, DraftTurn, Part
from language.intake.json_values import as_list, as_object, as_text
from language.intake.shown import shown
from language.intake.strict_json import json_lines
from language.intake.times import Stamps

_ROLES = {
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
    "tool": Role.TOOL,
    "function": Role.TOOL,
}
_LISTED = 10


def read_native(value: Any, name: str, stamps: Stamps) -> Draft:  # noqa: ANN401 - JSON is any value
    """One conversation of our form.

    `turns` is a list of {"turn" or "number"?, "role", "speaker"?, "content", "said_at"?}; numbers, when given, run 1,
    2, 3 …; a label that is not one of our roles makes a participant. Raises InvalidConversation.
    """
    fields = as_object(value) or {}
    entries = as_list(fields.get("turns"))
    if entries is None:
        raise InvalidConversation(
            f"file {name!r} has no list 'turns'", 'write {"id": …, "turns": [{"role": …, "content": …}, …]}'
        )
    if not entries:
        raise InvalidConversation(f"file {name!r} has no turns", "give at least one turn")
    read = tuple(_turn(entry, index, stamps) for index, entry in enumerate(entries, start=1))
    _check_numbers(entries)
    return Draft(turns=read, id=id_of(fields), title=as_text(fields.get("title")))


def read_native_jsonl(text: str, name: str, wanted: str | None, stamps: Stamps) -> Draft:
    """The conversation with id `wanted` of a JSONL file, or its only one. Raises InvalidConversation."""
    lines = json_lines(text, name)
    if not lines:
        raise InvalidConversation(f"file {name!r} has no turns", "give at least one conversation a line")
    ids = [id_of(value) for _, value in lines]
    if wanted is None and len(lines) == 1:
        return read_native(lines[0][1], name, stamps)
    if wanted is None:
        raise InvalidConversation(
            f"file {name!r} holds {len(lines)} conversations ({_listed(ids)})",
            "pick one with --conversation ID (over HTTP and MCP, `pick`)",
        )
    chosen = [index for index, one in enumerate(ids) if one == wanted]
    if not chosen:
        raise InvalidConversation(
            f"file {name!r} holds no conversation {shown(wanted)}", f"pick one of its {len(lines)}: {_listed(ids)}"
        )
    if len(chosen) > 1:
        numbers = ", ".join(str(lines[index][0]) for index in chosen[:_LISTED])
        raise InvalidConversation(
            f"file {name!r} holds conversation {shown(wanted)} on lines {numbers}", "give each conversation its own id"
        )
    number, value = lines[chosen[0]]
    return read_native(value, f"{name}, line {number}", stamps)


def id_of(value: dict[str, Any]) -> str | None:
    """The `id` of an object: a text, or a whole number as text; None without one. Raises InvalidConversation."""
    given = value.get("id")
    if given is None or isinstance(given, str):
        return given
    if isinstance(given, int) and not isinstance(given, bool):
        return str(given)
    raise InvalidConversation(f"the id {shown(given)} is not a text", "write the id as a string")


def _listed(ids: list[str | None]) -> str:
    names = ", ".join("one without id" if one is None else shown(one) for one in ids[:_LISTED])
    return names if len(ids) <= _LISTED else f"{names}, …"


def _turn(entry: Any, index: int, stamps: Stamps) -> DraftTurn:  # noqa: ANN401 - JSON is any value
    place = f"turn {index}"
    fields = as_object(entry)
    if fields is None:
        raise InvalidConversation(f"{place} is {shown(entry)}", 'write {"role": …, "content": …}')
    label = _label(fields, "role", place) or _label(fields, "speaker", place)
    if label is None:
        raise InvalidConversation(f"{place} has neither role nor speaker", "say who speaks in it")
    content = fields.get("content")
    if not isinstance(content, str):
        what = "no content" if content is None else f"{shown(content)} as content"
        raise InvalidConversation(f"{place} has {what}", "write its content as a string")
    return DraftTurn(
        place=place,
        role=_ROLES.get(label.lower(), Role.PARTICIPANT),
        speaker=_label(fields, "speaker", place) or label,
        parts=(Part(content),),
        said_at=stamps.read(fields.get("said_at"), place),
    )


def _label(fields: dict[str, Any], key: str, place: str) -> str | None:
    value = fields.get(key)
    if value is None:
        return None
    if not isinstance(value, str):
        raise InvalidConversation(f"{place}: {key} is {shown(value)}", f"write the {key} as a string")
    return value.strip() or None


def _check_numbers(entries: list[Any]) -> None:
    """Numbers are all there or none is, and run 1, 2, 3 …; a duplicate or a gap would misplace evidence."""
    numbers = [entry.get("turn", entry.get("number")) for entry in entries]
    if all(number is None for number in numbers):
        return
    seen: set[int] = set()
    for expected, number in enumerate(numbers, start=1):
        if not isinstance(number, int) or isinstance(number, bool):
            what = "has no number" if number is None else f"has the number {shown(number)}"
            raise InvalidConversation(f"turn {expected} {what}", "number all turns 1, 2, 3 …, or none")
        if number in seen:
            raise InvalidConversation(f"turn number {number} appears twice", "number the turns 1, 2, 3 …")
        if number != expected:
            raise InvalidConversation(
                f"turn number {number} stands where {expected} is next", "number the turns 1, 2, 3 …"
            )
        seen.add(number)
