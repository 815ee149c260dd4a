"""A job's money beside that of all others: reserved before a step asks, settled at its end."""

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from decimal import Decimal

from dissolution.answers import MemberKind, MemberTask
from dissolution.job import Job
from dissolution.money import DayCaps, DaySpending
from dissolution.ports.models import Member
from dissolution.ports.store import UnitOfWork
from dissolution.settings import Settings
from dissolution.values import Frozen
from fleet.budget import estimate
from workers.services import Services


class Spending(Frozen):
    """What is spent and reserved, and what caps there are."""

    caps: DayCaps
    days: tuple[DaySpending, ...]


def day_caps(settings: Settings) -> DayCaps:
    """The caps of the settings."""
    return DayCaps(tenant_day_usd=settings.tenant_day_usd, day_usd=settings.day_usd)


def paid(members: Iterable[Member]) -> list[Member]:
    """The members that cost anything."""
    return [member for member in members if member.card.kind is MemberKind.LANGUAGE_MODEL]


def reserve(services: Services, job: Job, stage: str, asked: Sequence[Member], task: MemberTask) -> None:
    """Reserve what asking these members is expected to use; nothing when none of them costs anything.

    The known part of the estimate counts, up to the job's own cap, which the guard before each call holds.

    Raises DayBudgetExceeded.
    """
    members = paid(asked)
    if not members:
        return
    usd = min(estimate(members, task).known_cost_usd, job.policy.budget.max_usd)
    with services.unit_of_work() as work:
        work.money.reserve(job.id, stage, usd, day_caps(services.settings), services.clock.now())
        work.commit()


def closing(services: Services, job: Job, stage: str) -> Callable[[UnitOfWork], None]:
    """What ends a stage's reservation, in the transaction that completes its step."""
    return lambda work: work.money.close(job.id, services.clock.now(), stage)


def spending(services: Services, day: date | None, tenant: str | None) -> Spending:
    """What is spent and reserved, on one day or all, of one tenant or of each and all together."""
    with services.unit_of_work() as work:
        return Spending(caps=day_caps(services.settings), days=work.money.days(day, tenant))


def left(cap: Decimal | None, day: DaySpending) -> Decimal | None:
    """What may still be reserved on a day, 0 or more; None without a cap."""
    return None if cap is None else max(Decimal(0), cap - day.spent_usd - day.reserved_usd)
