"""A session for the OpenAI Agents SDK that dissolves what grows too long: change one object, keep the agent."""

from typing import TYPE_CHECKING, Any, cast

from dissolution_client.aio import AsyncClient
from dissolution_client.errors import NotCommitted, ProblemError
from dissolution_client.messages import rough_tokens

if TYPE_CHECKING:
    from agents.items import TResponseInputItem
    from agents.memory import SessionSettings


class Session:
    """Holds the items of one conversation; long ones are replaced by a context of the service.

    The items since the last boundary are held here word for word, as the SDK gives them (tool calls included); what is
    older is the service's boundary. Where a dissolution ends without one, everything stays as it is.

    Args:
        client: Talks to the service.
        session_id: The conversation's name there.
        limit_tokens: From which size on items are replaced, after a turn.
        budget: Tokens of the context that takes their place, at most.
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
        fleet: str = "extractive",
        timeout_s: float = 600.0,
    ) -> None:
        self.session_id = session_id
        self.session_settings: SessionSettings | None = None
        self._client = client
        self._limit = limit_tokens
        self._budget = budget
        self._fleet = fleet
        self._timeout_s = timeout_s
        self._items: list[TResponseInputItem] = []
        self._context: list[TResponseInputItem] = []
        self._unsent: list[dict[str, Any]] = []
        self._exists = False

    async def get_items(self, limit: int | None = None) -> "list[TResponseInputItem]":
        """The context, if there is one, and the items since; the last `limit` of them."""
        whole = [*self._context, *self._items]
        return whole if limit is None else whole[-limit:] if limit else []

    async def add_items(self, items: "list[TResponseInputItem]") -> None:
        """Add items; when there are too many words by now, dissolve them. Raises ProblemError, ConnectionLost."""
        self._items.extend(items)
        self._unsent.extend(said for item in items if (said := message_of(item)) is not None)
        if rough_tokens([{"content": item} for item in self._items]) >= self._limit and not open_calls(self._items):
            await self._dissolve()

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
        self._items, self._context, self._unsent = [], [], []
        if self._exists:
            await self._client.erase(self.session_id, reason="the session was cleared")
            self._exists = False

    async def _dissolve(self) -> None:
        await self._send()
        if not self._exists:
            return
        try:
            job = await self._client.dissolve(self.session_id, fleet=self._fleet)
            await self._client.wait(job, timeout_s=self._timeout_s)
        except NotCommitted:
            return
        context = await self._client.context(self.session_id, budget=self._budget)
        self._context = [_input_item(message) for message in context.as_messages()]
        self._items = []

    async def _send(self) -> None:
        """Send what was said since; a session of an earlier process goes on with the same conversation."""
        if not self._unsent:
            return
        if not self._exists:
            try:
                await self._client.create_conversation(self._unsent, self.session_id)
            except ProblemError as error:
                if error.code != "conversation_exists":
                    raise
                await self._client.append(self.session_id, self._unsent)
            self._exists = True
        else:
            await self._client.append(self.session_id, self._unsent)
        self._unsent = []


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
