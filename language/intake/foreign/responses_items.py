"""Items of OpenAI's Responses API: what each of them is in a conversation.

One item is one turn, since a session only ever grows by items. The Agents SDK of JavaScript writes `callId` and
`function_call_result` where the API has `call_id` and `function_call_output`; both are read.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from dissolution.conversation import QuotedKind, Role
from dissolution.errors import InvalidConversation
from language.intake.blocks import NO_OUTPUT, Content, call_text, text_of
from language.intake.drafts import DraftTurn, Part
from language.intake.foreign.turns import block_turns
from language.intake.json_values import as_list, as_object, as_text
from language.intake.shown import shown
from language.intake.split import Tally

ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM, "developer": Role.SYSTEM}
"""Who may speak in an item of type `message`."""

# Items that say nothing and whose absence the reader is told of, by what they are called in the warning.
_ABSENT = {
    **dict.fromkeys(
        ("compaction", "compaction_summary", "context_compaction"),
        "compactions were left out: they stand for earlier items that are not in the file",
    ),
    "item_reference": "references were left out: what they name is not in the file",
    "mcp_list_tools": "lists of tools were left out",
}
_OWN = frozenset({"reasoning", "mcp_approval_request", "mcp_approval_response", "image_generation_call", *_ABSENT})
_CALL, _OUTPUTS = "_call", ("_call_output", "_call_result")
# What every item has beside what it says.
_ABOUT = frozenset(
    {"id", "type", "status", "call_id", "callId", "provider_data", "providerData", "created_by", "agent"}
    | {"output", "outputs", "result"}
)
_TYPE = re.compile(r"[\w.-]{1,40}")
_LOGS = ("logs", "text", "stdout", "stderr", "output")


def is_item(fields: Mapping[str, Any]) -> bool:
    """Whether an object is an item that no other form has: by its type, not by its role."""
    kind = fields.get("type")
    if not isinstance(kind, str) or "payload" in fields or "data" in fields:
        return False
    return kind in _OWN or kind.endswith((_CALL, *_OUTPUTS)) or (kind == "message" and _typed(fields))


def _typed(fields: Mapping[str, Any]) -> bool:
    parts = [as_object(one) or {} for one in as_list(fields.get("content")) or []]
    typed = any(as_text(one.get("type")) in {"input_text", "output_text"} for one in parts)
    return typed and as_text(fields.get("role")) in ROLES


def is_message(fields: Mapping[str, Any]) -> bool:
    """Whether an object can be a message among items: it has a role, and no type of its own."""
    return fields.get("type", "message") == "message" and as_text(fields.get("role")) in ROLES


class Items:
    """Reads items one after another, and holds what is told about all of them."""

    def __init__(self) -> None:
        self._tally = Tally()
        self._absent: Counter[str] = Counter()

    def turns(self, place: str, value: object) -> list[DraftTurn]:
        """The turns of one item. Raises InvalidConversation, naming the place."""
        fields = as_object(value)
        kind = None if fields is None else fields.get("type", "message" if "role" in fields else None)
        if fields is None or not isinstance(kind, str):
            raise InvalidConversation(
                f"{place} is {shown(value)} without a type", 'write {"type": "message", "role": …}'
            )
        if kind == "message":
            return self._message(place, fields)
        if kind == "reasoning":
            self._tally.note(Content((), thoughts=1))
            return []
        if kind in _ABSENT:
            self._absent[_ABSENT[kind]] += 1
            return []
        return [self._turn(place, kind, fields)]

    def warnings(self) -> tuple[str, ...]:
        """One sentence for each kind of thing that was left out or kept as a note."""
        left = [f"{count} {told}" for told, count in self._absent.items()]
        return (*self._tally.warnings(), *left)

    def _turn(self, place: str, kind: str, fields: Mapping[str, Any]) -> DraftTurn:
        if kind == "mcp_approval_response":
            return _approval(place, fields)
        if kind.endswith(_OUTPUTS):
            return self._output(place, fields)
        if kind.endswith(_CALL) or kind == "mcp_approval_request":
            return self._called(place, kind, fields)
        self._tally.note(Content((), unknown=(kind,)))
        name = kind if _TYPE.fullmatch(kind) else "unknown item"
        return _assistant(place, Part(f"[{name}]", QuotedKind.DOCUMENT))

    def _message(self, place: str, fields: Mapping[str, Any]) -> list[DraftTurn]:
        label = fields.get("role")
        role = ROLES.get(label) if isinstance(label, str) else None
        if role is None or not isinstance(label, str):
            raise InvalidConversation(f"{place} has the unknown role {shown(label)}", f"use one of {', '.join(ROLES)}")
        said = DraftTurn(place, role, as_text(fields.get("name")) or label, ())
        turns = block_turns(fields.get("content"), said, self._tally)
        if not turns:
            raise InvalidConversation(f"{place} is empty", "give it content or leave it out")
        return turns

    def _called(self, place: str, kind: str, fields: Mapping[str, Any]) -> DraftTurn:
        """A call; those that the provider runs itself carry what came of it."""
        name = as_text(fields.get("name")) or kind.removesuffix(_CALL)
        if kind == "image_generation_call":
            return _assistant(place, Part("[image]", QuotedKind.DOCUMENT))
        call = _call_id(fields)
        if call:
            self._tally.names[call] = name
        outcome = _outcome(kind, fields, place)
        parts = [Part(call_text(name, _arguments(fields)), QuotedKind.TOOL_CALL)]
        return _assistant(place, *parts, *([Part(outcome, QuotedKind.TOOL_OUTPUT)] if outcome.strip() else []))

    def _output(self, place: str, fields: Mapping[str, Any]) -> DraftTurn:
        text = output_text(fields.get("output"), place)
        speaker = as_text(fields.get("name")) or self._tally.names.get(_call_id(fields) or "", "tool")
        part = Part(text if text.strip() else NO_OUTPUT, QuotedKind.TOOL_OUTPUT)
        return DraftTurn(place, Role.TOOL, speaker, (part,))


def call_ids(fields: Mapping[str, Any]) -> tuple[str, bool] | None:
    """The id of the call that an item makes or answers, and whether it answers; None for any other item."""
    kind, call = fields.get("type"), _call_id(fields)
    if not isinstance(kind, str) or call is None or not kind.endswith((_CALL, *_OUTPUTS)):
        return None
    return call, kind.endswith(_OUTPUTS)


def output_text(given: object, place: str) -> str:
    """The text of an output: a text, a list of parts or of an execution's streams, or an object of one of these."""
    fields = as_object(given)
    if given is None or isinstance(given, str):
        return given or ""
    if fields is not None:
        if isinstance(fields.get("text"), str):
            return str(fields["text"])
        return "[image]" if as_text(fields.get("type")) in {"computer_screenshot", "image"} else _json(fields)
    parts = [as_object(one) for one in as_list(given) or []]
    if parts and all(one is not None and isinstance(one.get("type"), str) for one in parts):
        return text_of(given, place)
    return _json(given)


