"""Limits that a whole fleet of workers shares: how fast a model may be asked, and when it must not be asked at all.

Advisory: they keep providers from refusing us. What was asked and answered stands in SQL whatever becomes of them.
"""

from enum import StrEnum
from typing import Annotated, Protocol

from pydantic import Field

from dissolution.values import Frozen

Seconds = Annotated[float, Field(ge=0)]


class Endpoint(Frozen):
    """A model as one account may use it: what limits are counted for. Names only, no key and no secret."""

    model: Annotated[str, Field(min_length=1)]
    account: Annotated[str, Field(min_length=1)]  # whose key: provider, name of the variable, host
    rpm: Annotated[int, Field(ge=1)] | None = None  # requests a minute; None: not limited
    tpm: Annotated[int, Field(ge=1)] | None = None  # tokens a minute; None: not limited

    @property
    def name(self) -> str:
        """Names it among all."""
        return f"{self.model} {self.account}"


class LimitRules(Frozen):
    """When circuits open and for how long accounts are left alone."""

    failures: Annotated[int, Field(ge=1, le=1000)] = 5
    """Failures in a row that open a model's circuit."""

    open_s: Annotated[float, Field(gt=0, le=3600)] = 15.0
    """How long a circuit stays open first (s); twice as long each time the trial fails."""

    longest_open_s: Annotated[float, Field(gt=0, le=86_400)] = 300.0
    """At most so long (s)."""

    account_block_s: Annotated[float, Field(gt=0, le=86_400)] = 300.0
    """How long nobody uses an account whose key or credit was refused (s)."""


class Permit(Frozen):
    """One request may be made, `wait_s` seconds from now: its place in the buckets is taken."""

    id: str
    endpoint: Endpoint
    tokens: Annotated[int, Field(ge=0)]  # as estimated; put right by the report
    wait_s: Seconds = 0.0
    trial: bool = False  # the one request that shows whether a model whose circuit was open is back
    shared: bool = False  # counted for all workers, not for this process alone


class DenialReason(StrEnum):
    """Why a request may not be made."""

    RATE_LIMIT = "rate_limit"  # its turn comes after its deadline
    CIRCUIT = "circuit"  # the model failed several times in a row
    AUTH = "auth"  # the account's key was refused
    BILLING = "billing"  # the account has no credit


class Denial(Frozen):
    """A request may not be made; nothing was taken for it. In `wait_s` seconds it may be."""

    why: DenialReason
    wait_s: Seconds


class Ended(StrEnum):
    """How a request ended, as far as limits care."""

    ANSWERED = "answered"  # the model works, whatever it said
    BROKEN = "broken"  # no connection, a server error, no reply in time
    RATE_LIMITED = "rate_limited"
    AUTH = "auth"
    BILLING = "billing"
    UNTOLD = "untold"  # cancelled, or ended so early that it says nothing
    UNSENT = "unsent"  # never sent


class RequestReport(Frozen):
    """What came of a request."""

    ended: Ended
    used_tokens: Annotated[int, Field(ge=0)] | None = None  # None: not known, the estimate stands
    retry_after_s: Seconds | None = None  # the wait the provider named


class Seats(StrEnum):
    """What one tenant may have only so many of at a time."""

    JOBS = "jobs"  # jobs that ask their fleet
    CALLS = "calls"  # calls in flight


class Circuit(StrEnum):
    """Where a circuit stands."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"  # the next request, or the one in flight, is the trial


class BucketStanding(Frozen):
    """One model's limits at this moment."""

    model: str
    account: str
    rpm: int | None
    tpm: int | None
    requests_free: float | None  # negative: so many are already promised; None: not limited
    tokens_free: float | None
    blocked_s: Seconds  # the provider asked to wait so much longer
    circuit: Circuit
    failures: Annotated[int, Field(ge=0)]  # in a row
    open_s: Seconds  # until the circuit lets a trial through


class BlockStanding(Frozen):
    """An account that nobody uses for a while."""

    account: str
    why: DenialReason
    for_s: Seconds


class SeatStanding(Frozen):
    """How many seats a tenant has taken."""

    tenant: str
    seats: Seats
    taken: Annotated[int, Field(ge=0)]


class LimitsStanding(Frozen):
    """All limits at this moment; those at rest for an hour are left out."""

    shared: bool  # of all workers, not of one process
    buckets: tuple[BucketStanding, ...] = ()
    blocks: tuple[BlockStanding, ...] = ()
    seats: tuple[SeatStanding, ...] = ()


class Limiter(Protocol):
    """Decides when each request may be made. Its adapters pass tests/contract/test_limiter.py."""

    async def take(
        self, endpoint: Endpoint, tokens: int, *, within_s: float, hold_s: float, held: Permit | None = None
    ) -> Permit | Denial:
        """Take the next free place, first come, first served; never waits itself.

        Args:
            endpoint: Who is to be asked.
            tokens: What the request is expected to use.
            within_s: The longest wait that is of use (s); a longer one is denied and takes no place.
            hold_s: The longest the request may take (s); a trial that is not reported on by then is forgotten.
            held: A permit whose wait is over. If nothing has come up meanwhile it is given back with no wait;
                otherwise its place is returned and another one taken, or denied.
        """
        ...

    async def report(self, permit: Permit, report: RequestReport) -> None:
        """Say what came of a permit; every permit is reported on, once."""
        ...

    async def enter(self, tenant: str, seats: Seats, who: str, *, limit: int, hold_s: float) -> bool:
        """Take one of the tenant's seats, for `hold_s` seconds at most; False when all are taken.

        Who has one keeps it, however full it is: a step that died and is run again needs no second seat.
        """
        ...

    async def leave(self, tenant: str, seats: Seats, who: str) -> None:
        """Give a seat back; no error when it is free already."""
        ...

    async def standing(self) -> LimitsStanding:
        """How everything stands."""
        ...

    async def reset(self, model: str) -> int:
        """Forget all about a model and the blocks of its accounts; how many endpoints that were."""
        ...

    async def aclose(self) -> None:
        """Close what it holds open."""
        ...
