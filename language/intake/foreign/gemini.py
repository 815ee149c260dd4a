"""Gemini: `contents` with roles user and model and parts, as the API takes and the SDKs keep them.

The answer of a function stands under the role user, or function, and is no word of the user's. Older files have no ids
of calls; the answer's own name says whose it is.
"""

import json
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from dissolution.conversation import QuotedKind, Role
from dissolution.errors import InvalidConversation
from language.intake.blocks import NO_OUTPUT, Content, ToolResult, call_text
from language.intake.drafts import Draft, DraftTurn, Part
from language.intake.foreign.form import Entry, ForeignForm
from language.intake.foreign.material import Material
from language.intake.json_values import as_list, as_object, as_text
from language.intake.options import Form
from language.intake.shown import shown
from language.intake.split import Tally, split
from language.intake.times import Stamps

_ROLES = {
    "user": Role.USER,
    "model": Role.ASSISTANT,
    "function": Role.TOOL,
    "tool": Role.TOOL,
    "system": Role.SYSTEM,
}
_SPEAKERS = {Role.USER: "user", Role.ASSISTANT: "assistant", Role.SYSTEM: "system", Role.TOOL: "tool"}
# What a part says of itself beside what it holds.
_ABOUT = frozenset({"thought", "thought_signature", "video_metadata", "part_metadata", "media_resolution"})
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_MEDIA = frozenset({"image", "audio", "video"})
_HOLDERS = ("contents", "history", "messages")
_ANSWERS = ("output", "result", "content", "error")


def _recognise(material: Material) -> str | None:
    contents = _contents(material.value)
    entries = [as_object(one) or {} for one in contents or []]
    if not entries or any(one.get("role") is not None and as_text(one["role"]) not in _ROLES for one in entries):
        return None
    parts = [part for one in entries for part in _objects(one.get("parts"))]
    if not parts or any("type" in part or "kind" in part for part in parts):
        return None
    held = {key for part in parts for key in part}
    return "contents with parts" if held & _PARTS.keys() else None


def _contents(value: Any) -> list[Any] | None:  # noqa: ANN401 - JSON is any value
    fields = as_object(value)
    if fields is None:
        return as_list(value)
    return next((held for held in (as_list(fields.get(key)) for key in _HOLDERS) if held is not None), None)


def _objects(value: object) -> list[dict[str, Any]]:
    """The parts, with keys as Python's SDK has them (functionCall is function_call), without those that are null."""
    found = (as_object(one) for one in as_list(value) or [])
    return [{_snake(key): held for key, held in one.items() if held is not None} for one in found if one is not None]


def _snake(key: str) -> str:
    return _HUMP.sub("_", key).lower()


def _read(material: Material) -> tuple[Entry, ...]:
    return (Entry(None, None, partial(_draft, material)),)


def _draft(material: Material, _: Stamps) -> Draft:
    value = material.whole_value()
    contents = _contents(value)
    if contents is None:
        raise InvalidConversation(
            f"file {material.name!r} has no list of contents", 'write {"contents": [{"role": …, "parts": […]}, …]}'
        )
    tally = Tally()
    fields = {_snake(key): held for key, held in (as_object(value) or {}).items()}
    turns = _system(fields.get("system_instruction"), tally)
    for number, entry in enumerate(contents, start=1):
        turns += _turns(entry, f"message {number}", tally)
    if not turns:
        raise InvalidConversation(f"file {material.name!r} has no turns", "give at least one content with parts")
    return Draft(tuple(turns), warnings=tally.warnings())


def _system(given: object, tally: Tally) -> list[DraftTurn]:
    if given is None or given == "":
        return []
    place = "the system instruction"
    held = {"parts": [{"text": given}]} if isinstance(given, str) else as_object(given) or {"parts": given}
    return _turns({**held, "role": "system"}, place, tally)


