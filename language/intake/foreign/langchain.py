"""LangChain and LangGraph messages, as data: what `dumpd`, `messages_to_dict` and `model_dump` write.

A constructor of LangChain's is an object like any other here: its class name says who speaks, and nothing is ever
loaded, imported or called. LangChain keeps tool calls twice where a provider puts them into the content as well; they
are read once.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from dissolution.conversation import QuotedKind, Role
from dissolution.errors import InvalidConversation
from language.intake.blocks import NO_OUTPUT, call_text, text_of
from language.intake.drafts import Draft, DraftTurn, Part
from language.intake.foreign.form import Entry, ForeignForm
from language.intake.foreign.material import Material
from language.intake.foreign.turns import block_turns
from language.intake.json_values import as_list, as_object, as_text
from language.intake.options import Form
from language.intake.shown import shown
from language.intake.split import Tally
from language.intake.times import Stamps

_ROLES = {
    "human": Role.USER,
    "ai": Role.ASSISTANT,
    "system": Role.SYSTEM,
    "tool": Role.TOOL,
    "function": Role.TOOL,
}
# The role that a ChatMessage carries is free text; these are plain, any other is a participant.
_CHAT_ROLES = {
    **_ROLES,
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "developer": Role.SYSTEM,
}
_SPEAKERS = {Role.USER: "user", Role.ASSISTANT: "assistant", Role.SYSTEM: "system"}
_KINDS = {*_ROLES, "chat", "remove"}
_ESCAPED = "__lc_escaped__"
# Blocks of the content that repeat what stands in `tool_calls`.
_CALL_BLOCKS = frozenset(
    {"tool_use", "tool_call", "tool_call_chunk", "invalid_tool_call", "function_call", "input_json_delta"}
)


class _Message(NamedTuple):
    kind: str  # "human", "ai" …
    fields: dict[str, Any]


def _message(value: object) -> _Message | None:
    """What one entry says, in whichever of the three shapes; None when it has none of them."""
    outer = as_object(value) or {}
    inner = as_object(outer.get(_ESCAPED)) if len(outer) == 1 else None
    fields = outer if inner is None else inner
    if "lc" in fields and fields.get("type") == "constructor":
        kwargs, path = as_object(fields.get("kwargs")), as_list(fields.get("id")) or [None]
        kind = _kind_of_class(path[-1]) or _kind((kwargs or {}).get("type"))
        return None if kwargs is None or kind is None else _Message(kind, kwargs)
    kind, data = _kind(fields.get("type")), as_object(fields.get("data"))
    if kind is None or (data is None and "content" not in fields and kind != "remove"):
        return None
    return _Message(kind, fields if data is None else data)


def _kind(name: object) -> str | None:
    """The type of a message; chunks of a stream write their class name in its place. None when it is no message's."""
    return name if isinstance(name, str) and name in _KINDS else _kind_of_class(name)


def _kind_of_class(name: object) -> str | None:
    """The type of a class: AIMessage and AIMessageChunk are "ai"."""
    stem = name.removesuffix("Chunk") if isinstance(name, str) else ""
    kind = stem.removesuffix("Message").lower()
    return kind if stem.endswith("Message") and kind in _KINDS else None


def _recognise(material: Material) -> str | None:
    for entry in _listed(material.value) or material.head:
        message, fields = _message(entry), as_object(entry) or {}
        if message is None or "role" in fields:
            continue
        if "lc" in fields or _ESCAPED in fields:
            return "messages of LangChain as lc constructors"
        if message.kind in {"human", "ai"}:  # other programs have the types "system" and "tool"
            return "messages of LangChain: types human and ai" + (", with data" if "data" in fields else "")
    return None


def _listed(value: Any) -> list[Any] | None:  # noqa: ANN401 - JSON is any value
    """The list of messages: bare, of a state, of a prompt, or the only one of a batch."""
    fields = as_object(value)
    if fields is not None:
        holders = (
            fields,
            fields.get("values"),
            fields.get("kwargs"),
            fields.get("inputs"),
            fields.get("channel_values"),
        )
        found = (as_list((as_object(one) or {}).get("messages")) for one in holders)
        value = next((one for one in found if one is not None), None)
    listed = as_list(value)
    nested = as_list(listed[0]) if listed is not None and len(listed) == 1 else None
    return listed if nested is None else nested


def _read(material: Material) -> tuple[Entry, ...]:
    fields = as_object(material.value) or {}
    config = as_object((as_object(fields.get("config")) or {}).get("configurable")) or {}
    metadata = as_object(fields.get("metadata")) or {}
    thread = next(
        (one for one in (as_text(where.get("thread_id")) for where in (fields, config, metadata)) if one), None
    )
    return (Entry(thread, None, partial(_draft, material, thread)),)


def _draft(material: Material, thread: str | None, _: Stamps) -> Draft:
    places, warnings = _places(material)
    told = _Told(Tally())
    turns = [turn for place, value in places for turn in _turns(place, value, told)]
    if not turns:
        raise InvalidConversation(f"file {material.name!r} has no turns", "give at least one message with words in it")
    return Draft(tuple(turns), thread, warnings=(*warnings, *told.warnings()))


def _places(material: Material) -> tuple[list[tuple[str, Any]], tuple[str, ...]]:
    listed = _listed(material.value)
    if listed is not None:
        return [(f"message {number}", one) for number, one in enumerate(listed, start=1)], ()
    if material.value is not None and _message(material.value) is None:
        raise InvalidConversation(
            f"file {material.name!r} has no list of messages", "write messages_to_dict(messages) as JSON"
        )
    rows, warnings = material.rows() if material.value is None else ((), ())
    found: list[tuple[str, Any]] = [(f"line {row.number}", row.fields) for row in rows]
    return found or [("message 1", material.whole_value())], warnings


