"""What is asked of Redis at one moment goes together, and each who asked gets his own answer or error."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from redis.exceptions import NoScriptError, ResponseError

from workers.redis.gathered_commands import GatheredCommands


class Together:
    """A pipeline that answers each command with itself, but for what the server was told to say."""

    def __init__(self, server: "Server") -> None:
        self._server = server
        self._commands: list[tuple[Any, ...]] = []

    def execute_command(self, *command: object) -> object:
        self._commands.append(command)
        return self

    async def execute(self, *, raise_on_error: bool) -> list[Any]:
        assert not raise_on_error
        self._server.sent.append(self._commands)
        await asyncio.sleep(0)
        if self._server.away is not None:
            raise self._server.away
        return [self._server.says.get(command[1], 1) for command in self._commands]


class Server:
    """A client without a Redis."""

    def __init__(self) -> None:
        self.sent: list[list[tuple[Any, ...]]] = []
        self.says: dict[object, object] = {}
        self.away: Exception | None = None

    def pipeline(self, *, transaction: bool) -> Together:
        assert not transaction
        return Together(self)

    def register_script(self, script: str) -> Callable[..., Awaitable[Any]]:
        raise NotImplementedError(script)

    def scan_iter(self, match: str) -> AsyncIterator[bytes]:
        raise NotImplementedError(match)

    async def delete(self, *names: str | bytes) -> int:
        raise NotImplementedError(names)

    async def zrem(self, name: str, *values: str) -> int:
        raise NotImplementedError(name, values)

    async def aclose(self) -> None:
        """Nothing is open."""


def gathered(server: Server, *names: str) -> list[Any]:
    async def run() -> list[Any]:
        client = GatheredCommands(server)
        return await asyncio.gather(*(client.zrem(name, "who") for name in names), return_exceptions=True)

    return asyncio.run(run())


def test_what_is_asked_at_one_moment_is_sent_once() -> None:
    server = Server()
    server.says = {"b": 7}
    assert gathered(server, "a", "b", "c") == [1, 7, 1]
    assert [[command[1] for command in commands] for commands in server.sent] == [["a", "b", "c"]]


def test_one_error_is_told_to_who_asked_and_nobody_else() -> None:
    server = Server()
    server.says = {"b": ResponseError("full")}
    first, second, third = gathered(server, "a", "b", "c")
    assert (first, third) == (1, 1)
    assert isinstance(second, ResponseError)


def test_a_server_that_is_away_is_away_for_all() -> None:
    server = Server()
    server.away = ConnectionError("gone")
    assert [type(one) for one in gathered(server, "a", "b")] == [ConnectionError, ConnectionError]


def test_who_is_cancelled_before_it_is_sent_has_sent_nothing() -> None:
    server = Server()

    async def run() -> object:
        client = GatheredCommands(server)
        gone, stays = (asyncio.ensure_future(client.zrem(name, "who")) for name in ("gone", "stays"))
        await asyncio.sleep(0)  # both have asked
        gone.cancel()
        with pytest.raises(asyncio.CancelledError):
            await gone
        return await stays

    assert asyncio.run(run()) == 1
    assert [[command[1] for command in commands] for commands in server.sent] == [["stays"]]


def test_a_script_that_the_server_does_not_know_is_sent_whole() -> None:
    server = Server()

    async def run() -> object:
        script = GatheredCommands(server).register_script("return 1")
        digest = "e0e1f9fabfc9d4800c877a703b823ac0578ff8db"
        server.says = {digest: NoScriptError("unknown"), "return 1": 3}
        return await script(keys=["k"], args=[5])

    assert asyncio.run(run()) == 3
    assert server.sent[-1] == [("EVAL", "return 1", 1, "k", 5)]
