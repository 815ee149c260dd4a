"""Rollouts of Codex: JSON lines under `~/.codex/sessions`, one file a session.

A rollout holds two logs: `response_item` rows are what the model was given and gave, `event_msg` rows what the screen
showed of it. The first is read; of the second, that turns were taken back. Sources: docs/conversations.md.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from dissolution.conversation import QuotedKind, Role
from dissolution.errors import InvalidConversation
from language.intake.blocks import NO_OUTPUT, call_text, text_of
from language.intake.drafts import Draft, DraftTurn, Part
from language.intake.foreign.form import Entry, ForeignForm
from language.intake.foreign.material import Material, Row
from language.intake.foreign.turns import block_turns, is_markup
from language.intake.json_values import as_list, as_object, as_text
from language.intake.options import Form
from language.intake.shown import shown
from language.intake.split import Tally
from language.intake.times import Stamps

_META, _ITEM, _EVENT, _COMPACTED = "session_meta", "response_item", "event_msg", "compacted"
_ENVELOPES = frozenset({_META, _ITEM, _EVENT, _COMPACTED, "turn_context"})
_CALLS = {"function_call": "arguments", "custom_tool_call": "input", "local_shell_call": "action"}
_OWN_TOOLS = {"web_search_call": "web_search", "tool_search_call": "tool_search"}  # run by the provider, named nowhere
_OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output", "tool_search_output"})
_ITEMS = frozenset({"message", "reasoning", *_CALLS, *_OWN_TOOLS, *_OUTPUTS})
_NO_SPEECH = frozenset({"ghost_snapshot", "compaction", "compaction_summary"})
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "developer": Role.SYSTEM, "system": Role.SYSTEM}
_INSTRUCTIONS = re.compile(r"\s*(?:# AGENTS\.md instructions\b[^\n]*\s*<INSTRUCTIONS>|<user_instructions>)")
_TAGS = ("skill", "permissions", "instructions", "environment")
"""Elements of one word that Codex itself writes into user rows."""


def _recognise(material: Material) -> str | None:
    rows = material.head
    if any(row.get("type") in _ENVELOPES and as_object(row.get("payload")) is not None for row in rows if _typed(row)):
        return "rows with timestamp, type and payload"
    first, rest = (rows[0], rows[1:]) if rows else ({}, ())
    if "type" not in first and {"id", "timestamp"} <= first.keys() and any(_is_item(row) for row in rest):
        return "a first row with id and timestamp, then items of a session"
    return None


def _typed(row: Mapping[str, Any]) -> bool:
    return isinstance(row.get("type"), str)


def _is_item(row: Mapping[str, Any]) -> bool:
    return _typed(row) and row["type"] in _ITEMS and "payload" not in row


class _Line(NamedTuple):
    """A row without its envelope."""

    place: str
    kind: str
    payload: dict[str, Any]
    timestamp: object


def _lines(rows: tuple[Row, ...]) -> Iterator[_Line]:
    """Rows by kind; of rollouts without envelopes, the first row is the session's and the others are items."""
    for row in rows:
        place, fields = f"line {row.number}", row.fields
        kind, payload = fields.get("type"), as_object(fields.get("payload"))
        if payload is not None and isinstance(kind, str):
            yield _Line(place, kind, payload, fields.get("timestamp"))
        elif _is_item(fields):
            yield _Line(place, _ITEM, fields, fields.get("timestamp"))
        elif "type" not in fields and "id" in fields:
            yield _Line(place, _META, fields, fields.get("timestamp"))
        elif kind in _ENVELOPES if isinstance(kind, str) else False:
            what = f"{place}: payload is {shown(fields.get('payload'))}"
            raise InvalidConversation(what, "give the rollout as it was written")


def _read(material: Material) -> tuple[Entry, ...]:
    rows, told = material.rows()
    lines = list(_lines(rows))
    if not lines:
        raise InvalidConversation(f"file {material.name!r} holds no rows of Codex", FORM.converter)
    name = next((as_text(line.payload.get("id")) for line in lines if line.kind == _META), None)
    names = [as_text(line.payload.get("thread_name")) for line in lines if line.kind == _EVENT]
    title = next((one for one in reversed(names) if one is not None), None)

    def draft(stamps: Stamps) -> Draft:
        session = _Session(stamps)
        for line in lines:
            session.take(line)
        return Draft(tuple(session.turns), name, title, (*told, *session.warnings()))

    return (Entry(name, title, draft),)