class _Told:
    """What is told once at the end of a file."""

    def __init__(self, tally: Tally) -> None:
        self.tally = tally
        self.empty = 0
        self.removals = 0

    def warnings(self) -> tuple[str, ...]:
        told = list(self.tally.warnings())
        if self.empty:
            told.append(f"{self.empty} messages without words and calls were left out")
        if self.removals:
            told.append(
                f"{self.removals} entries that remove a message were left out; what they name stays if it is here"
            )
        return tuple(told)


def _turns(place: str, value: object, told: _Told) -> list[DraftTurn]:
    message = _message(value)
    if message is None:
        path = (as_object(value) or {}).get("id")
        name = (as_list(path) or [(as_object(value) or {}).get("type", value)])[-1]
        raise InvalidConversation(
            f"{place} is no message of LangChain: {shown(name)}", f"types are read: {', '.join(sorted(_KINDS))}"
        )
    kind, fields = message
    if kind == "remove":
        told.removals += 1
        return []
    label = as_text(fields.get("role")) or "participant" if kind == "chat" else kind
    role = _CHAT_ROLES.get(label.lower(), Role.PARTICIPANT) if kind == "chat" else _ROLES[kind]
    if role is Role.TOOL:
        return [_tool_turn(place, fields, told.tally)]
    said = DraftTurn(place, role, as_text(fields.get("name")) or _SPEAKERS.get(role, label), ())
    calls = list(_calls(fields))
    told.tally.remember({"tool_calls": calls})
    beside = [Part(call_text(one.get("name"), one.get("args", {})), QuotedKind.TOOL_CALL) for one in calls]
    thoughts = told.tally.thoughts
    turns = block_turns(_content(fields.get("content"), calls), said, told.tally, beside=beside)
    if not turns and told.tally.thoughts == thoughts:
        told.empty += 1
    return turns


def _tool_turn(place: str, fields: Mapping[str, Any], tally: Tally) -> DraftTurn:
    called = tally.names.get(as_text(fields.get("tool_call_id")) or "", "tool")
    text = text_of(_content(fields.get("content"), ()), place)
    part = Part(text if text.strip() else NO_OUTPUT, QuotedKind.TOOL_OUTPUT)
    return DraftTurn(place, Role.TOOL, as_text(fields.get("name")) or called, (part,))


def _calls(fields: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The calls of a message as {"id", "name", "args"}: LangChain's own, else those that the provider's reply had."""
    given = [*(as_list(fields.get("tool_calls")) or []), *(as_list(fields.get("invalid_tool_calls")) or [])]
    own = [_unescaped(one) for one in given]
    if own:
        yield from own
        return
    raw = as_object(fields.get("additional_kwargs")) or {}
    old = raw.get("function_call")
    for entry in (*(as_list(raw.get("tool_calls")) or []), *([] if old is None else [{"function": old}])):
        one = as_object(entry) or {}
        function = as_object(one.get("function")) or {}
        if function:
            yield {"id": one.get("id"), "name": function.get("name"), "args": function.get("arguments", "")}


def _content(content: object, calls: Sequence[Mapping[str, Any]]) -> object:
    """The content with LangChain's own blocks in the words of the providers' ones, without what repeats `calls`."""
    blocks = as_list(content)
    if blocks is None:
        return content
    ids = [one.get("id") for one in calls]
    return [_block(block) for block in blocks if not (calls and _repeats(_unescaped(block), ids))]


def _repeats(block: Mapping[str, Any], ids: list[Any]) -> bool:
    """Whether a block is a call of those ids; pieces of a streamed call have no id."""
    identifier = block.get("id", block.get("call_id"))
    return as_text(block.get("type")) in _CALL_BLOCKS and (identifier is None or identifier in ids)


def _block(block: object) -> object:
    fields = _unescaped(block)
    value = as_object(fields.get("value"))
    if fields.get("type") == "non_standard" and value is not None and isinstance(value.get("type"), str):
        fields = value
    kind = as_text(fields.get("type"))
    if "type" not in fields and isinstance(fields.get("text"), str):
        return {**fields, "type": "text"}
    if kind in _CALL_BLOCKS or kind == "server_tool_call":
        arguments = fields.get("input", fields.get("args", fields.get("arguments", {})))
        return {**fields, "type": "tool_use", "input": arguments}
    if kind == "server_tool_result":
        return {**fields, "content": fields.get("output", fields.get("content"))}
    if kind == "text-plain":
        source = {"type": "text", "data": fields.get("text")}
        return {"type": "document", "title": fields.get("title"), "source": source}
    return fields or block


def _unescaped(value: object) -> dict[str, Any]:
    """An object without the mark that LangChain puts around one that looks like its own; {} for anything else."""
    fields = as_object(value) or {}
    inner = as_object(fields.get(_ESCAPED)) if len(fields) == 1 else None
    return fields if inner is None else inner


FORM = ForeignForm(
    form=Form.LANGCHAIN,
    title="LangChain messages",
    marks=frozenset({"lc", "kwargs", "additional_kwargs", "response_metadata", "data", "tool_call_id"}),
    converter="write json.dumps(messages_to_dict(messages)), with get_state().values['messages'] of a LangGraph thread",
    recognise=_recognise,
    read=_read,
)
