"""Content of messages: a text, or a list of parts (OpenAI) or blocks (Anthropic); their types do not collide."""

import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from dissolution.conversation import QuotedKind
from dissolution.errors import InvalidConversation
from language.intake.drafts import Part
from language.intake.json_values import as_list, as_object, as_text
from language.intake.shown import shown

NO_OUTPUT = "[no output]"

TEXT = frozenset({"text", "input_text", "output_text"})
THINKING = frozenset({"thinking", "redacted_thinking", "reasoning"})
CALLS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
RESULT = "tool_result"
# Results of tools that the provider ran itself; they stand in the assistant's message.
_RESULT_SUFFIX = "_tool_result"
# Blocks only Anthropic has: they tell the two forms apart.
ANTHROPIC_ONLY = (*CALLS, *THINKING, RESULT, "document", "image", "search_result")
_MEDIA = {
    "image": "image",
    "image_url": "image",
    "input_image": "image",
    "input_audio": "audio",
    "audio": "audio",
    "video": "video",
    "video_url": "video",
    "file": "file",
    "input_file": "file",
    "container_upload": "file",
}
_TYPE = re.compile(r"[\w.-]{1,40}")


class ToolResult(NamedTuple):
    """The result of a tool, which becomes a turn of its own; `call` is the id of the call it answers."""

    text: str
    call: str | None


class Content(NamedTuple):
    """What one message holds, in order, and how much of it was left out."""

    items: tuple[Part | ToolResult, ...]
    thoughts: int = 0
    unknown: tuple[str, ...] = ()


def read_content(content: object, place: str) -> Content:
    """The parts of a message's content; None is no parts. Raises InvalidConversation naming the place."""
    if content is None:
        return Content(())
    if isinstance(content, str):
        return Content((Part(content),) if content else ())
    blocks = as_list(content)
    if blocks is None:
        raise InvalidConversation(f"{place}: content is {shown(content)}", "give a string or a list of parts")
    items: list[Part | ToolResult] = []
    thoughts = 0
    unknown: list[str] = []
    for block in blocks:
        if isinstance(block, str):
            items.append(Part(block))
            continue
        fields = as_object(block)
        kind = None if fields is None else fields.get("type")
        if fields is None or not isinstance(kind, str):
            raise InvalidConversation(f"{place}: a content part is {shown(block)} without a type", "give its type")
        if kind in THINKING:
            thoughts += 1
            continue
        item = _block(kind, fields, place)
        if item is None:
            item = Part(f"[{kind if _TYPE.fullmatch(kind) else 'unknown part'}]", QuotedKind.DOCUMENT)
            unknown.append(kind)
        items.append(item)
    return Content(tuple(i for i in items if isinstance(i, ToolResult) or i.text), thoughts, tuple(unknown))


def call_text(name: object, arguments: object) -> str:
    """How a tool call stands in a turn: `[tool call] name(arguments)`; arguments that are no text as compact JSON."""
    given = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False, allow_nan=False)
    return f"[tool call] {name if isinstance(name, str) and name else 'tool'}({given})"


def text_of(content: object, place: str) -> str:
    """The text of a tool's output or a system text given as string or blocks."""
    return "\n".join(item.text for item in read_content(content, place).items)


def _block(kind: str, block: dict[str, Any], place: str) -> Part | ToolResult | None:
    if kind in TEXT or kind == "refusal":
        return Part(_string(block.get("refusal" if kind == "refusal" else "text"), f"{place}: a part of type {kind}"))
    if kind in CALLS:
        return Part(call_text(block.get("name"), block.get("input", {})), QuotedKind.TOOL_CALL)
    if kind == RESULT:
        call = block.get("tool_use_id")
        return ToolResult(text_of(block.get("content"), place) or NO_OUTPUT, call if isinstance(call, str) else None)
    if kind.endswith(_RESULT_SUFFIX):
        given = block.get("content")
        return Part(_any_text(given, place) or NO_OUTPUT, QuotedKind.TOOL_OUTPUT)
    reader = _DOCUMENTS.get(kind)
    if reader is not None:
        return reader(block, place)
    return Part(_media_note(_MEDIA[kind], block), QuotedKind.DOCUMENT) if kind in _MEDIA else None


def _any_text(given: object, place: str) -> str:
    """The text of a provider's own tool result: its text blocks, else the JSON as it stands."""
    if given is None or isinstance(given, str):
        return given or ""
    blocks = as_list(given) or []
    if blocks and all((as_object(block) or {}).get("type") in TEXT for block in blocks):
        return text_of(blocks, place)
    return json.dumps(given, ensure_ascii=False)


def _document(block: dict[str, Any], place: str) -> Part:
    fields = as_object(block.get("source")) or {}
    title = block.get("title")
    body = ""
    if fields.get("type") == "text":
        body = _string(fields.get("data"), f"{place}: a document")
    elif fields.get("type") == "content":
        body = text_of(fields.get("content"), place)
    head = _note("document", title)
    return Part(f"{head}\n{body}" if body else head, QuotedKind.DOCUMENT)


def _search_result(block: dict[str, Any], place: str) -> Part:
    return Part(
        f"{_note('search result', block.get('title'))}\n{text_of(block.get('content'), place)}", QuotedKind.DOCUMENT
    )


_DOCUMENTS: dict[str, Callable[[dict[str, Any], str], Part]] = {"document": _document, "search_result": _search_result}


def _media_note(word: str, block: dict[str, Any]) -> str:
    fields = as_object(block.get("file")) or block
    return _note(word, fields.get("filename"))


def _note(word: str, name: object) -> str:
    given = as_text(name)
    return f"[{word}: {given}]" if given else f"[{word}]"


def _string(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise InvalidConversation(f"{what} holds {shown(value)} in place of text", "give a string")
    return value
