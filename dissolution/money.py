"""Money of all jobs together: reserved before anybody is asked, settled from what calls really used."""

from collections.abc import Iterable
from datetime import date, datetime
from decimal import ROUND_UP, Decimal
from typing import Annotated, Protocol

from pydantic import AwareDatetime, Field

from dissolution.answers import MemberCard, MemberKind, Usage
from dissolution.ids import JobId
from dissolution.job import TenantName
from dissolution.values import Frozen

Usd = Annotated[Decimal, Field(ge=0)]

NANO = Decimal(10**9)
"""Amounts are stored in whole billionths of a dollar: a token costs down to fifty of them, and sums stay exact."""


class DayCaps(Frozen):
    """What may be used a day (UTC), reserved amounts included; None: as much as jobs' own caps allow."""

    tenant_day_usd: Usd | None = None  # by one tenant
    day_usd: Usd | None = None  # by all together


class Reservation(Frozen):
    """What one step of a job may still use, and what its calls have used."""

    job: JobId
    stage: str
    tenant: TenantName
    day: date  # UTC; whose caps it counts against
    reserved_usd: Usd  # when it was opened last
    remaining_usd: Usd  # not used yet; 0 once it is closed
    settled_usd: Usd  # used by calls that have landed
    unpriced: Annotated[int, Field(ge=0)]  # calls that have landed and whose cost nobody knows
    opened_at: AwareDatetime
    closed_at: AwareDatetime | None = None


class DaySpending(Frozen):
    """What one tenant, or all together, have used and reserved on one day."""

    tenant: str | None  # None: all together
    day: date
    spent_usd: Usd
    reserved_usd: Usd  # by steps that are at work
    unpriced: Annotated[int, Field(ge=0)]  # calls whose cost nobody knows; their cost is in no figure


class MoneyStore(Protocol):
    """Reservations and what was spent. Every change is inside the unit of work it came from."""

    def reserve(self, job: JobId, stage: str, usd: Decimal, caps: DayCaps, at: datetime) -> Reservation:
        """Reserve what a step is expected to use; what it had reserved before is released first.

        No two reservations can take the same last dollar. When there is no room, what dead steps left reserved is
        released, and only then it is refused.

        Raises NotFound, DayBudgetExceeded.
        """
        ...

    def room(self, tenant: str, usd: Decimal, caps: DayCaps, at: datetime) -> None:
        """Raise DayBudgetExceeded when so much could not be reserved now; nothing is reserved."""
        ...

    def settle(self, job: JobId, stage: str) -> None:
        """Count what the step's landed calls have used as spent; however often it is called, once each.

        No error for a step that reserved nothing: nothing of it is counted.
        """
        ...

    def close(self, job: JobId, at: datetime, stage: str | None = None) -> None:
        """Settle a step, or all of a job's, and release what is left of the reservation."""
        ...

    def release_orphans(self, at: datetime, limit: int = 100) -> int:
        """Close reservations of steps that nobody is at: not running, or under a lease that ran out. How many."""
        ...

    def of_job(self, job: JobId) -> tuple[Reservation, ...]:
        """A job's reservations, by stage."""
        ...

    def days(self, day: date | None = None, tenant: str | None = None) -> tuple[DaySpending, ...]:
        """Spending by day, newest first, then all together before each tenant; of one day or tenant if given."""
        ...


def nano(usd: Decimal) -> int:
    """US dollars as whole billionths, rounded up."""
    return int((usd * NANO).to_integral_value(ROUND_UP))


def usd_of(nanos: int) -> Decimal:
    """Billionths as US dollars."""
    return (Decimal(nanos) / NANO).normalize() + 0


def used(calls: Iterable[tuple[MemberCard, Usage | None]]) -> tuple[int, int]:
    """What replies cost, in billionths of a dollar, and for how many nobody knows it.

    Only language models cost anything: a recording replays the figures of a call that was paid for long ago.
    """
    paid = [usage.cost_usd for card, usage in calls if usage and card.kind is MemberKind.LANGUAGE_MODEL]
    known = [cost for cost in paid if isinstance(cost, Decimal)]
    return nano(sum(known, Decimal(0))), len(paid) - len(known)
