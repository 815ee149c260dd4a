"""A node for LangGraph graphs whose state has `messages`: replaces what grows too long by a context of the service."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dissolution_client.client import Client
from dissolution_client.messages import Compactor

ROLES = {"human": "user", "ai": "assistant", "system": "system", "tool": "tool"}
"""LangChain's names of roles, and those of the service."""

State = Mapping[str, Any]


def dissolving(
    client: Client, name: str, *, limit_tokens: int = 8000, budget: int = 4000, fleet: str = "extractive"
) -> Callable[[State], dict[str, Any]]:
    """A node to put before the model's: returns the change of state that leaves a context in place of the messages.

    Short histories are left alone: the node then changes nothing. The state must use LangGraph's `add_messages`
    reducer, as `MessagesState` does. One graph thread has one `name`.

    Args:
        client: Talks to the service.
        name: The conversation's name there.
        limit_tokens: From which size on messages are replaced.
        budget: Tokens of what takes their place, at most.
        fleet: Who is asked.
    """
    kept: list[dict[str, Any]] = []
    known: set[str] = set()
    compact = Compactor(client, name, limit_tokens=limit_tokens, budget=budget, fleet=fleet)

    def node(state: State) -> dict[str, Any]:
        """Raises ProblemError, ConnectionLost, WaitedTooLong."""
        from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, RemoveMessage, SystemMessage
        from langgraph.graph.message import REMOVE_ALL_MESSAGES

        messages: Sequence[AnyMessage] = state["messages"]
        kept.extend(_plain(message) for message in messages if message.id not in known)
        known.update(str(message.id) for message in messages)
        context = compact(kept)
        if context == kept:
            return {}
        kinds = {"user": HumanMessage, "assistant": AIMessage, "system": SystemMessage}
        made = [kinds.get(one["role"], HumanMessage)(content=one["content"]) for one in context]
        for number, message in enumerate(made):
            message.id = f"{name}-context-{len(kept)}-{number}"
            known.add(message.id)
        return {"messages": [RemoveMessage(id=REMOVE_ALL_MESSAGES), *made]}

    return node


def _plain(message: Any) -> dict[str, Any]:  # noqa: ANN401 - a message of LangChain, which has no narrow public type
    content = message.content if isinstance(message.content, str) else str(message.text)
    return {"role": ROLES.get(message.type, message.type), "content": content or " "}
