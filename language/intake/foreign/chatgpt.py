"""The export of ChatGPT: `conversations.json`, or `conversations-000.json` and so on where it is split.

A conversation is a tree of nodes (`mapping`); what the page shows is the branch from `current_node` up to the root.
There is no official description; what is read here is what importers agree on (docs/conversations.md lists it).
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from dissolution.conversation import Role
from dissolution.errors import InvalidConversation
from language.intake.drafts import Draft, DraftTurn
from language.intake.foreign.chatgpt_content import Given, content_parts
from language.intake.foreign.form import Entry, ForeignForm
from language.intake.foreign.material import Material
from language.intake.json_values import as_list, as_object, as_text
from language.intake.options import Form
from language.intake.shown import shown
from language.intake.split import Tally
from language.intake.times import Stamps

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}
_EVERYBODY = frozenset({"all", "assistant"})


def _recognise(material: Material) -> str | None:
    if any(_is_conversation(one) for one in _conversations(material.value)):
        return "conversations with a mapping of nodes"
    return None


def _conversations(value: object) -> list[Any]:
    """The conversations of a file: a list of them, one alone, or a list as `conversations`."""
    fields = as_object(value)
    if fields is not None and "mapping" not in fields:
        return as_list(fields.get("conversations")) or []
    return [value] if fields is not None else as_list(value) or []


def _is_conversation(value: object) -> bool:
    mapping = as_object((as_object(value) or {}).get("mapping"))
    nodes = [] if mapping is None else [as_object(node) for node in mapping.values()]
    return any(node is not None and ("message" in node or "parent" in node) for node in nodes)


def _read(material: Material) -> tuple[Entry, ...]:
    found = _conversations(material.whole_value())
    return tuple(_entry(one, place) for place, one in enumerate(found, start=1))


def _entry(value: Any, place: int) -> Entry:  # noqa: ANN401 - JSON is any value
    fields = as_object(value) or {}
    name = as_text(fields.get("conversation_id")) or as_text(fields.get("id"))

    def draft(stamps: Stamps) -> Draft:
        mapping = as_object(fields.get("mapping"))
        if mapping is None:
            raise InvalidConversation(f"conversation {place} has no object 'mapping'", FORM.converter)
        return _draft(fields, mapping, stamps)._replace(id=name)

    return Entry(name, as_text(fields.get("title")), draft)


def _draft(fields: Mapping[str, Any], mapping: dict[str, Any], stamps: Stamps) -> Draft:
    branch = _shown_branch(mapping, as_text(fields.get("current_node")))
    tally = Tally()
    turns: list[DraftTurn] = []
    hidden = 0
    for name, message in branch.messages:
        if _is_hidden(message):
            hidden += 1
            continue
        turns += _turns(name, message, tally, stamps)
    told = list(branch.told)
    if hidden:
        told.append(f"{hidden} messages that the page does not show were left out")
    return Draft(tuple(turns), title=as_text(fields.get("title")), warnings=(*told, *tally.warnings()))


class _Branch(NamedTuple):
    """The messages from the root on, each with the name of its node."""

    messages: list[tuple[str, dict[str, Any]]]
    told: list[str]


def _shown_branch(mapping: dict[str, Any], current: str | None) -> _Branch:
    """The branch that ends in `current`, or in the newest leaf when there is no such node."""
    nodes = {name: node for name, node in ((name, as_object(node)) for name, node in mapping.items()) if node}
    told: list[str] = []
    at = current if current in nodes else _newest_leaf(nodes)
    if at != current:
        told.append("current_node names no node: the newest branch was read")
    chain: dict[str, dict[str, Any]] = {}
    while at is not None and at not in chain and at in nodes:
        chain[at] = nodes[at]
        at = as_text(nodes[at].get("parent"))
    if at is not None:
        told.append(
            f"the branch ends at node {shown(at)}, which {'is its own parent' if at in chain else 'is missing'}"
        )
    left = sum(_speaks(node) for name, node in nodes.items() if name not in chain)
    if left:
        told.append(f"{left} messages of other branches (edited or tried again) were left out")
    return _Branch(list(_messages(chain)), told)


def _messages(chain: dict[str, dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, node in reversed(chain.items()):
        message = as_object(node.get("message"))
        if message is None and node.get("message") is not None:
            raise InvalidConversation(f"node {shown(name)}: message is {shown(node.get('message'))}", FORM.converter)
        if message is not None:
            yield name, message


def _newest_leaf(nodes: Mapping[str, dict[str, Any]]) -> str | None:
    """The node that no other follows and whose message is newest; of equals, the last one."""
    parents = {as_text(node.get("parent")) for node in nodes.values()}
    leaves = [name for name in nodes if name not in parents] or list(nodes)
    return max(reversed(leaves), key=lambda name: _time_of(nodes[name]), default=None)


def _time_of(node: Mapping[str, Any]) -> float:
    at = (as_object(node.get("message")) or {}).get("create_time")
    return float(at) if isinstance(at, int | float) and abs(at) < _LATEST else float("-inf")


_LATEST = 1e12


def _speaks(node: Mapping[str, Any]) -> bool:
    message = as_object(node.get("message"))
    return message is not None and not _is_hidden(message) and (_author(message).get("role") in {"user", "assistant"})


def _author(message: Mapping[str, Any]) -> dict[str, Any]:
    author = as_object(message.get("author")) or {}
    return author if isinstance(author.get("role"), str) else {}


def _metadata(message: Mapping[str, Any]) -> dict[str, Any]:
    return as_object(message.get("metadata")) or {}


def _is_users_system(message: Mapping[str, Any]) -> bool:
    """Whether these are the user's own custom instructions: the page hides them, and they govern all the same."""
    kind = (as_object(message.get("content")) or {}).get("content_type")
    return _metadata(message).get("is_user_system_message") is True or kind == "user_editable_context"


def _is_hidden(message: Mapping[str, Any]) -> bool:
    if _is_users_system(message):
        return False
    return (
        _metadata(message).get("is_visually_hidden_from_conversation") is True
        or _author(message).get("role") == "system"
    )


def _turns(name: str, message: dict[str, Any], tally: Tally, stamps: Stamps) -> list[DraftTurn]:
    """The turn of one message; none when it says nothing. Raises InvalidConversation, naming the node."""
    place = f"node {shown(name)}"
    author = _author(message)
    label = author.get("role")
    if label is None:
        raise InvalidConversation(f"{place}: its author has no role", FORM.converter)
    if _is_users_system(message):
        role, speaker = Role.SYSTEM, "custom instructions"
    else:
        role = _ROLES.get(label, Role.TOOL)
        speaker = (as_text(author.get("name")) or "tool") if role is Role.TOOL else role.value
    recipient = as_text(message.get("recipient")) or "all"
    given = Given(
        place=place,
        content=as_object(message.get("content")),
        tool=recipient if role is Role.ASSISTANT and recipient not in _EVERYBODY else None,
        is_output=role is Role.TOOL,
        attachments=as_list(_metadata(message).get("attachments")) or [],
    )
    parts = tuple(content_parts(given, tally))
    said_at = stamps.leniently(message.get("create_time"))
    return [DraftTurn(place, role, speaker, parts, said_at)] if parts else []


FORM = ForeignForm(
    form=Form.CHATGPT,
    title="ChatGPT export",
    marks=frozenset({"mapping", "current_node", "title", "create_time", "conversation_id"}),
    converter="take conversations.json (or conversations-000.json …) out of the zip of Settings, Data controls, Export",
    recognise=_recognise,
    read=_read,
)
