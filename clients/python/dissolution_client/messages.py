"""Messages in, messages out: keep a growing list of messages short without losing what was agreed in it."""

from collections.abc import Mapping, Sequence
from typing import Any

from dissolution_client.client import Client
from dissolution_client.errors import NotCommitted

CHARS_A_TOKEN = 4
"""A rough measure, used only to decide whether anything is to be done; the service counts properly."""


class Compactor:
    """Gives a context in place of a long history, for any code that sends a list of messages.

    Call it with the whole history each time. Short histories come back as they are. Of longer ones the new messages are
    sent to the service, dissolved once the history passes the limit again, and what is to be sent comes back. Where a
    dissolution ends without a boundary, the history comes back: nothing leaves before its replacement stands.

    Args:
        client: Talks to the service.
        name: The conversation's name there; one history has one name.
        limit_tokens: From which size on a history is replaced.
        budget: Tokens of what comes back, at most.
        fleet: Who is asked.
        timeout_s: How long a dissolution is waited for.
    """

    def __init__(
        self,
        client: Client,
        name: str,
        *,
        limit_tokens: int = 8000,
        budget: int = 4000,
        fleet: str = "extractive",
        timeout_s: float = 600.0,
    ) -> None:
        self._client = client
        self._name = name
        self._limit = limit_tokens
        self._budget = budget
        self._fleet = fleet
        self._timeout_s = timeout_s
        self._sent = 0
        self._dissolved = 0

    def __call__(self, messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """What to send. Raises ProblemError, ConnectionLost, WaitedTooLong."""
        whole = [dict(message) for message in messages]
        if rough_tokens(whole[self._dissolved :]) < self._limit and self._dissolved == 0:
            return whole
        self._send_new(whole)
        if rough_tokens(whole[self._dissolved :]) >= self._limit and not self._dissolve(len(whole)):
            return whole
        return list(self._client.context(self._name, budget=self._budget).as_messages())

    def _send_new(self, whole: Sequence[Mapping[str, Any]]) -> None:
        fresh = whole[self._sent :]
        if not fresh:
            return
        if self._sent == 0:
            self._client.create_conversation(fresh, self._name)
        else:
            self._client.append(self._name, fresh)
        self._sent = len(whole)

    def _dissolve(self, length: int) -> bool:
        try:
            self._client.wait(self._client.dissolve(self._name, fleet=self._fleet), timeout_s=self._timeout_s)
        except NotCommitted:
            return self._dissolved > 0  # the boundary before stands, and the turns since are in its context
        self._dissolved = length
        return True


def rough_tokens(messages: Sequence[Mapping[str, Any]]) -> int:
    """About how many tokens these messages have."""
    return sum(len(str(message.get("content", ""))) for message in messages) // CHARS_A_TOKEN
