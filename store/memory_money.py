"""Money in memory; see `store.sql.money` for what each method promises."""

from datetime import date, datetime
from decimal import Decimal

from dissolution.errors import DayBudgetExceeded, NotFound
from dissolution.ids import JobId
from dissolution.job import StepStatus
from dissolution.money import DayCaps, DaySpending, Reservation, nano, usd_of, used
from store.memory_state import State
from store.sql.money import ALL, ORPHANS, exceeded
from store.tables.columns import utc


class MemoryMoney:
    """Reservations and spending in one unit of work."""

    def __init__(self, state: State) -> None:
        self._state = state

    def reserve(self, job: JobId, stage: str, usd: Decimal, caps: DayCaps, at: datetime) -> Reservation:
        """Reserve what a step is expected to use. Raises NotFound, DayBudgetExceeded."""
        now, amount = utc(at), usd_of(nano(usd))
        if job not in self._state.jobs:
            kind = "job"
            raise NotFound(kind, job)
        tenant, before = self._state.jobs[job].tenant, self._state.reservations.get((job, stage))
        if before is not None:
            self._book(before.tenant, before.day, reserved=-before.remaining_usd)
        full = self._full(tenant, now.date(), amount, caps)
        if full is not None and self.release_orphans(now):
            full = self._full(tenant, now.date(), amount, caps)
        if full is not None:
            raise full
        self._book(tenant, now.date(), reserved=amount)
        made = Reservation(
            job=job,
            stage=stage,
            tenant=tenant,
            day=now.date(),
            reserved_usd=amount,
            remaining_usd=amount,
            settled_usd=before.settled_usd if before else Decimal(0),
            unpriced=before.unpriced if before else 0,
            opened_at=now,
        )
        self._state.reservations[job, stage] = made
        return made

    def room(self, tenant: str, usd: Decimal, caps: DayCaps, at: datetime) -> None:
        """Raise DayBudgetExceeded when so much could not be reserved now."""
        full = self._full(tenant, utc(at).date(), usd_of(nano(usd)), caps)
        if full is not None:
            raise full

    def settle(self, job: JobId, stage: str) -> None:
        """Count what the step's landed calls have used as spent."""
        held = self._state.reservations.get((job, stage))
        if held is None:
            return
        calls = [call for key, call in self._state.calls.items() if key[:2] == (job, stage)]
        cost, unpriced = used((call.member, call.reply.usage if call.reply else None) for call in calls)
        more = usd_of(cost) - held.settled_usd
        release = min(held.remaining_usd, max(more, Decimal(0)))
        self._book(held.tenant, held.day, spent=more, reserved=-release, unpriced=unpriced - held.unpriced)
        changes = {"settled_usd": usd_of(cost), "remaining_usd": held.remaining_usd - release, "unpriced": unpriced}
        self._state.reservations[job, stage] = held.model_copy(update=changes)

    def close(self, job: JobId, at: datetime, stage: str | None = None) -> None:
        """Settle a step, or all of a job's, and release what is left of the reservation."""
        for key, held in tuple(self._state.reservations.items()):
            if key[0] == job and stage in {None, key[1]} and held.closed_at is None:
                self.settle(*key)
                settled = self._state.reservations[key]
                self._book(settled.tenant, settled.day, reserved=-settled.remaining_usd)
                changes = {"remaining_usd": Decimal(0), "closed_at": utc(at)}
                self._state.reservations[key] = settled.model_copy(update=changes)

    def release_orphans(self, at: datetime, limit: int = ORPHANS) -> int:
        """Close reservations of steps that nobody is at; how many that were."""
        open_ = [held for held in self._state.reservations.values() if held.closed_at is None]
        left = sorted((held for held in open_ if not self._is_held(held, utc(at))), key=lambda held: held.opened_at)
        for held in left[:limit]:
            self.close(held.job, at, held.stage)
        return len(left[:limit])

    def of_job(self, job: JobId) -> tuple[Reservation, ...]:
        """A job's reservations, by stage."""
        return tuple(held for key, held in sorted(self._state.reservations.items()) if key[0] == job)

    def days(self, day: date | None = None, tenant: str | None = None) -> tuple[DaySpending, ...]:
        """Spending by day, newest first, then all together before each tenant; of one day or tenant if given."""
        chosen = [one for one in self._state.spending.values() if day in {None, one.day}]
        wanted = [one for one in chosen if tenant is None or (one.tenant or ALL) == tenant]
        return tuple(sorted(wanted, key=lambda one: (-one.day.toordinal(), one.tenant or ALL)))

    def _full(self, tenant: str, day: date, amount: Decimal, caps: DayCaps) -> DayBudgetExceeded | None:
        for name, cap in ((tenant, caps.tenant_day_usd), (ALL, caps.day_usd)):
            found = self._state.spending.get((day, name))
            total = amount + (found.spent_usd + found.reserved_usd if found else 0)
            if cap is not None and total > cap:
                return exceeded(name, day, nano(total), cap)
        return None

    def _is_held(self, held: Reservation, now: datetime) -> bool:
        step = self._state.steps[held.job, held.stage]
        return step.status is StepStatus.RUNNING and step.lease_until is not None and step.lease_until > now

    def _book(
        self, tenant: str, day: date, *, spent: Decimal = Decimal(0), reserved: Decimal = Decimal(0), unpriced: int = 0
    ) -> None:
        for name in (tenant, ALL):
            nothing = DaySpending(
                tenant=name or None, day=day, spent_usd=Decimal(0), reserved_usd=Decimal(0), unpriced=0
            )
            before = self._state.spending.get((day, name), nothing)
            changes = {
                "spent_usd": before.spent_usd + spent,
                "reserved_usd": before.reserved_usd + reserved,
                "unpriced": before.unpriced + unpriced,
            }
            self._state.spending[day, name] = before.model_copy(update=changes)
