"""A provider that plays models over real HTTP, in a thread of its own, for tests that ask it as users would."""

import asyncio
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from queue import Queue

from fleet.loopback import LoopbackProvider
from fleet.loopback_spec import LoopbackSpec, ModelScript
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
