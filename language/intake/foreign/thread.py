"""Rows that name their parent: which of them are the conversation that is shown.

A session file is a tree: editing an earlier message or trying again starts a branch. The shown one runs from the last
row to its root. Two things are no branches although they look so: a message that was written block by block, in rows
of one message id, and the results of calls that were made at once, each of which hangs on its own call.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from language.intake.foreign.material import Row


class Node(NamedTuple):
    """A row of a thread."""

    place: int
    """Where it stands among all rows, from 0."""
    row: Row
    uuid: str
    parent: str | None
    """The uuid of the row that it follows; None at a root."""
    goes_on: bool
    """Whether a root goes on with what stands before it in the file: the summary that replaced it."""
    message: str | None
    """The id of the message that it is a part of."""
    calls: frozenset[str]
    """Ids of tool calls that it makes."""
    answers: frozenset[str]
    """Ids of tool calls whose results it holds."""


class Branch(NamedTuple):
    """The shown branch, oldest first, how many rows it leaves out, and how many links led nowhere."""

    nodes: tuple[Node, ...]
    left_out: int
    broken: int


def shown_branch(nodes: Sequence[Node], is_speech: Callable[[Node], bool]) -> Branch:
    """The branch that ends with the last row that is speech; `nodes` in the order of the file, each uuid once."""
    leaf = next((node for node in reversed(nodes) if is_speech(node)), None)
    if leaf is None:
        return Branch((), 0, 0)
    by_uuid = {node.uuid: node for node in nodes}
    before = {node.uuid: earlier for earlier, node in pairwise(nodes)}
    chain: dict[str, Node] = {}
    broken = 0
    at: Node | None = leaf
    while at is not None and at.uuid not in chain:
        chain[at.uuid] = at
        parent = None if at.parent is None else by_uuid.get(at.parent)
        if parent is None and (at.parent is not None or at.goes_on):
            broken += at.parent is not None
            parent = before.get(at.uuid)
        at = parent
    branch = _with_siblings(list(reversed(chain.values())), nodes)
    kept = {node.uuid for node in branch}
    return Branch(tuple(branch), sum(node.uuid not in kept and is_speech(node) for node in nodes), broken)


def _with_siblings(chain: list[Node], nodes: Iterable[Node]) -> list[Node]:
    """The chain, and between its rows those of its messages and the results of its calls that hang beside it."""
    kept = {node.uuid for node in chain}
    messages = {node.message for node in chain if node.message is not None}
    beside = {node.uuid: node for node in nodes if node.uuid not in kept and node.message in messages}
    waiting = {call for node in (*chain, *beside.values()) for call in node.calls}
    waiting -= {call for node in chain for call in node.answers}
    for node in nodes:
        if node.uuid not in kept and node.uuid not in beside and not waiting.isdisjoint(node.answers):
            waiting -= node.answers
            beside[node.uuid] = node
    merged: list[Node] = []
    rest = deque(sorted(beside.values(), key=lambda one: one.place))
    for node in chain:
        while rest and rest[0].place < node.place:
            merged.append(rest.popleft())
        merged.append(node)
    return [*merged, *rest]
