"""A message's parts as turns: results of tools become turns of their own; what was left out is counted."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from dissolution.conversation import QuotedKind, Role
from language.intake.blocks import Content, ToolResult
from language.intake.drafts import DraftTurn, Part
from language.intake.json_values import as_list, as_object, as_text
from language.intake.shown import shown


class Tally:
    """What was left out or noted over a whole conversation, told once at its end."""

    def __init__(self) -> None:
        self.thoughts = 0
        self.unknown: Counter[str] = Counter()
        self.names: dict[str, str] = {}
        """Tool names by call id, so that results can say whose they are."""

    def note(self, content: Content) -> None:
        """Count what reading a content left out."""
        self.thoughts += content.thoughts
        self.unknown.update(content.unknown)

    def remember(self, fields: dict[str, Any]) -> None:
        """Remember the names of the tools that a message calls."""
        for holder in (*(as_list(fields.get("content")) or ()), *(as_list(fields.get("tool_calls")) or ())):
            one = as_object(holder) or {}
            identifier, name = as_text(one.get("id")), as_text(one.get("name")) or as_text(function_of(one).get("name"))
            if identifier and name:
                self.names[identifier] = name

    def warnings(self) -> tuple[str, ...]:
        """One sentence for each thing that was left out or kept as a note."""
        told: list[str] = []
        if self.thoughts:
            told.append(f"{self.thoughts} thinking blocks were left out: they are no part of what was said")
        told += [
            f"{n} content parts of unknown type {shown(kind)} are kept as a note only"
            for kind, n in self.unknown.items()
        ]
        return tuple(told)


def function_of(call: dict[str, Any]) -> dict[str, Any]:
    """What a tool call calls: its `function` or `custom`, else nothing."""
    return as_object(call.get("function")) or as_object(call.get("custom")) or {}


def split(items: Sequence[Part | ToolResult], said: DraftTurn, tally: Tally) -> list[DraftTurn]:
    """The turns of one message: `said` with its parts, and a turn for each tool result among them, in order."""
    turns: list[DraftTurn] = []
    speech: list[Part] = []
    for item in items:
        if isinstance(item, Part):
            speech.append(item)
            continue
        if speech:
            turns.append(said._replace(parts=tuple(speech)))
            speech = []
        speaker = tally.names.get(item.call or "", "tool")
        part = Part(item.text, QuotedKind.TOOL_OUTPUT)
        turns.append(DraftTurn(said.place, Role.TOOL, speaker, (part,), said.said_at))
    if speech or not turns:
        turns.append(said._replace(parts=tuple(speech)))
    return turns
