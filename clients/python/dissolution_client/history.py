"""What helpers share: which messages the service holds, what may be dissolved of a history, and doing it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from dissolution_client.client import Client
from dissolution_client.errors import ClientError, ProblemError
from dissolution_client.shapes import Context

CHARS_A_TOKEN = 4
"""A rough measure, used only to decide whether anything is to be done; the service counts properly."""

RETRY_SHARE = 0.25
"""Where a dissolution gave no boundary, it is tried again once the history has grown by this share of the limit."""

THOUGHTS = frozenset({"thinking", "redacted_thinking"})


def rough_tokens(messages: Sequence[Mapping[str, Any]]) -> int:
    """About how many tokens these messages have."""
    return sum(len(str(message.get("content", ""))) for message in messages) // CHARS_A_TOKEN


def head_of(messages: Sequence[Mapping[str, Any]]) -> int:
    """How many messages at the beginning are the system's: they go along word for word whatever is dissolved."""
    roles = (str(message.get("role")) for message in messages)
    return next((n for n, role in enumerate(roles) if role not in {"system", "developer"}), len(messages))


def cut_of(messages: Sequence[Mapping[str, Any]], limit_tokens: int) -> int:
    """How many messages may be dissolved: those before the last user's, so that what is asked now is sent as it is.

    Where what came after the user's message is long by itself (an agent that calls many tools), all of them. 0 where a
    call would be parted from its output, which interfaces refuse: a later history has the output too.
    """
    last = max((n for n, one in enumerate(messages) if _is_asked(one)), default=len(messages))
    cut = last if rough_tokens(messages[last:]) < limit_tokens // 2 else len(messages)
    return 0 if open_calls(messages[:cut]) else cut


def _is_asked(message: Mapping[str, Any]) -> bool:
    return message.get("role") == "user" and not any(one.get("type") == "tool_result" for one in blocks(message))


def blocks(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The blocks of a message's content; none where it is text."""
    content: object = message.get("content")
    return cast("list[Mapping[str, Any]]", content) if isinstance(content, list) else []


def open_calls(messages: Sequence[Mapping[str, Any]]) -> set[str]:
    """Ids of calls whose output has not come yet, in the form of OpenAI's interface or of Anthropic's."""
    called: set[str] = set()
    answered: set[str] = set()
    for message in messages:
        called |= {str(call.get("id")) for call in message.get("tool_calls") or ()}
        called |= {str(one.get("id")) for one in blocks(message) if one.get("type") == "tool_use"}
        answered |= {str(one.get("tool_use_id")) for one in blocks(message) if one.get("type") == "tool_result"}
        if message.get("role") == "tool":
            answered.add(str(message.get("tool_call_id")))
    return called - answered


def turns_of(message: Mapping[str, Any]) -> int:
    """How many turns the service makes of a message: results of tools among its blocks are turns of their own."""
    if not blocks(message):
        return 1
    kinds = ["result" if one.get("type") == "tool_result" else "said" for one in blocks(message) if not _thought(one)]
    kinds += ["said"] * bool(message.get("tool_calls"))
    runs = sum(kind == "result" or n == 0 or kinds[n - 1] == "result" for n, kind in enumerate(kinds))
    return runs if kinds else int(not any(_thought(one) for one in blocks(message)))


def _thought(block: Mapping[str, Any]) -> bool:
    return block.get("type") in THOUGHTS


def hold(client: Client, name: str, messages: Sequence[Mapping[str, Any]], after_turns: int = 0) -> int:
    """Have the service hold these messages behind its first turns; what it has of them is not sent again.

    So a process that was restarted, and an attempt that was cut short, go on where the other one stopped.

    Args:
        client: Talks to the service.
        name: The conversation; it is made if there is none.
        messages: The whole of what follows.
        after_turns: How many turns stand before them.

    Returns:
        How many turns are stored by now.

    Raises:
        ClientError: What is stored is another conversation.
        ProblemError: The service refuses.
        ConnectionLost: It does not answer.
    """
    try:
        stored = client.conversation(name).turns
    except ProblemError as error:
        if error.code != "not_found":
            raise
        return client.create_conversation(messages, name).turns
    held, passed = after_turns, 0
    while held < stored and passed < len(messages):
        held, passed = held + turns_of(messages[passed]), passed + 1
    if held != stored:
        raise ClientError(
            f"conversation {name!r} has {stored} turns, which are not these messages; take another name, or erase it"
        )
    fresh = messages[passed:]
    return client.append(name, fresh, expected_turns=stored).turns if fresh else stored


@dataclass(frozen=True)
class Way:
    """How helpers dissolve.

    Attributes:
        limit_tokens: From which size on a history, or what was added since, is dissolved.
        budget: Tokens of the context, at most.
        recent: Last turns that a context has word for word; the policy's number where it is None.
        fleet: Who is asked.
        timeout_s: How long a dissolution is waited for.
    """

    limit_tokens: int = 8000
    budget: int = 4000
    recent: int | None = None
    fleet: str = "extractive"
    timeout_s: float = 600.0

    def after_failure(self, size: int) -> int:
        """From which size on it is worth trying again what gave no boundary at this one."""
        return size + int(RETRY_SHARE * self.limit_tokens)


def dissolved(client: Client, name: str, way: Way) -> Context:
    """The context of a conversation after a dissolution of what it has. Raises NotCommitted and what requests raise.

    Without the system messages at the beginning: helpers keep those themselves.
    """
    client.wait(client.dissolve(name, fleet=way.fleet), timeout_s=way.timeout_s)
    return client.context(name, budget=way.budget, recent=way.recent, operator=False)
