"""Replies that are one JSON object with one list: read entry by entry, so that a broken end costs only what follows it.

Each entry is taken or refused on its own; words around the object, another field beside the list, or no list at all
make the whole reply unusable.
"""

import json
import re
from collections.abc import Mapping
from typing import cast

from pydantic import JsonValue

from dissolution.answers import FinishReason, Reply
from dissolution.errors import MemberContentFiltered, MemberRefused, MemberReplyUnusable
from prompts.symptoms import is_refusal

MAX_REPLY_CHARS = 1_000_000
"""A longer reply is no answer to a few hundred questions."""

_OPENING = re.compile(r'\A(?:`{3,}[ \t]*(?:json)?[ \t]*\r?\n)?\s*\{\s*"(?P<field>\w+)"\s*:\s*\[', re.IGNORECASE)
_CLOSING = re.compile(r"\s*\]\s*\}\s*(?:`{3,}\s*)?\Z")
_BETWEEN = re.compile(r"\s*,?\s*")


def read_list(reply: Reply, field: str, *, member: str, about: str) -> list[dict[str, object]]:
    """The objects in the list `field` of a reply, in their order; after a broken end those before it.

    Args:
        reply: What the member said.
        field: The only field of the object.
        member: Who said it.
        about: What was asked for, in words, for errors: no word of the reply is in them.

    Raises:
        MemberRefused: The provider or the words say so.
        MemberContentFiltered: The provider withheld it.
        MemberReplyUnusable: It is not in the form, or holds no whole entry.
    """
    if reply.finish is FinishReason.CONTENT_FILTER:
        raise MemberContentFiltered(member, f"the provider withheld {about}")
    text = reply.text.strip()
    if reply.finish is FinishReason.REFUSAL or (not text.startswith(("{", "`")) and is_refusal(text)):
        raise MemberRefused(member, f"the member declined to give {about}")
    if len(text) > MAX_REPLY_CHARS:
        raise MemberReplyUnusable(member, f"{about}: {len(text)} characters, more than {MAX_REPLY_CHARS}")
    opening = _OPENING.match(text)
    if opening is None or opening["field"] != field:
        raise MemberReplyUnusable(member, f"{about}: not one JSON object with the list {field!r}")
    entries, end = _entries(text, opening.end())
    whole = _CLOSING.match(text, end) is not None
    if not entries or not (whole or reply.finish is FinishReason.LENGTH):
        state = "no whole entry" if not entries else "something else than entries in the list, or after it"
        raise MemberReplyUnusable(member, f"{about}: {state}")
    return entries


def _entries(text: str, start: int) -> tuple[list[dict[str, object]], int]:
    """The whole objects from `start` on, and where the last of them ends."""
    decoder = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_constant)
    found: list[dict[str, object]] = []
    end = place = start
    while place < len(text) and text[place : place + 1] != "]":
        gap = _BETWEEN.match(text, place)
        place = gap.end() if gap is not None else place
        try:
            value, place = cast("tuple[object, int]", decoder.raw_decode(text, place))
        except (ValueError, RecursionError):
            break
        if not isinstance(value, dict):
            break
        found.append(cast("dict[str, object]", value))
        end = place
    return found, end


def list_format(name: str, field: str, properties: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    """The form as the `response_format` parameter of OpenAI's naming: every field required, no others."""
    entry: dict[str, JsonValue] = {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }
    schema: dict[str, JsonValue] = {
        "type": "object",
        "properties": {field: {"type": "array", "items": entry}},
        "required": [field],
        "additionalProperties": False,
    }
    return {"type": "json_schema", "json_schema": {"name": name, "strict": True, "schema": schema}}


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        message = "a field is given twice"
        raise ValueError(message)
    return found


def _no_constant(name: str) -> object:
    message = f"{name} is no JSON"
    raise ValueError(message)
