"""The asynchronous client: the same methods, awaited."""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Collection, Mapping
from contextlib import aclosing
from http import HTTPStatus
from typing import Any, Literal, Self, TypeVar

import httpx

from dissolution_client import requests
from dissolution_client.errors import ConnectionLost, NotCommitted, ProblemError, WaitedTooLong
from dissolution_client.requests import Asked, Messages
from dissolution_client.shapes import (
    Appended,
    Context,
    Conversation,
    Dissolution,
    Event,
    Format,
    Kind,
    Match,
    Recalled,
    Section,
)
from dissolution_client.streams import OVER, SILENCE_S, EventReader, is_stream

T = TypeVar("T")


class AsyncClient:
    """Talks to one service. Use it in an `async with` block, or close it.

    Args:
        url: Where the service is, such as `http://127.0.0.1:8700`.
        api_key: A key of `dissolve keys create`; needed everywhere but on loopback.
        timeout_s: How long one request may take.
        attempts: How often a request is sent at most, if no answer comes or the service asks to try again.
        transport: Takes the place of the network, for tests.

    Raises UnusableOption for an address or a key that no request can be sent with.
    """

    def __init__(
        self,
        url: str,
        *,
        api_key: str | None = None,
        timeout_s: float = 30.0,
        attempts: int = 4,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        address, headers = requests.address_of(url), requests.headers_of(api_key)
        self._http = httpx.AsyncClient(base_url=address, headers=headers, timeout=timeout_s, transport=transport)
        self._attempts = max(1, attempts)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def create_conversation(
        self, messages: Messages, name: str | None = None, *, title: str | None = None
    ) -> Conversation:
        """Store a conversation. Raises ProblemError.

        `messages` are those of OpenAI's or Anthropic's interface, items of the Responses API, LangChain's messages as
        `messages_to_dict` writes them, or Gemini's contents; the service tells which.
        """
        return await self._send(requests.create_conversation(messages, name, title))

    async def import_conversation(
        self, text: str, name: str | None = None, *, title: str | None = None, pick: str | None = None
    ) -> Conversation:
        """Store a conversation of a file as another program wrote it: a session of Claude Code, an export of ChatGPT ….

        `pick` is the id of the one that is meant when the file holds several. Raises ProblemError.
        """
        return await self._send(requests.import_conversation(text, name, title, pick))

    async def conversation(self, name: str) -> Conversation:
        """A stored conversation without its turns. Raises ProblemError."""
        return await self._send(requests.conversation(name))

    async def append(self, name: str, messages: Messages, *, expected_turns: int | None = None) -> Appended:
        """Add turns; with `expected_turns` only if there are that many by now. Raises ProblemError."""
        return await self._send(requests.append(name, messages, expected_turns))

    async def dissolve(
        self, name: str, *, fleet: str = "extractive", policy: str | Mapping[str, Any] | None = None, **rest: object
    ) -> Dissolution:
        """Ask for a dissolution; `rest` takes `through`, `hold` and `lane`. Raises ProblemError."""
        return await self._send(requests.dissolve(name, fleet, policy, rest))

    async def dissolution(self, name: str) -> Dissolution:
        """How a dissolution stands. Raises ProblemError."""
        return await self._send(requests.dissolution(name))

    async def cancel(self, name: str) -> Dissolution:
        """End a dissolution; the history stays in force. Raises ProblemError."""
        return await self._send(requests.cancel(name))

    async def receipt(self, name: str) -> dict[str, Any]:
        """The whole account of a dissolution that has ended. Raises ProblemError."""
        return await self._send(requests.part(name, "receipt"))

    async def frame(self, name: str) -> dict[str, Any]:
        """What the frame audit found. Raises ProblemError."""
        return await self._send(requests.part(name, "frame"))

    async def wait(self, one: Dissolution, *, timeout_s: float = 600.0, committed: bool = True) -> Dissolution:
        """The dissolution once it has ended.

        Raises WaitedTooLong; NotCommitted when it ended without a boundary, unless `committed` is False; ProblemError.
        """
        until, looks = time.monotonic() + timeout_s, 0
        while not one.has_ended:
            if time.monotonic() >= until:
                raise WaitedTooLong(f"dissolution {one.id} is {one.status} after {timeout_s:g} s")
            await asyncio.sleep(min(requests.look_s(looks), max(0.0, until - time.monotonic())))
            looks += 1
            one = await self.dissolution(one.id)
        if committed and not one.is_committed:
            raise NotCommitted(f"dissolution {one.id} ended as {one.status}: {one.reason or 'no reason given'}")
        return one

    async def events(self, one: Dissolution | str, *, after: int = 0) -> AsyncIterator[Event]:
        """What happens to a dissolution, as it happens, until it ends; a stream that breaks goes on where it was cut.

        Args:
            one: The dissolution or its id.
            after: The number of the last event that is known.

        Raises ProblemError, ConnectionLost.
        """
        name, broken = (one if isinstance(one, str) else one.id), 0
        while True:
            why: Exception | None = None
            try:
                async with aclosing(self._stream(name, after)) as stream:
                    async for event in stream:
                        if event is OVER:
                            return
                        after, broken = event.number, 0
                        yield event
            except (httpx.TransportError, ProblemError) as error:
                if isinstance(error, ProblemError) and error.status not in requests.AGAIN:
                    raise
                why = error
            broken += 1
            if broken >= self._attempts:
                raise ConnectionLost(f"the events of {name}: the stream broke {broken} times in a row") from why
            await asyncio.sleep(requests.pause_s(broken - 1, None))

    async def context(
        self,
        name: str,
        *,
        budget: int | None = None,
        recent: int | None = None,
        form: Format = "openai",
        operator: bool = True,
    ) -> Context:
        """What to send to a model in place of the history, within a budget of tokens. Raises ProblemError.

        `operator`: whether the system messages at the beginning stand first, word for word; False where they are sent
        besides.
        """
        return await self._send(requests.context(name, budget, recent, form, operator=operator))

    async def recall(
        self,
        name: str,
        text: str | None = None,
        *,
        kinds: Collection[Kind] = (),
        section: Section | None = None,
        state: Literal["open", "all"] = "open",
        match: Match = "auto",
        turn: int | None = None,
        limit: int = 20,
    ) -> Recalled:
        """Claims, dissent and turns by words, best first; without words the claims that fit. Raises ProblemError.

        Args:
            name: The conversation.
            text: What to look for: words, a name, a number, a file.
            kinds: Only these; all if empty.
            section: Only claims and dissent of it; turns are in none.
            state: `open`: what holds; `all`: also what was replaced or has ended.
            match: How words are compared with texts.
            turn: What held at this turn and was said up to it; the last if None.
            limit: Claims, dissent and turns together, at most.
        """
        rest = {"section": section, "state": state, "match": match, "turn": turn, "limit": limit}
        return await self._send(requests.recall(name, text, kinds, rest))

    async def erase(self, name: str, *, reason: str) -> dict[str, Any]:
        """Delete a conversation with all that came of it; the record of that. Raises ProblemError."""
        return await self._send(requests.erase(name, reason))

    async def _send(self, asked: Asked[T]) -> T:
        response: httpx.Response | None = None
        lost: httpx.TransportError | None = None
        for attempt in range(self._attempts):
            if attempt:
                await asyncio.sleep(requests.pause_s(attempt - 1, response))
            try:
                response = await self._http.request(
                    asked.method, asked.path, params=asked.params, json=asked.body, headers=asked.headers
                )
            except httpx.TransportError as error:
                response, lost = None, error
                continue
            if not requests.may_repeat(response):
                break
        if response is None:
            told = requests.unanswered(asked.method, asked.path, self._http.base_url, self._attempts, lost)
            raise ConnectionLost(told) from lost
        return asked.read(response)

    async def _stream(self, name: str, after: int) -> AsyncGenerator[Event, None]:
        """The events of one connection; OVER when no more will come."""
        asked, usual = requests.events(name, after), self._http.timeout
        timeout = httpx.Timeout(connect=usual.connect, read=SILENCE_S, write=usual.write, pool=usual.pool)
        async with self._http.stream(asked.method, asked.path, headers=asked.headers, timeout=timeout) as response:
            if response.status_code == HTTPStatus.NO_CONTENT:
                yield OVER
                return
            if not is_stream(response):
                await response.aread()
                raise requests.problem_of(response)
            reader = EventReader()
            async for line in response.aiter_lines():
                event = reader.line(line)
                if event is not None:
                    yield event
