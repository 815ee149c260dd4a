"""Which form a text has, by its content; the name and ending of the file say nothing."""

import json
from typing import Any, NamedTuple

from dissolution.errors import InvalidConversation
from language.intake.blocks import ANTHROPIC_ONLY
from language.intake.foreign.material import Material
from language.intake.foreign.nearest import container, nearest
from language.intake.foreign.registry import recognised
from language.intake.json_values import as_list, as_object
from language.intake.options import Form
from language.intake.transcript import speaker_lines

_OPENAI_ROLES = ("system", "developer", "tool", "function")
_FORMS = ", ".join(Form)
_REASONS = {
    Form.NATIVE: "an object with turns",
    Form.NATIVE_JSONL: "lines that are objects with turns",
    Form.OPENAI: "messages with roles",
    Form.ANTHROPIC: "messages with a system text or with Anthropic's blocks",
    Form.MESSAGE_JSONL: "lines that are messages with roles",
    Form.TRANSCRIPT: "lines that begin with a speaker",
}


class Detected(NamedTuple):
    """The form of a file, and why it was taken for it."""

    form: Form
    reason: str


def detect(material: Material) -> Detected:
    """The form of a file, by its structure: a foreign one first, since ours ask for less.

    Raises:
        InvalidConversation: No text, broken JSON (line and column), or nothing that any form begins with; the message
            names the form that is nearest and what to do.
    """
    foreign = recognised(material)
    if foreign is not None:
        return Detected(foreign.foreign.form, foreign.reason)
    held = container(material.data)
    if held is not None:
        raise InvalidConversation(f"file {material.name!r} {held.words}", held.advice)
    form = _own_form(material)
    return Detected(form, _REASONS[form])


def _own_form(material: Material) -> Form:
    text = material.whole_text()
    head = text.lstrip()
    if head[0] in "{[":
        first, _, rest = head.partition("\n")
        opening = _object(first)
        if opening is not None and rest.strip():
            return _form_of_line(opening, material)
        if head[0] == "{" or not speaker_lines(text):
            return _form_of_value(material.whole_value(), material)
    if speaker_lines(text):
        return Form.TRANSCRIPT
    raise _undecided(material)


def _object(line: str) -> dict[str, Any] | None:
    """The line as a JSON object on its own, or None: a pretty-printed file's first line is none."""
    try:
        return as_object(json.loads(line))
    except (ValueError, RecursionError):
        return None


def _form_of_line(value: dict[str, Any], material: Material) -> Form:
    if "turns" in value:
        return Form.NATIVE_JSONL
    if "role" in value:
        return Form.MESSAGE_JSONL
    raise _undecided(material)


def _form_of_value(value: Any, material: Material) -> Form:  # noqa: ANN401 - JSON is any value
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
    raise _undecided(material)


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


def _undecided(material: Material) -> InvalidConversation:
    what = f"file {material.name!r} has none of the forms that are read"
    advice = f"see docs/conversations.md, or force one with --format ({_FORMS})"
    near = nearest(material)
    if near is None:
        return InvalidConversation(what, advice)
    return InvalidConversation(f"{what}; {near.words}", f"{near.advice}; {advice}")
