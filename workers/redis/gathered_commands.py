"""A client of Redis that sends together what is asked of it at one moment: one round trip, not one for each.

A fan-out asks for nine seats and nine places at once. Each by itself took a connection out of the pool, a message and
an answer, and its calls began one after the other for it.
"""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any, Protocol

from workers.redis.shared_limits import Client

Command = tuple[Any, ...]


class Pipeline(Protocol):
    """redis-py's asyncio pipeline, as far as it is used here."""

    def execute_command(self, *command: Any) -> object:  # noqa: ANN401 - names, texts and numbers
        """Add a command."""
        ...

    async def execute(self, *, raise_on_error: bool) -> list[Any]:
        """Send all; an answer for each, or its error where none is raised."""
        ...


class Pipelining(Client, Protocol):
    """A client that has pipelines."""

    def pipeline(self, *, transaction: bool) -> Pipeline:
        """A new one."""
        ...


class GatheredCommands:
    """The Client of shared limits over another. Errors are those of the other, for each who asked.

    Who is cancelled before his command is sent has sent none; afterwards it is done all the same, as ever.

    Args:
        client: Used from one event loop.
    """

    def __init__(self, client: Pipelining) -> None:
        self._client = client
        self._waiting: list[tuple[Command, asyncio.Future[Any]]] = []
        self._sending: set[asyncio.Task[None]] = set()

    def register_script(self, script: str) -> Callable[..., Awaitable[Any]]:
        """A script that is sent by its digest, and whole when the server does not know it."""
        from redis.exceptions import NoScriptError

        digest = hashlib.sha1(script.encode(), usedforsecurity=False).hexdigest()  # Redis's own name for it

        async def run(keys: Sequence[str], args: Sequence[Any] = ()) -> Any:  # noqa: ANN401 - whatever it returns
            rest = (len(keys), *keys, *args)
            try:
                return await self._ask(("EVALSHA", digest, *rest))
            except NoScriptError:
                return await self._ask(("EVAL", script, *rest))

        return run

    def scan_iter(self, match: str) -> AsyncIterator[bytes]:
        """All keys that fit a pattern."""
        return self._client.scan_iter(match=match)

    async def delete(self, *names: str | bytes) -> int:
        """Delete keys."""
        return await self._client.delete(*names)

    async def zrem(self, name: str, *values: str) -> int:
        """Take members off a sorted set."""
        return int(await self._ask(("ZREM", name, *values)))

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _ask(self, command: Command) -> Any:  # noqa: ANN401 - as above
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Any] = loop.create_future()
        self._waiting.append((command, answer))
        if len(self._waiting) == 1:
            loop.call_soon(self._begin)  # behind all that run at this moment and may ask too
        return await answer

    def _begin(self) -> None:
        sending = asyncio.get_running_loop().create_task(self._send())
        self._sending.add(sending)
        sending.add_done_callback(self._sending.discard)

    async def _send(self) -> None:
        waiting, self._waiting = self._waiting, []
        asked = [(command, answer) for command, answer in waiting if not answer.done()]
        if not asked:
            return
        together = self._client.pipeline(transaction=False)
        for command, _ in asked:
            together.execute_command(*command)
        try:
            told: list[Any] = await together.execute(raise_on_error=False)
        except Exception as error:  # noqa: BLE001 - each who asked is told, whatever it is
            told = [error] * len(asked)
        except BaseException:
            for _, answer in asked:
                answer.cancel()
            raise
        for (_, answer), found in zip(asked, told, strict=True):
            if answer.done():
                continue
            if isinstance(found, Exception):
                answer.set_exception(found)
            else:
                answer.set_result(found)