def _turns(entry: object, place: str, tally: Tally) -> list[DraftTurn]:
    fields = as_object(entry)
    if fields is None or as_list(fields.get("parts")) is None:
        what = f"is {shown(entry)}" if fields is None else f"has {shown(fields.get('parts'))} as parts"
        raise InvalidConversation(f"{place} {what}", 'write {"role": …, "parts": [{"text": …}]}')
    label = fields.get("role", "user") or "user"
    role = _ROLES.get(label) if isinstance(label, str) else None
    if role is None:
        raise InvalidConversation(f"{place} has the unknown role {shown(label)}", f"use one of {', '.join(_ROLES)}")
    items: list[Part | ToolResult] = []
    thoughts, unknown = 0, list[str]()
    for part in _objects(fields.get("parts")):
        if part.get("thought") is True:
            thoughts += 1
            continue
        read = [_PARTS[key](held, f"{place}: {key}", tally) for key, held in part.items() if key in _PARTS]
        strange = [key for key in part if key not in _PARTS and key not in _ABOUT]
        unknown += strange
        items += [*read, *(Part(f"[{key}]", QuotedKind.DOCUMENT) for key in strange)]
    tally.note(Content(tuple(items), thoughts, tuple(unknown)))
    kept = [one for one in items if one.text.strip()]
    if role is Role.TOOL:  # whatever stands there came from a function
        kept = [one._replace(kind=QuotedKind.TOOL_OUTPUT) if isinstance(one, Part) else one for one in kept]
    if not kept and not thoughts:
        raise InvalidConversation(f"{place} is empty", "give it a part or leave it out")
    return split(kept, DraftTurn(place, role, _SPEAKERS[role], ()), tally) if kept else []


def _text(held: object, what: str, _: Tally) -> Part:
    if not isinstance(held, str):
        raise InvalidConversation(f"{what} holds {shown(held)} in place of text", "give a string")
    return Part(held)


def _call(held: object, what: str, tally: Tally) -> Part:
    call = _one(held, what)
    name = as_text(call.get("name"))
    if name is not None:
        tally.names[as_text(call.get("id")) or name] = name
    return Part(call_text(name, call.get("args") or {}), QuotedKind.TOOL_CALL)


def _response(held: object, what: str, tally: Tally) -> ToolResult:
    answer = _one(held, what)
    name = as_text(answer.get("name"))
    key = as_text(answer.get("id")) or name
    if key is not None and name is not None:
        tally.names[key] = name
    return ToolResult(_answer_text(answer.get("response")) or NO_OUTPUT, key)


def _answer_text(response: object) -> str:
    """The text of an answer: that of its one key `output`, `result`, `content` or `error`, else its JSON."""
    fields = as_object(response)
    if response is None or fields == {}:
        return ""
    if fields is not None and len(fields) == 1:
        key, held = next(iter(fields.items()))
        if key in _ANSWERS and isinstance(held, str):
            return held
    return response if isinstance(response, str) else json.dumps(response, ensure_ascii=False)


def _code(held: object, what: str, _: Tally) -> Part:
    return Part(call_text("code_execution", _one(held, what).get("code", "")), QuotedKind.TOOL_CALL)


def _code_result(held: object, what: str, _: Tally) -> Part:
    result = _one(held, what)
    given = as_text(result.get("output")) or as_text(result.get("outcome"))
    return Part(given or NO_OUTPUT, QuotedKind.TOOL_OUTPUT)


def _media(held: object, what: str, _: Tally) -> Part:
    fields = {_snake(key): value for key, value in _one(held, what).items()}
    sort = (as_text(fields.get("mime_type")) or "").partition("/")[0]
    word = sort if sort in _MEDIA else "file"
    name = as_text(fields.get("display_name")) or as_text(fields.get("file_uri"))
    return Part(f"[{word}: {name}]" if name else f"[{word}]", QuotedKind.DOCUMENT)


def _one(held: object, what: str) -> Mapping[str, Any]:
    fields = as_object(held)
    if fields is None:
        raise InvalidConversation(f"{what} is {shown(held)}", "give an object")
    return fields


_PARTS: dict[str, Callable[[object, str, Tally], Part | ToolResult]] = {
    "text": _text,
    "inline_data": _media,
    "file_data": _media,
    "function_call": _call,
    "function_response": _response,
    "executable_code": _code,
    "code_execution_result": _code_result,
}

FORM = ForeignForm(
    form=Form.GEMINI,
    title="Gemini contents",
    marks=frozenset({"contents", "parts", "systemInstruction", "functionCall", "functionResponse"}),
    converter="write the contents as the API takes them: [{'role': 'user', 'parts': [{'text': …}]}, …]",
    recognise=_recognise,
    read=_read,
)