class _Session:
    """What has been read of a rollout so far."""

    def __init__(self, stamps: Stamps) -> None:
        self.turns: list[DraftTurn] = []
        self._stamps = stamps
        self._tally = Tally()
        self._asked: list[int] = []  # where each message of the user begins among the turns
        self._waiting: Counter[str] = Counter()  # calls without their output
        self._called: set[str] = set()
        self._told: Counter[str] = Counter()

    def warnings(self) -> tuple[str, ...]:
        """What was left out, in a sentence each."""
        return (*(f"{count} {what}" for what, count in self._told.items()), *self._tally.warnings())

    def take(self, line: _Line) -> None:
        """Read one row. Raises InvalidConversation, naming the line."""
        said_at = self._stamps.leniently(line.timestamp)
        if line.kind == _ITEM:
            self._item(line, said_at)
        elif line.kind == _COMPACTED:
            self._add(line.place, "summary", as_text(line.payload.get("message")) or "", said_at)
        elif line.kind == _EVENT and line.payload.get("type") == "thread_rolled_back":
            self._take_back(line.payload.get("num_turns"))

    def _item(self, line: _Line, said_at: datetime | None) -> None:
        item, kind = line.payload, line.payload.get("type")
        if not isinstance(kind, str):
            raise InvalidConversation(f"{line.place}: an item has the type {shown(kind)}", "give it as it was written")
        if kind == "message":
            self._message(line, said_at)
        elif kind == "reasoning":
            self._tally.thoughts += 1
        elif kind in _CALLS or kind in _OWN_TOOLS:
            self._call(line, kind, said_at)
        elif kind in _OUTPUTS:
            self._output(line, said_at)
        elif kind not in _NO_SPEECH:
            self._told[f"items of unknown type {shown(item.get('type'))} were left out"] += 1

    def _message(self, line: _Line, said_at: datetime | None) -> None:
        label = line.payload.get("role")
        role = _ROLES.get(label) if isinstance(label, str) else None
        if role is None:
            known = ", ".join(_ROLES)
            raise InvalidConversation(f"{line.place} has the role {shown(label)}", f"one of {known} is read")
        said = DraftTurn(line.place, role, role.value, (), said_at)
        content = line.payload.get("content")
        if role is not Role.USER:
            self.turns += block_turns(content, said, self._tally)
            return
        blocks = as_list(content)
        spoken: list[Any] = []
        for block in [content] if blocks is None else blocks:
            text = (as_object(block) or {}).get("text")
            if not isinstance(text, str):
                spoken.append(block)
            elif _INSTRUCTIONS.match(text):
                self.turns.append(said._replace(role=Role.SYSTEM, speaker="AGENTS.md", parts=(Part(text),)))
            elif is_markup(text, *_TAGS):
                self._add(line.place, "codex", text, said_at)
            else:
                spoken.append(block)
        turns = block_turns(content if blocks is None else spoken, said, self._tally)
        if turns:
            self._asked.append(len(self.turns))
        self.turns += turns

    def _call(self, line: _Line, kind: str, said_at: datetime | None) -> None:
        item = line.payload
        name = as_text(item.get("name")) or _OWN_TOOLS.get(kind) or "shell"
        given = item.get(_CALLS.get(kind, "action"), item.get("arguments", {}))
        call = as_text(item.get("call_id")) or as_text(item.get("id"))
        if call is not None:
            self._tally.names[call] = name
            self._waiting[call] += 1
            self._called.add(call)
        part = Part(call_text(name, given), QuotedKind.TOOL_CALL)
        self.turns.append(DraftTurn(line.place, Role.ASSISTANT, "assistant", (part,), said_at))

    def _output(self, line: _Line, said_at: datetime | None) -> None:
        """The output of a call; a second one of the same call is the other log's copy of it."""
        call = as_text(line.payload.get("call_id")) or ""
        if call in self._called and not self._waiting[call]:
            self._told["outputs stand in the file more than once and were read once"] += 1
            return
        self._waiting[call] -= call in self._called
        text = _output_text(line.payload.get("output", line.payload.get("tools")), line.place)
        self._add(line.place, self._tally.names.get(call, "tool"), text or NO_OUTPUT, said_at)

    def _add(self, place: str, speaker: str, text: str, said_at: datetime | None) -> None:
        if text.strip():
            self.turns.append(DraftTurn(place, Role.TOOL, speaker, (Part(text, QuotedKind.TOOL_OUTPUT),), said_at))

    def _take_back(self, number: object) -> None:
        """The user took back so many of the last turns, with all that came of them."""
        if not isinstance(number, int) or isinstance(number, bool) or number < 1 or not self._asked:
            return
        first = self._asked[-min(number, len(self._asked))]
        self._told["turns were taken back and left out"] += len(self.turns) - first
        del self.turns[first:]
        self._asked = [place for place in self._asked if place < first]


def _output_text(output: object, place: str) -> str:
    """The text of an output: a string, a list of parts, or an object that holds one of them as `content`."""
    fields = as_object(output)
    given = fields.get("content", fields.get("output")) if fields is not None else output
    if given is None and fields:
        return call_text("output", fields).removeprefix("[tool call] ")
    return text_of(given, place)


FORM = ForeignForm(
    form=Form.CODEX,
    title="Codex rollout",
    marks=frozenset({"timestamp", "type", "payload"}),
    converter="take the rollout file as it lies under ~/.codex/sessions (JSON lines, one row a line)",
    recognise=_recognise,
    read=_read,
)
