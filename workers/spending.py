"""A job's money beside that of all others: checked at submission, reserved before a step asks, settled at its end."""

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from decimal import Decimal

from dissolution.answers import MemberKind, MemberTask, Usage
from dissolution.conversation import Snapshot
from dissolution.errors import MemberWindowExceeded
from dissolution.job import Job
from dissolution.money import DayCaps, DaySpending
from dissolution.policy import Policy
from dissolution.ports import Member
from dissolution.settings import Settings
from dissolution.store_ports import UnitOfWork
from dissolution.values import Frozen
from fleet.budget import Total, check, estimate, total
from workers.naming_members import who_accounts
from workers.rooms import first_asker
from workers.services import Services
from workers.windows import estimate_in_windows


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


def refuse_over_caps(
    services: Services, members: Sequence[Member], snapshot: Snapshot, policy: Policy, tenant: str = "default"
) -> None:
    """Refuse a job that is not stored yet when its estimate is over its own cap or over what is left of the day.

    Nothing is reserved: that is done when its fan-out begins, and checked again.

    Raises BudgetExceeded, DayBudgetExceeded.
    """
    members = paid(members)
    if not members:
        return
    with services.unit_of_work() as work:
        key = work.installation_key()
        work.commit()  # the key may have been made just now
    expected = expected_of(members, snapshot, policy, key)
    check(expected, policy.budget)
    with services.unit_of_work() as work:
        work.money.room(tenant, expected.known_cost_usd, day_caps(services.settings), services.clock.now())


def expected_of(members: Sequence[Member], snapshot: Snapshot, policy: Policy, key: bytes) -> Total:
    """What a first dissolution would use at most; a cycle reads less. Who cannot read the snapshot is left out."""
    asker = first_asker(policy, snapshot, key)
    usages: list[Usage] = []
    for member in who_accounts(policy, members):
        try:
            usages.append(estimate_in_windows(member, snapshot, asker)[1])
        except MemberWindowExceeded:
            continue
    return total(usages)


def spending(services: Services, day: date | None, tenant: str | None) -> Spending:
    """What is spent and reserved, on one day or all, of one tenant or of each and all together."""
    with services.unit_of_work() as work:
        return Spending(caps=day_caps(services.settings), days=work.money.days(day, tenant))


def left(cap: Decimal | None, day: DaySpending) -> Decimal | None:
    """What may still be reserved on a day, 0 or more; None without a cap."""
    return None if cap is None else max(Decimal(0), cap - day.spent_usd - day.reserved_usd)
