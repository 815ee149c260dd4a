"""The contents of ChatGPT's messages, by their content type, as parts of a turn."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from dissolution.conversation import QuotedKind
from dissolution.errors import InvalidConversation
from language.intake.blocks import call_text
from language.intake.drafts import Part
from language.intake.json_values import as_list, as_object, as_text
from language.intake.shown import shown
from language.intake.split import Tally

_THOUGHTS = frozenset({"thoughts", "reasoning_recap"})
_SPOKEN = frozenset({"text", "multimodal_text"})
_CITATION = re.compile("\ue200[^\ue200\ue201]{0,2000}\ue201")  # what the page shows as a link to a source
_POINTERS = (("image", "image"), ("audio", "audio"), ("video", "video"))


class Given(NamedTuple):
    """A message's content and what decides how it is read."""

    place: str
    content: dict[str, Any] | None
    tool: str | None
    """The tool that an assistant's message goes to; None when it is for the reader."""
    is_output: bool
    """Whether a tool wrote it."""
    attachments: list[Any]


def content_parts(given: Given, tally: Tally) -> Iterator[Part]:
    """The parts of a message, none blank; thoughts and unknown types are counted.

    Raises:
        InvalidConversation: There is no content with a type, or its parts are no list.
    """
    content = given.content or {}
    kind = content.get("content_type")
    if not isinstance(kind, str):
        raise InvalidConversation(f"{given.place}: its content has the type {shown(kind)}", "export the data again")
    if kind in _THOUGHTS:
        tally.thoughts += 1
        return
    parts = list(_parts(kind, content, given.place, tally))
    if given.tool is not None:
        text = "\n".join(part.text for part in parts)
        parts = [Part(call_text(given.tool, text), QuotedKind.TOOL_CALL)] if text.strip() else []
    elif given.is_output:
        parts = [Part(part.text, QuotedKind.TOOL_OUTPUT) for part in parts]
    yield from (part for part in parts if part.text.strip())
    for entry in given.attachments:
        name = as_text((as_object(entry) or {}).get("name"))
        yield Part(f"[file: {name}]" if name else "[file]", QuotedKind.DOCUMENT)


def _parts(kind: str, content: Mapping[str, Any], place: str, tally: Tally) -> Iterator[Part]:
    reader = _READERS.get(kind)
    if kind in _SPOKEN:
        parts = as_list(content.get("parts"))
        if parts is None:
            raise InvalidConversation(f"{place}: its parts are {shown(content.get('parts'))}", "export the data again")
        for part in parts:
            yield from _spoken(part, tally)
    elif reader is not None:
        yield from reader(content)
    else:
        text = _texts(content, "title", "url", "text", "result", "content", "model_set_context")
        if text:
            yield Part(text, QuotedKind.DOCUMENT)
        else:
            tally.unknown[kind] += 1
            yield Part("[unknown part]", QuotedKind.DOCUMENT)


def _spoken(part: object, tally: Tally) -> Iterator[Part]:
    """A part of a text, or of one with pictures and sound: what was spoken aloud stands as text."""
    if isinstance(part, str):
        yield Part(_CITATION.sub("", part))
        return
    fields = as_object(part) or {}
    kind = fields.get("content_type")
    if kind == "audio_transcription" and isinstance(fields.get("text"), str):
        yield Part(fields["text"])
        return
    word = next((word for mark, word in _POINTERS if isinstance(kind, str) and mark in kind), None)
    if word is None:
        tally.unknown[kind if isinstance(kind, str) else "unknown"] += 1
    yield Part(f"[{word or 'unknown part'}]", QuotedKind.DOCUMENT)


def _code(content: Mapping[str, Any]) -> Iterator[Part]:
    yield Part(_texts(content, "text"), QuotedKind.CODE)


def _output(content: Mapping[str, Any]) -> Iterator[Part]:
    yield Part(_texts(content, "text"), QuotedKind.TOOL_OUTPUT)


def _page(content: Mapping[str, Any]) -> Iterator[Part]:
    """What was found on the web, and what a tool says went wrong."""
    yield Part(_texts(content, "title", "name", "url", "text", "result", "snippet"), QuotedKind.DOCUMENT)


def _instructions(content: Mapping[str, Any]) -> Iterator[Part]:
    """What the user told about themselves and how to be answered; it stands for every conversation."""
    yield Part(_texts(content, "user_profile", "user_instructions"))


def _texts(content: Mapping[str, Any], *keys: str) -> str:
    return "\n".join(text for key in keys if (text := as_text(content.get(key))) is not None)


_READERS: dict[str, Callable[[Mapping[str, Any]], Iterator[Part]]] = {
    "code": _code,
    "execution_output": _output,
    "tether_quote": _page,
    "tether_browsing_display": _page,
    "sonic_webpage": _page,
    "system_error": _page,
    "user_editable_context": _instructions,
}
