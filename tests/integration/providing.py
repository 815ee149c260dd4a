"""A provider that plays models over real HTTP, in a thread of its own, for tests that ask it as users would."""

import asyncio
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from queue import Queue

from devtools.loopback import LoopbackProvider
from devtools.loopback_spec import LoopbackSpec, ModelScript
from fleet.chat_member import ChatMember, build_members
from fleet.roster import Roster
from language.tokens import ApproximateTokenCounter
from prompts.framing import frame_formats
from prompts.reply import reply_format
from tests.polling import LONGEST_S


@contextmanager
def providing(models: Mapping[str, ModelScript]) -> Generator[LoopbackProvider]:
    """A provider of these models, until the block ends."""
    started: Queue[tuple[LoopbackProvider, asyncio.AbstractEventLoop]] = Queue()
    stop = asyncio.Event()

    async def serve() -> None:
        async with LoopbackProvider(LoopbackSpec(models=dict(models))) as serving:
            started.put((serving, asyncio.get_running_loop()))
            await stop.wait()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    provider, loop = started.get(timeout=LONGEST_S)
    try:
        yield provider
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(timeout=LONGEST_S)


def a_frame_member(provider: LoopbackProvider, name: str, model: str, dialect: str) -> ChatMember:
    """A member over HTTP, of a family of its own, that may audit, question and read premises."""
    base = f"{provider.base_url}/v1" if dialect == "openai" else provider.base_url
    form: dict[str, object] = {"name": name, "model": f"{dialect}/{model}-{dialect}", "family": f"of-{name}"}
    form |= {"api_base": base, "price": {"input_usd": 1, "output_usd": 4}, "max_attempts": 2, "timeout_s": 20}
    (member,) = build_members(
        Roster.model_validate({"members": [form]}),
        ApproximateTokenCounter(),
        environ={},
        response_format=reply_format(),
        formats=frame_formats(),
    )
    return member
