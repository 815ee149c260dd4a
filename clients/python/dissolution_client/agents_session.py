"""A session for the OpenAI Agents SDK that dissolves what grows too long: change one object, keep the agent."""

import logging
import time
from typing import TYPE_CHECKING, Any, cast

from dissolution_client.aio import AsyncClient
from dissolution_client.errors import ClientError, ProblemError, passes
from dissolution_client.history import Way, rough_tokens

if TYPE_CHECKING:
    from agents.items import TResponseInputItem
    from agents.memory import SessionSettings

log = logging.getLogger(__name__)

AWAY_S = 60.0
"""A service that did not answer is not asked again for what it has for so long (s)."""


class Session:
    """Holds the items of one conversation; long ones are replaced by a context of the service.

    The items since the last boundary are held here word for word, as the SDK gives them (tool calls included); what is
    older is the service's boundary. Where a dissolution ends without one, or the service is away, that is logged and
    everything stays as it is. Items reach the service when they are dissolved or with `save`; a session with the same
    id in another process begins with the context of what it has.

    Args:
        client: Talks to the service.
        session_id: The conversation's name there.
        limit_tokens: From which size on items are replaced, after a turn.
        budget: Tokens of the context that takes their place, at most.
        recent: Last turns that it has word for word; the policy's number (10) if it is left out.
        fleet: Who is asked.
        timeout_s: How long a dissolution is waited for.
    """

    def __init__(
        self,
        client: AsyncClient,
        session_id: str,
        *,
        limit_tokens: int = 8000,
        budget: int = 4000,
        recent: int | None = None,
        fleet: str = "extractive",
        timeout_s: float = 600.0,
    ) -> None:
        self.session_id = session_id
        self.session_settings: SessionSettings | None = None
        self._client = client
        self._way = Way(limit_tokens, budget, recent, fleet, timeout_s)
        self._items: list[TResponseInputItem] = []
        self._context: list[TResponseInputItem] = []
        self._unsent: list[dict[str, Any]] = []
        self._exists: bool | None = None  # not known yet
        self._again = limit_tokens
        self._begin_at = 0.0

    async def get_items(self, limit: int | None = None) -> "list[TResponseInputItem]":
        """The context, if there is one, and the items since; the last `limit` of them. Raises ProblemError."""
        await self._begin()
        whole = [*self._context, *self._items]
        return whole if limit is None else whole[-limit:] if limit else []

    async def add_items(self, items: "list[TResponseInputItem]") -> None:
        """Add items; when there are too many words by now, dissolve them. Raises ProblemError for what is refused."""
        await self._begin()
        self._items.extend(items)
        self._unsent.extend(said for item in items if (said := message_of(item)) is not None)
        size = rough_tokens([{"content": item} for item in self._items])
        if size < self._again or open_calls(self._items):
            return
        try:
            await self._dissolve()
        except ClientError as error:
            if not passes(error):
                raise
            log.warning("session %s stays as it is: %s", self.session_id, error)
            self._again = self._way.after_failure(size)
        else:
            self._again = self._way.limit_tokens

    async def save(self) -> None:
        """Send what the service has not got, so that another process can go on. Raises ProblemError, ConnectionLost."""
        if self._unsent and self._exists:
            await self._client.append(self.session_id, self._unsent)
        elif self._unsent:
            await self._client.create_conversation(self._unsent, self.session_id)
        self._exists = self._exists or bool(self._unsent)
        self._unsent = []

    async def pop_item(self) -> "TResponseInputItem | None":
        """Take the last item back, as long as it is not part of a boundary."""
        if not self._items:
            return None
        item = self._items.pop()
        if self._unsent and message_of(item) == self._unsent[-1]:
            self._unsent.pop()
        return item

    async def clear_session(self) -> None:
        """Forget everything here, and have the service erase the conversation. Raises ProblemError, ConnectionLost."""
        await self._begin()
        self._items, self._context, self._unsent = [], [], []
        if self._exists:
            await self._client.erase(self.session_id, reason="the session was cleared")
            self._exists = False

    async def _begin(self) -> None:
        """Take up what an earlier process left with the service."""
        if self._exists is not None or time.monotonic() < self._begin_at:
            return
        try:
            # Turns that no boundary covers yet always stand in a context: there has to be room for them.
            context = await self._client.context(self.session_id, budget=self._way.budget + self._way.limit_tokens)
        except ClientError as error:
            if isinstance(error, ProblemError) and error.code == "not_found":
                self._exists = False
            elif passes(error):
                log.warning("session %s begins without what the service has: %s", self.session_id, error)
                self._begin_at = time.monotonic() + AWAY_S
            else:
                raise
            return
        self._context, self._exists = [_input_item(message) for message in context.as_messages()], True

    async def _dissolve(self) -> None:
        await self.save()
        if not self._exists:
            return
        job = await self._client.dissolve(self.session_id, fleet=self._way.fleet)
        await self._client.wait(job, timeout_s=self._way.timeout_s)
        context = await self._client.context(self.session_id, budget=self._way.budget, recent=self._way.recent)
        self._context = [_input_item(message) for message in context.as_messages()]
        self._items = []


def open_calls(items: "list[TResponseInputItem]") -> set[str]:
    """Ids of calls whose output has not come yet: interfaces refuse an output whose call is gone."""
    given: list[dict[str, Any]] = [dict(item) for item in items]
    called = {str(one.get("call_id")) for one in given if one.get("type") == "function_call"}
    return called - {str(one.get("call_id")) for one in given if one.get("type") == "function_call_output"}


def message_of(item: "TResponseInputItem") -> dict[str, Any] | None:
    """An item as a message that the service reads; None for what says nothing (reasoning, references)."""
    given: dict[str, Any] = dict(item)
    kind = given.get("type", "message")
    if kind == "message" and "role" in given:
        text = _text(given.get("content"))
        return {"role": str(given["role"]), "content": text} if text else None
    if kind == "function_call":
        return {"role": "assistant", "content": f"{given.get('name')}({given.get('arguments', '')})"}
    if kind == "function_call_output":
        text = _text(given.get("output"))
        return {"role": "tool", "content": text} if text else None
    return None


def _text(content: Any) -> str:  # noqa: ANN401 - words, or parts of many kinds
    if isinstance(content, str):
        return content
    parts = cast("list[dict[str, Any]]", content) if isinstance(content, list) else []
    return "\n".join(str(part["text"]) for part in parts if part.get("text"))


def _input_item(message: dict[str, str]) -> "TResponseInputItem":
    item: Any = {"role": message["role"], "content": message["content"]}
    return item
