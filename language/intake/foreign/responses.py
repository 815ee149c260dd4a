"""OpenAI Responses items: a list of them, a request, a response, a listing, or a session of the Agents SDK.

A session in a database is read as what `sqlite3 -json` prints of its table, or as one item a line; the database itself
is not opened.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple

from dissolution.errors import InvalidConversation
from language.intake.drafts import Draft, DraftTurn
from language.intake.foreign.form import Entry, ForeignForm
from language.intake.foreign.material import Material
from language.intake.foreign.responses_items import Items, call_ids, is_item, is_message
from language.intake.json_values import as_list, as_object, as_text
from language.intake.options import Form
from language.intake.strict_json import parse_json
from language.intake.times import Stamps

_HOLDERS = ("input", "output", "items", "data", "messages")
_DATA = "message_data"
_BARE = re.compile(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(?:\.\d{1,6})?")
_FLIPPED = "the items stood newest first, as the API lists them, and were turned round"
_ORDER = "the API lists items newest first unless order=asc is asked for; they are read as they stand"
_MORE = "the listing is one page of several (has_more): the rest of the conversation is not in the file"


class _Placed(NamedTuple):
    place: str
    value: Any
    written: str | None = None  # when the session took it up, in UTC


def _recognise(material: Material) -> str | None:
    objects = material.objects
    if any(_is_row(one) for one in objects):
        return "rows of an Agents SDK session, with message_data"
    whole = as_object(material.value)
    if whole is not None and not is_item(whole):
        held = [as_object(one) or {} for key in _HOLDERS for one in as_list(whole.get(key)) or []]
        if any(is_item(one) for one in held):
            return f"an object with items of type {_types(held)}"
        plain = "input" in whole and held and all(is_message(one) for one in held)
        return "an object with input, a list of messages" if plain else None
    return f"items of type {_types(objects)}" if any(is_item(one) for one in objects) else None


def _types(objects: Iterable[dict[str, Any]]) -> str:
    """The first types of items, so that a reason says what was seen."""
    return " and ".join(list(dict.fromkeys(str(one["type"]) for one in objects if is_item(one)))[:2])


def _is_row(fields: Mapping[str, Any]) -> bool:
    return isinstance(fields.get(_DATA), str | dict) and "session_id" in fields


def _read(material: Material) -> tuple[Entry, ...]:
    if any(_is_row(one) for one in material.objects):
        return _sessions(material)
    whole = as_object(material.value) or {}
    identifier = None if is_item(whole) else as_text(whole.get("id"))
    return (Entry(identifier, None, partial(_draft, material, identifier)),)


def _draft(material: Material, identifier: str | None, stamps: Stamps) -> Draft:
    placed, warnings = _placed(material)
    whole = as_object(material.value) or {}
    listing = whole.get("object") == "list"
    placed, told = _in_order(placed, listed=listing)
    more = (_MORE,) if listing and whole.get("has_more") is True else ()
    instructions = _instructions(whole.get("instructions"))
    return _made(material.name, [*instructions, *placed], identifier, (*warnings, *told, *more), stamps)


def _placed(material: Material) -> tuple[list[_Placed], tuple[str, ...]]:
    value = material.value
    if value is None:
        rows, warnings = material.rows()
        return [_Placed(f"line {row.number}", row.fields) for row in rows], warnings
    whole, listed = as_object(value), as_list(value)
    if whole is not None:
        given = [whole[key] for key in _HOLDERS if key in whole] if not is_item(whole) else [[whole]]
        listed = [one for held in given for one in _items_of(held)]
        if not given:
            raise InvalidConversation(
                f"file {material.name!r} has no list of items", 'write [{"type": "message", …}, …]'
            )
    return [_Placed(f"item {number}", one) for number, one in enumerate(listed or [], start=1)], ()


def _items_of(held: object) -> list[Any]:
    """A request's input may be one text, which is the user's."""
    return [{"role": "user", "content": held}] if isinstance(held, str) else as_list(held) or []


def _instructions(given: object) -> list[_Placed]:
    if isinstance(given, str) and given.strip():
        return [_Placed("the instructions", {"role": "system", "content": given})]
    return [_Placed(f"instruction {number}", one) for number, one in enumerate(as_list(given) or [], start=1)]


def _in_order(placed: list[_Placed], *, listed: bool) -> tuple[list[_Placed], tuple[str, ...]]:
    """Oldest first: an output stands behind its call. A listing without calls says nothing of its order."""
    found = [pair for pair in (call_ids(as_object(one.value) or {}) for one in placed) if pair is not None]
    first: dict[str, bool] = {}
    for call, answers in found:
        first.setdefault(call, answers)
    paired = {call for call, answers in found if answers != first[call]}
    answer_first = sum(first[call] for call in paired)
    if answer_first > len(paired) - answer_first:
        return placed[::-1], (_FLIPPED,)
    return placed, (_ORDER,) if listed and not paired else ()


def _sessions(material: Material) -> tuple[Entry, ...]:
    """A conversation a session, in the order in which they begin; rows in the order of their ids."""
    if material.value is None:
        rows, warnings = material.rows()
        listed = [(f"line {row.number}", row.fields) for row in rows]
    else:
        values = as_list(material.value) or [material.value]
        listed, warnings = [(f"row {number}", as_object(one) or {}) for number, one in enumerate(values, start=1)], ()
    sessions: dict[str | None, list[tuple[str, dict[str, Any]]]] = defaultdict(list)
    for place, fields in listed:
        sessions[as_text(fields.get("session_id"))].append((place, fields))
    return tuple(
        Entry(session, None, _session(material.name, session, rows_of, warnings))
        for session, rows_of in sessions.items()
    )


def _session(
    name: str, session: str | None, rows: list[tuple[str, dict[str, Any]]], warnings: tuple[str, ...]
) -> Callable[[Stamps], Draft]:
    def draft(stamps: Stamps) -> Draft:
        numbered = all(isinstance(fields.get("id"), int) for _, fields in rows)
        ordered = sorted(rows, key=lambda row: row[1]["id"]) if numbered else rows
        read = [(place, _row(place, fields)) for place, fields in ordered]
        broken = [place for place, one in read if one is None]
        told = (f"{len(broken)} rows hold no item, such as {broken[0]}, and were left out",) if broken else ()
        placed = [one for _, one in read if one is not None]
        return _made(name, placed, session, (*warnings, *told), stamps)

    return draft


def _row(place: str, fields: Mapping[str, Any]) -> _Placed | None:
    """The item of one row; None for one that holds none, which the SDK passes over as well."""
    held = fields.get(_DATA)
    if isinstance(held, str):
        try:
            held = parse_json(held, place)
        except InvalidConversation:
            held = None
    if as_object(held) is None:
        return None
    written = as_text(fields.get("created_at"))
    # SQLite's CURRENT_TIMESTAMP is UTC and names no zone: https://sqlite.org/lang_datefunc.html
    return _Placed(place, held, f"{written}+00:00" if written and _BARE.fullmatch(written) else written)


def _made(
    name: str,
    placed: list[_Placed],
    identifier: str | None,
    warnings: tuple[str, ...],
    stamps: Stamps,
) -> Draft:
    items = Items()
    turns: list[DraftTurn] = []
    for one in placed:
        said_at = stamps.leniently(one.written)
        turns += (turn._replace(said_at=said_at) for turn in items.turns(one.place, one.value))
    if not turns:
        raise InvalidConversation(f"file {name!r} has no turns", "give at least one message")
    return Draft(tuple(turns), identifier, warnings=(*warnings, *items.warnings()))


FORM = ForeignForm(
    form=Form.RESPONSES,
    title="OpenAI Responses items, Agents SDK session",
    marks=frozenset({"call_id", "output", "input", "message_data", "session_id", "encrypted_content"}),
    converter="write the items as a list (result.to_input_list(), session.get_items()), or what "
    "`sqlite3 -json FILE 'select * from agent_messages order by id'` prints",
    recognise=_recognise,
    read=_read,
)
