"""Limits that stand on Redis while it is there and on this process's own memory while it is not."""

import logging
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from dissolution.limits import Denial, Ended, Endpoint, Limiter, LimitsStanding, Permit, RequestReport, Seats

T = TypeVar("T")

log = logging.getLogger(__name__)

AWAY_S = 5.0
"""After so long without Redis it is tried again (s); until then no request waits for it."""


class FallbackLimiter:
    """The Limiter port over two others: the shared one first, the local one while that is away.

    Nothing is lost by a change: a permit is reported on to whoever gave it, and places promised by a Redis that has
    gone are promised anew.

    Args:
        shared: The fleet's.
        local: This process's own.
        away: The errors that tell that the shared one cannot be reached.
        clock: Seconds, never going back.
    """

    def __init__(
        self,
        shared: Limiter,
        local: Limiter,
        *,
        away: tuple[type[Exception], ...],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._shared = shared
        self._local = local
        self._errors = away
        self._clock = clock
        self._away_until: float | None = None

    async def take(
        self, endpoint: Endpoint, tokens: int, *, within_s: float, hold_s: float, held: Permit | None = None
    ) -> Permit | Denial:
        """Take the next free place (see the port)."""

        def of(limiter: Limiter, *, shared: bool) -> Awaitable[Permit | Denial]:
            before = held if held is not None and held.shared == shared else None
            return limiter.take(endpoint, tokens, within_s=within_s, hold_s=hold_s, held=before)

        return await self._either(lambda: of(self._shared, shared=True), lambda: of(self._local, shared=False))

    async def report(self, permit: Permit, report: RequestReport) -> None:
        """Say what came of a permit, to whoever gave it; what it tells of the model is not lost while Redis is away."""
        if not permit.shared:
            await self._local.report(permit, report)
            return
        await self._either(
            lambda: self._shared.report(permit, report), lambda: self._local.report(*as_news(permit, report))
        )

    async def enter(self, tenant: str, seats: Seats, who: str, *, limit: int, hold_s: float) -> bool:
        """Take one of the tenant's seats (see the port)."""
        return await self._either(
            lambda: self._shared.enter(tenant, seats, who, limit=limit, hold_s=hold_s),
            lambda: self._local.enter(tenant, seats, who, limit=limit, hold_s=hold_s),
        )

    async def leave(self, tenant: str, seats: Seats, who: str) -> None:
        """Give a seat back, wherever it was taken."""
        await self._local.leave(tenant, seats, who)
        await self._either(
            lambda: self._shared.leave(tenant, seats, who), lambda: self._local.leave(tenant, seats, who)
        )

    async def standing(self) -> LimitsStanding:
        """How everything stands; of this process alone while Redis is away."""
        return await self._either(self._shared.standing, self._local.standing)

    async def reset(self, model: str) -> int:
        """Forget all about a model, here and there."""
        here = await self._local.reset(model)
        return await self._either(lambda: self._shared.reset(model), lambda: self._only(here))

    async def aclose(self) -> None:
        """Close both."""
        await self._local.aclose()
        await self._shared.aclose()

    async def _only(self, value: T) -> T:
        return value

    async def _either(self, shared: Callable[[], Awaitable[T]], local: Callable[[], Awaitable[T]]) -> T:
        if self._away_until is not None and self._clock() < self._away_until:
            return await local()
        try:
            answer = await shared()
        except self._errors as error:
            if self._away_until is None:
                log.warning("Redis is away (%s): this process limits itself by its own memory", type(error).__name__)
            self._away_until = self._clock() + AWAY_S
            return await local()
        if self._away_until is not None:
            log.info("Redis is back: limits are shared again")
            self._away_until = None
        return answer


def as_news(permit: Permit, report: RequestReport) -> tuple[Permit, RequestReport]:
    """A report for the limiter that did not give the permit: what is learnt of the model, and nothing to put back."""
    ended = Ended.UNTOLD if report.ended is Ended.UNSENT else report.ended
    news = report.model_copy(update={"ended": ended, "used_tokens": None})
    return permit.model_copy(update={"tokens": 0}), news
