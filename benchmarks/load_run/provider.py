"""The simulated fleet of a load run, in a thread of its own, with a log of every latency it drew."""

import asyncio
import re
import threading
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import Future
from types import TracebackType
from typing import Self

from devtools.loopback import LoopbackProvider, _Playing
from devtools.loopback_dialects import Asked, Dialect
from devtools.loopback_http import Response
from devtools.loopback_roster import roster_text
from devtools.loopback_spec import LoopbackSpec
from dissolution.policy.job_policy import QuorumPolicy

CASE = re.compile(r"case number (\d+)")

Drawn = tuple[float, str]
"""Latency (s) and the family of the model that drew it."""


class TimedProvider(LoopbackProvider):
    """Remembers which latency each request was given; the ideal that a run is measured against."""

    def __init__(self, spec: LoopbackSpec) -> None:
        super().__init__(spec)
        self.drawn: dict[int, list[Drawn]] = defaultdict(list)
        self._case = -1
        for name, model in self._models.items():
            model.latency_s = self._remembering(model, spec.family_of(name))

    def _remembering(self, model: _Playing, family: str):  # noqa: ANN202 - the method's own type
        draw = model.latency_s

        def latency_s() -> float:
            seconds = draw()
            self.drawn[self._case].append((seconds, family))
            return seconds

        return latency_s

    async def _play(self, dialect: Dialect, model: _Playing, asked: Asked) -> Response:
        found = CASE.search(asked.prompt)
        self._case = int(found[1]) if found else -1  # the latency is drawn before anything else may run
        try:
            return await super()._play(dialect, model, asked)
        finally:
            self.bodies.clear()  # thousands of prompts are not needed


def ideal_s(drawn: Sequence[Drawn], quorum: QuorumPolicy) -> float:
    """When the quorum could stand at the earliest (s): the order statistic of the latencies, families considered."""
    families: set[str] = set()
    for count, (seconds, family) in enumerate(sorted(drawn), start=1):
        families.add(family)
        if count >= quorum.min_members and len(families) >= quorum.min_families:
            return seconds
    message = f"{len(drawn)} latencies cannot make a quorum of {quorum.min_members}"
    raise ValueError(message)


class ProviderThread:
    """The provider in a thread of its own. Use it in a `with` block."""

    def __init__(self, spec: LoopbackSpec) -> None:
        self.spec = spec
        self.provider = TimedProvider(spec)
        self._ready: Future[None] = Future()
        self._loop = asyncio.new_event_loop()
        self._over = asyncio.Event()
        self.thread = threading.Thread(target=self._run, name="provider", daemon=True)

    def __enter__(self) -> Self:
        self.thread.start()
        self._ready.result(10)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self.thread.join(10)

    def _run(self) -> None:
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    async def _serve(self) -> None:
        async with self.provider:
            self._ready.set_result(None)
            await self._over.wait()

    def roster(self) -> str:
        """The roster that asks these models: one request a call, as long as it takes."""
        return roster_text(self.spec, self.provider.base_url, timeout_s=3600, max_attempts=1)