def _arguments(fields: Mapping[str, Any]) -> object:
    """What a call is given, each kind in its own field; else all that the item says."""
    for key in ("arguments", "input", "action", "operation", "code", "queries"):
        if fields.get(key) is not None:
            return fields[key]
    return {key: value for key, value in fields.items() if key not in _ABOUT and key != "name" and value is not None}


def _outcome(kind: str, fields: Mapping[str, Any], place: str) -> str:
    """What came of a call that the provider ran: results of a search, logs of code, the answer of a server."""
    error = fields.get("error")
    if error is not None:
        return error if isinstance(error, str) else _json(error)
    if kind == "code_interpreter_call":
        logs = [as_object(one) or {} for one in as_list(fields.get("outputs")) or []]
        return "\n".join(next((str(one[key]) for key in _LOGS if one.get(key)), "[image]") for one in logs)
    given = fields.get("results", fields.get("output"))
    return "" if given is None or given == [] else output_text(given, place)


def _approval(place: str, fields: Mapping[str, Any]) -> DraftTurn:
    """A person's leave for a call: the act is the user's, in the program's words; a reason is the user's own."""
    allowed = fields.get("approve") is True
    note = Part("[the call was allowed]" if allowed else "[the call was refused]", QuotedKind.DOCUMENT)
    reason = as_text(fields.get("reason"))
    return DraftTurn(place, Role.USER, "user", (note, *([Part(reason)] if reason else [])))


def _assistant(place: str, *parts: Part) -> DraftTurn:
    return DraftTurn(place, Role.ASSISTANT, "assistant", parts)


def _call_id(fields: Mapping[str, Any]) -> str | None:
    return as_text(fields.get("call_id")) or as_text(fields.get("callId"))


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
