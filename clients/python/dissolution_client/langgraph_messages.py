"""LangGraph: a reducer that keeps the messages of a checkpointed state short, and a node that does the same.

Both read everything they need from the messages themselves: what stands for a context is marked with the conversation
it came from. So one reducer serves all threads of a graph, and a restarted process goes on where the other one stopped.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dissolution_client.client import Client
from dissolution_client.errors import ClientError, passes
from dissolution_client.history import Way, cut_of, dissolved, head_of, hold, rough_tokens
from dissolution_client.shapes import Context

if TYPE_CHECKING:
    from langchain_core.messages import AnyMessage
    from langgraph.graph.message import Messages

log = logging.getLogger(__name__)

ROLES = {"human": "user", "ai": "assistant", "system": "system", "tool": "tool"}
"""LangChain's names of roles, and those of the service."""

MARK = "dissolution"
"""The key in a message's `response_metadata` that says which conversation it stands for, how many turns of it, and of
a system message that it was kept as it is."""

State = Mapping[str, Any]


def dissolving_messages(
    client: Client,
    *,
    limit_tokens: int = 8000,
    budget: int = 4000,
    recent: int | None = None,
    fleet: str = "extractive",
    timeout_s: float = 600.0,
) -> "Callable[[Messages, Messages], list[AnyMessage]]":
    """A reducer for the messages of a graph's state, in place of `add_messages`: what is checkpointed stays short.

    `class State(TypedDict): messages: Annotated[list[AnyMessage], dissolving_messages(client)]`. Each thread of the
    graph is a conversation of the service. A reducer has nobody to raise to, so what passes by itself (a service that
    is away, a dissolution without a boundary) is logged and the messages stay as they are; what somebody has to put
    right, such as a refused key, is raised. In asynchronous graphs take `dissolving`: a reducer holds up their loop.

    Args:
        client: Talks to the service.
        limit_tokens: From which size on messages are replaced.
        budget: Tokens of what takes their place, at most.
        recent: Last turns that it has word for word; the policy's number (10) if it is left out.
        fleet: Who is asked.
        timeout_s: How long a dissolution is waited for.
    """
    shorten = _Shortener(client, Way(limit_tokens, budget, recent, fleet, timeout_s))

    def reduce(left: "Messages", right: "Messages") -> "list[AnyMessage]":
        from langgraph.graph.message import add_messages

        merged: Any = add_messages(left, right)
        return shorten.quietly(merged) or merged

    return reduce


def dissolving(
    client: Client,
    *,
    limit_tokens: int = 8000,
    budget: int = 4000,
    recent: int | None = None,
    fleet: str = "extractive",
    timeout_s: float = 600.0,
) -> Callable[[State], dict[str, Any]]:
    """A node to put before the model's: returns the change of state that leaves a context in place of the messages.

    Short histories are left alone: the node then changes nothing. The state must use LangGraph's `add_messages`
    reducer, as `MessagesState` does. Errors are treated as `dissolving_messages` treats them.

    Args:
        client: Talks to the service.
        limit_tokens: From which size on messages are replaced.
        budget: Tokens of what takes their place, at most.
        recent: Last turns that it has word for word; the policy's number (10) if it is left out.
        fleet: Who is asked.
        timeout_s: How long a dissolution is waited for.
    """
    shorten = _Shortener(client, Way(limit_tokens, budget, recent, fleet, timeout_s))

    def node(state: State) -> dict[str, Any]:
        from langchain_core.messages import RemoveMessage
        from langgraph.graph.message import REMOVE_ALL_MESSAGES

        made = shorten.quietly(state["messages"])
        return {} if made is None else {"messages": [RemoveMessage(id=REMOVE_ALL_MESSAGES), *made]}

    return node


@dataclass
class _Shortener:
    """Replaces what has grown too long, once for each limit it passes."""

    client: Client
    way: Way
    again: dict[str, int] = field(default_factory=dict[str, int])  # by conversation: not before it has this size

    def quietly(self, messages: "Sequence[AnyMessage]") -> "list[AnyMessage] | None":
        """The messages to have instead, None where they stay. Raises what somebody has to put right."""
        try:
            return self.shortened(messages)
        except ClientError as error:
            if not passes(error):
                raise
            log.warning("the messages stay as they are: %s", error)
            return None

    def shortened(self, messages: "Sequence[AnyMessage]") -> "list[AnyMessage] | None":
        """The same. Raises ClientError."""
        marked = [one for one in messages if MARK in one.response_metadata]
        kept = [one for one in marked if one.response_metadata[MARK].get("kept")]
        fresh = [one for one in messages if MARK not in one.response_metadata]
        plain = [_plain(one) for one in fresh]
        size = rough_tokens(plain)
        if size < self.way.limit_tokens:
            return None
        cut = cut_of(plain, self.way.limit_tokens)
        told: dict[str, Any] = marked[-1].response_metadata[MARK] if marked else {}
        name = str(told.get("conversation") or f"graph-{fresh[0].id}")
        head = 0 if marked else head_of(plain)
        if cut <= head or size < self.again.get(name, 0):
            return None
        self.again[name] = self.way.after_failure(size)
        turns = hold(self.client, name, plain[:cut], int(told.get("turns", 0)))
        context = dissolved(self.client, name, self.way)
        del self.again[name]
        mark = {"conversation": name, "turns": turns}
        kept += [_marked(one, {**mark, "kept": True}) for one in fresh[:head]]
        return [*kept, *_standing_for(context, mark), *fresh[cut:]]


def _marked(message: "AnyMessage", mark: Mapping[str, Any]) -> "AnyMessage":
    return message.model_copy(update={"response_metadata": {**message.response_metadata, MARK: dict(mark)}})


def _standing_for(context: Context, mark: Mapping[str, Any]) -> "list[AnyMessage]":
    """A context as messages of LangChain, marked, each with an id of its own."""
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

    kinds = {"user": HumanMessage, "assistant": AIMessage, "system": SystemMessage}
    told = enumerate(context.messages)
    name = f"{mark['conversation']}-{mark['turns']}"
    return [_marked(kinds[one.role](content=one.content, id=f"{name}-{number}"), mark) for number, one in told]


def _plain(message: "AnyMessage") -> dict[str, Any]:
    """A message of LangChain as OpenAI's interface has it; what is no text in it is left to the text that stands."""
    content = message.content if isinstance(message.content, str) else str(message.text)
    made: dict[str, Any] = {"role": ROLES.get(message.type, "user"), "content": content or " "}
    calls: list[dict[str, Any]] = getattr(message, "tool_calls", [])
    if calls:
        made["tool_calls"] = [
            {"id": call["id"], "type": "function", "function": {"name": call["name"], "arguments": str(call["args"])}}
            for call in calls
        ]
    if message.type == "tool":
        made["tool_call_id"] = str(message.tool_call_id)
    return made
