"""What a form is recognised by and read from: the bytes of one file, decoded and parsed at most once."""

import json
from functools import cached_property
from typing import Any, NamedTuple

from dissolution.errors import InvalidConversation
from language.intake.json_values import as_list, as_object
from language.intake.shown import shown
from language.intake.strict_json import parse_json
from language.intake.text import decode

HEAD_LINES = 60
"""So many lines are looked at to tell a form of JSON lines."""


class Row(NamedTuple):
    """One line of JSON lines; `number` is its line in the file, from 1."""

    number: int
    fields: dict[str, Any]


class Material:
    """One file. Nothing here raises but `whole_text`, `whole_value` and `rows`, which say what is broken and where."""

    def __init__(self, data: bytes, name: str) -> None:
        self.data = data
        """The bytes as they are."""
        self.name = name
        """The file's name, for messages."""

    def whole_text(self) -> str:
        """The text of the file. Raises InvalidConversation: empty, or not UTF-8."""
        return decode(self.data, self.name) if self.text is None else self.text

    def whole_value(self) -> Any:  # noqa: ANN401 - JSON is any value
        """The text as one JSON value. Raises InvalidConversation with line and column."""
        return parse_json(self.whole_text(), self.name) if self.value is None else self.value

    @cached_property
    def text(self) -> str | None:
        """The text; None when the bytes are no UTF-8, or blank."""
        try:
            return decode(self.data, self.name)
        except InvalidConversation:
            return None

    @cached_property
    def value(self) -> Any | None:  # noqa: ANN401 - JSON is any value
        """The whole text as one JSON value; None when it is not one (JSON lines of more than one line are none)."""
        text = self.text
        if text is None or text.lstrip()[0] not in "{[":
            return None
        try:
            return parse_json(text, self.name)
        except InvalidConversation:
            return None

    @cached_property
    def head(self) -> tuple[dict[str, Any], ...]:
        """The objects of the first lines, up to the first that holds none; empty when the text is no JSON lines."""
        found: list[dict[str, Any]] = []
        text = self.text or ""
        if not text.lstrip().startswith("{"):
            return ()
        filled = [line for line in text.split("\n", HEAD_LINES + 1)[:HEAD_LINES] if line.strip()]
        for line in filled:
            try:
                fields = as_object(json.loads(line))
            except (ValueError, RecursionError):
                break
            if fields is None:
                break
            found.append(fields)
        return tuple(found)

    @property
    def objects(self) -> tuple[dict[str, Any], ...]:
        """The objects of a JSON list, the one object that the whole text is, or else the first lines' objects."""
        listed = as_list(self.value)
        if listed is not None:
            return tuple(one for one in (as_object(entry) for entry in listed) if one is not None)
        whole = as_object(self.value)
        return self.head if whole is None else (whole,)

    @property
    def messages(self) -> tuple[dict[str, Any], ...]:
        """The objects of a list of messages, bare or as `messages` of an object; empty without one."""
        fields = as_object(self.value)
        listed = as_list(self.value if fields is None else fields.get("messages")) or []
        return tuple(one for one in (as_object(entry) for entry in listed) if one is not None)

    def rows(self) -> tuple[tuple[Row, ...], tuple[str, ...]]:
        """The objects of JSON lines, and what there is to tell: a last line that was cut off is left out.

        Raises:
            InvalidConversation: A line before the last is broken, or one holds no object; the message names the line.
        """
        found: list[Row] = []
        lines = self.whole_text().split("\n")
        filled = [number for number, line in enumerate(lines, start=1) if line.strip()]
        for number in filled:
            try:
                value = parse_json(lines[number - 1].rstrip("\r"), self.name, line=number)
            except InvalidConversation:
                if number == filled[-1] and found:
                    return tuple(found), (f"line {number}, the last, is cut off and was left out",)
                raise
            fields = as_object(value)
            if fields is None:
                what = f"file {self.name!r}, line {number} holds {shown(value)}"
                raise InvalidConversation(what, "each line of JSONL must hold one object")
            found.append(Row(number, fields))
        return tuple(found), ()
