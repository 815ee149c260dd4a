"""Lists of messages as chat APIs take them: OpenAI-style, Anthropic-style, and one message a line."""

from typing import Any, NamedTuple

from dissolution.conversation import QuotedKind, Role
from dissolution.errors import InvalidConversation
from language.intake.blocks import NO_OUTPUT, Content, call_text, read_content, text_of
from language.intake.drafts import Draft, DraftTurn, Part
from language.intake.json_values import as_list, as_object, as_text
from language.intake.native import id_of
from language.intake.options import Form
from language.intake.shown import shown
from language.intake.split import Tally, function_of, split
from language.intake.strict_json import json_lines

_CHAT_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}
_ROLES = {
    Form.ANTHROPIC: _CHAT_ROLES,
    Form.OPENAI: {
        **_CHAT_ROLES,
        "system": Role.SYSTEM,
        "developer": Role.SYSTEM,
        "tool": Role.TOOL,
        "function": Role.TOOL,
    },
}
_ROLES[Form.MESSAGE_JSONL] = _ROLES[Form.OPENAI]


class _Entry(NamedTuple):
    place: str
    fields: dict[str, Any]


def read_messages(value: Any, name: str, form: Form) -> Draft:  # noqa: ANN401 - JSON is any value
    """A bare list of messages, or an object with `messages` and perhaps `system`, `id` and `title`.

    Raises:
        InvalidConversation: No messages, an unknown role, or content that is neither text nor parts; the message
            names the message by its place in the list, from 1.
    """
    fields = as_object(value) or {"messages": value}
    entries = as_list(fields.get("messages"))
    if entries is None:
        raise InvalidConversation(f"file {name!r} has no list of messages", 'write [{"role": …, "content": …}, …]')
    if not entries:
        raise InvalidConversation(f"file {name!r} has no turns", "give at least one message")
    listed: list[_Entry] = []
    for index, entry in enumerate(entries, start=1):
        message = as_object(entry)
        if message is None:
            raise InvalidConversation(f"message {index} is {shown(entry)}", 'write {"role": …, "content": …}')
        listed.append(_Entry(f"message {index}", message))
    draft = _read(listed, form, fields.get("system"))
    return draft._replace(id=id_of(fields), title=as_text(fields.get("title")))


def read_message_jsonl(text: str, name: str) -> Draft:
    """One message of either kind a line, blank lines allowed. Raises InvalidConversation, which names the line."""
    entries = [_Entry(f"line {number}", value) for number, value in json_lines(text, name)]
    if not entries:
        raise InvalidConversation(f"file {name!r} has no turns", "give at least one message a line")
    return _read(entries, Form.MESSAGE_JSONL, None)


def _read(entries: list[_Entry], form: Form, system: object) -> Draft:
    tally = Tally()
    turns: list[DraftTurn] = []
    if system is not None and system != "":
        turns.append(DraftTurn("the system text", Role.SYSTEM, "system", (Part(text_of(system, "the system text")),)))
    for entry in entries:
        turns += _turns(entry, form, tally)
    return Draft(turns=tuple(turns), warnings=tally.warnings())


def _turns(entry: _Entry, form: Form, tally: Tally) -> list[DraftTurn]:
    """The turns of one message: tool results among its blocks become turns of their own, in order."""
    fields, place = entry.fields, entry.place
    label = fields.get("role")
    roles = _ROLES[form]
    role = roles.get(label) if isinstance(label, str) else None
    if role is None or not isinstance(label, str):
        what = "has no role" if label is None else f"has the unknown role {shown(label)}"
        raise InvalidConversation(f"{place} {what}", f"use one of {', '.join(roles)}, or another form with --format")
    content = read_content(fields.get("content"), place)
    tally.note(content)
    tally.remember(fields)
    if role is Role.TOOL:
        return [_tool_turn(fields, content, place, tally)]
    speaker = as_text(fields.get("name")) or label
    items = [*content.items, *_calls(fields, place)]
    refusal = fields.get("refusal")
    if isinstance(refusal, str) and refusal:
        items.insert(len(content.items), Part(refusal))
    if not items and content.thoughts:
        return []
    return split(items, DraftTurn(place, role, speaker, ()), tally)


def _tool_turn(fields: dict[str, Any], content: Content, place: str, tally: Tally) -> DraftTurn:
    called = tally.names.get(as_text(fields.get("tool_call_id")) or "", "tool")
    text = "\n".join(item.text for item in content.items)
    part = Part(text if text.strip() else NO_OUTPUT, QuotedKind.TOOL_OUTPUT)
    return DraftTurn(place, Role.TOOL, as_text(fields.get("name")) or called, (part,))


def _calls(fields: dict[str, Any], place: str) -> list[Part]:
    """OpenAI's `tool_calls`, and the older `function_call`, as quoted material."""
    given = fields.get("tool_calls")
    calls = [] if given is None else as_list(given)
    if calls is None:
        raise InvalidConversation(f"{place}: tool_calls is {shown(given)}", "give a list of calls")
    old = fields.get("function_call")
    parts: list[Part] = []
    for call in (*calls, *([] if old is None else [{"function": old}])):
        function = function_of(as_object(call) or {})
        if not function:
            raise InvalidConversation(f"{place}: a tool call is {shown(call)}", 'give {"function": {"name": …}}')
        arguments = function.get("arguments", function.get("input", ""))
        parts.append(Part(call_text(function.get("name"), arguments), QuotedKind.TOOL_CALL))
    return parts
