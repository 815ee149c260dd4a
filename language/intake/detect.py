"""Which form a text has, by its content; the name and ending of the file say nothing."""

import json
from typing import Any

from dissolution.errors import InvalidConversation
from language.intake.blocks import ANTHROPIC_ONLY
from language.intake.json_values import as_list, as_object
from language.intake.options import Form
from language.intake.strict_json import parse_json
from language.intake.transcript import speaker_lines

_OPENAI_ROLES = ("system", "developer", "tool", "function")
_FORMS = ", ".join(Form)


def detect_form(text: str, name: str) -> tuple[Form, Any]:
    """The form and, when the whole text is one JSON value, that value (else None).

    Raises:
        InvalidConversation: Broken JSON (line and column), or nothing that any form begins with.
    """
    head = text.lstrip()
    if head[0] in "{[":
        first, _, rest = head.partition("\n")
        opening = _object(first)
        if opening is not None and rest.strip():
            return _form_of_line(opening, name), None
        if head[0] == "{" or not speaker_lines(text):
            value = parse_json(text, name)
            return _form_of_value(value, name), value
    if speaker_lines(text):
        return Form.TRANSCRIPT, None
    raise _undecided(name)


def _object(line: str) -> dict[str, Any] | None:
    """The line as a JSON object on its own, or None: a pretty-printed file's first line is none."""
    try:
        return as_object(json.loads(line))
    except (ValueError, RecursionError):
        return None


def _form_of_line(value: dict[str, Any], name: str) -> Form:
    if "turns" in value:
        return Form.NATIVE_JSONL
    if "role" in value:
        return Form.MESSAGE_JSONL
    raise _undecided(name)


def _form_of_value(value: Any, name: str) -> Form:  # noqa: ANN401 - JSON is any value
    fields = as_object(value) or {}
    if "turns" in fields:
        return Form.NATIVE
    if "messages" in fields:
        return _form_of_messages(fields["messages"], has_system="system" in fields)
    if "role" in fields:
        return Form.MESSAGE_JSONL
    messages = as_list(value)
    if messages is not None and (not messages or any("role" in (as_object(one) or {}) for one in messages)):
        return _form_of_messages(messages, has_system=False)
    raise _undecided(name)


def _form_of_messages(messages: Any, *, has_system: bool) -> Form:  # noqa: ANN401 - JSON is any value
    """Anthropic when a separate system text or one of its blocks says so and no OpenAI mark does; else OpenAI.

    A list of plain texts by user and assistant has no mark: both readings are the same.
    """
    marked = has_system
    for entry in as_list(messages) or []:
        message = as_object(entry) or {}
        if message.get("role") in _OPENAI_ROLES or "tool_calls" in message or "function_call" in message:
            return Form.OPENAI
        blocks = as_list(message.get("content")) or []
        marked = marked or any((as_object(block) or {}).get("type") in ANTHROPIC_ONLY for block in blocks)
    return Form.ANTHROPIC if marked else Form.OPENAI


def _undecided(name: str) -> InvalidConversation:
    return InvalidConversation(
        f"file {name!r} has none of the forms that are read",
        f"see docs/conversations.md, or force one with --format ({_FORMS})",
    )
