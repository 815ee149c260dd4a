"""Money over SQL: each change is a conditional update, so that two jobs at once cannot take the same last dollar."""

from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, and_, exists, literal, select, update
from sqlalchemy.dialects import postgresql, sqlite

from dissolution.errors import DayBudgetExceeded, NotFound
from dissolution.ids import JobId
from dissolution.job import StepStatus
from dissolution.money import DayCaps, DaySpending, Reservation, nano, usd_of, used
from store.sql.rows import Seeing, insert_if_absent
from store.tables import jobs as tables
from store.tables.columns import utc
from store.tables.money import reservations, spending

ALL = ""
"""Stands for all tenants together, where a tenant's name stands; no tenant's is empty."""

NO_CAPS = DayCaps()

ORPHANS = 100
"""Reservations of dead steps that are released in one go."""


class SqlMoney(Seeing):
    """Reservations and spending in one transaction.

    Rows are always locked in this order: a reservation, its tenant's day, everybody's day.
    """

    def reserve(self, job: JobId, stage: str, usd: Decimal, caps: DayCaps, at: datetime) -> Reservation:
        """Reserve what a step is expected to use (see the port). Raises NotFound, DayBudgetExceeded."""
        self._seen.settled.discard(job)
        now, wanted = utc(at), nano(usd)
        amounts = {"reserved_nano_usd": wanted, "remaining_nano_usd": wanted}
        made = self._made(job, stage, now, amounts)
        if made is None:
            row = self._locked(job, stage)
            if row is None:
                kind = "job"
                raise NotFound(kind, job)
            self._book(row.tenant, row.day, reserved=-row.remaining_nano_usd)
            made = self._change(job, stage, {**amounts, "day": now.date(), "opened_at": now, "closed_at": None})
        self._take(made, now, wanted, caps)
        return _read(made)

    def _made(self, job: JobId, stage: str, now: datetime, amounts: Mapping[str, int]) -> Row[Any] | None:
        """The row of a step that had reserved nothing before, with its job's tenant; None for any other."""
        make = postgresql.insert if self._connection.dialect.name == "postgresql" else sqlite.insert
        new = {"day": now.date(), "settled_nano_usd": 0, "unpriced": 0, "opened_at": now, **amounts}
        given = [literal(value, reservations.c[name].type) for name, value in new.items()]
        jobs = tables.jobs
        rows = select(jobs.c.id, literal(stage, reservations.c.stage.type), jobs.c.tenant, *given).where(
            jobs.c.id == job
        )
        adding = make(reservations).from_select(["job", "stage", "tenant", *new], rows)
        return self._connection.execute(adding.on_conflict_do_nothing().returning(*reservations.c)).one_or_none()

    def _take(self, row: Row[Any], now: datetime, wanted: int, caps: DayCaps) -> None:
        """Add to what is reserved, of the tenant and of all, where the caps allow both."""
        full = self._full(row.tenant, now, wanted, caps)
        if full is not None:
            nothing = {"day": now.date(), "spent_nano_usd": 0, "reserved_nano_usd": 0, "unpriced": 0}
            # The day's rows are made by who finds none: else somebody has reached a cap, and orphans may stand in it.
            insert_if_absent(self._connection, spending, *({**nothing, "tenant": name} for name in (row.tenant, ALL)))
            full = self._full(row.tenant, now, wanted, caps)
        if full is not None:
            self._release_orphans(now, ORPHANS, but=row)
            full = self._full(row.tenant, now, wanted, caps)
        if full is not None:
            raise full

    def _full(self, tenant: str, now: datetime, wanted: int, caps: DayCaps) -> DayBudgetExceeded | None:
        """Reserve under both caps and return None, or reserve nothing and return which cap is in the way."""
        if caps == NO_CAPS:
            if self._book(tenant, now.date(), reserved=wanted) == len((tenant, ALL)):
                return None
            self._book(tenant, now.date(), reserved=-wanted)  # one of the day's rows is not there yet
            return exceeded(tenant, now.date(), wanted, None)
        taken: list[str] = []
        for name, cap in ((tenant, caps.tenant_day_usd), (ALL, caps.day_usd)):
            row = and_(spending.c.day == now.date(), spending.c.tenant == name)
            sum_ = spending.c.spent_nano_usd + spending.c.reserved_nano_usd + wanted
            fits = row if cap is None else and_(row, sum_ <= nano(cap))
            added = {"reserved_nano_usd": spending.c.reserved_nano_usd + wanted}
            if self._connection.execute(update(spending).where(fits).values(added)).rowcount == 0:
                for before in taken:
                    self._add(before, now.date(), reserved=-wanted)
                amount = self._connection.scalar(select(sum_).where(row)) or wanted
                return exceeded(name, now.date(), amount, cap)
            taken.append(name)
        return None

    def room(self, tenant: str, usd: Decimal, caps: DayCaps, at: datetime) -> None:
        """Raise DayBudgetExceeded when so much could not be reserved now; nothing is reserved."""
        now, wanted = utc(at), nano(usd)
        for name, cap in ((tenant, caps.tenant_day_usd), (ALL, caps.day_usd)):
            found = self.days(now.date(), name)
            amount = wanted + sum(nano(one.spent_usd + one.reserved_usd) for one in found)
            if cap is not None and amount > nano(cap):
                raise exceeded(name, now.date(), amount, cap)

    def settle(self, job: JobId, stage: str) -> None:
        """Count what the step's landed calls have used as spent (see the port)."""
        row = self._locked(job, stage)
        if row is not None:
            self._settle(row)

    def close(self, job: JobId, at: datetime, stage: str | None = None) -> None:
        """Settle a step, or all of a job's, and release what is left of the reservation."""
        if stage is None and job in self._seen.settled:
            return
        of = reservations.c.job == job if stage is None else _at(job, stage)
        open_ = and_(of, reservations.c.closed_at.is_(None))
        query = select(reservations).where(open_).order_by(reservations.c.stage).with_for_update()
        for row in self._connection.execute(query).all():
            self._close(row, utc(at))

    def release_orphans(self, at: datetime, limit: int = ORPHANS) -> int:
        """Close reservations of steps that nobody is at; how many that were."""
        return self._release_orphans(at, limit)

    def _release_orphans(self, at: datetime, limit: int, but: Row[Any] | None = None) -> int:
        """As `release_orphans`, but for one reservation: somebody is at it now."""
        now, steps = utc(at), tables.steps
        held = and_(steps.c.status == StepStatus.RUNNING.value, steps.c.lease_until > now)
        mine = and_(steps.c.job == reservations.c.job, steps.c.stage == reservations.c.stage)
        left = and_(reservations.c.closed_at.is_(None), ~exists().where(mine, held))
        left = left if but is None else and_(left, ~_at(but.job, but.stage))
        query = select(reservations).where(left).order_by(reservations.c.opened_at).limit(limit)
        # Rows that somebody else settles at this moment are no orphans, and waiting for them might never end.
        rows = self._connection.execute(query.with_for_update(skip_locked=True)).all()
        for row in rows:
            self._close(row, now)
        return len(rows)

    def of_job(self, job: JobId) -> tuple[Reservation, ...]:
        """A job's reservations, by stage."""
        query = select(reservations).where(reservations.c.job == job).order_by(reservations.c.stage)
        rows = self._connection.execute(query).all()
        if job in self._seen.locked and all(row.closed_at is not None for row in rows):
            self._seen.settled.add(job)  # its steps cannot begin beside us, and nobody else reserves for it
        return tuple(map(_read, rows))

    def days(self, day: date | None = None, tenant: str | None = None) -> tuple[DaySpending, ...]:
        """Spending by day, newest first, then all together before each tenant; of one day or tenant if given."""
        query: Select[Any] = select(spending).order_by(spending.c.day.desc(), spending.c.tenant)
        query = query if day is None else query.where(spending.c.day == day)
        query = query if tenant is None else query.where(spending.c.tenant == tenant)
        return tuple(
            DaySpending(
                tenant=row.tenant or None,
                day=row.day,
                spent_usd=usd_of(row.spent_nano_usd),
                reserved_usd=usd_of(row.reserved_nano_usd),
                unpriced=row.unpriced,
            )
            for row in self._connection.execute(query)
        )

    def _settle(self, row: Row[Any], closed_at: datetime | None = None) -> None:
        """Bring a locked reservation up to its landed calls, and release what is left of it where it is closed."""
        calls = tables.calls
        landed = select(calls.c.card, calls.c.usage).where(calls.c.job == row.job, calls.c.stage == row.stage)
        cost, unpriced = used((card, usage) for card, usage in self._connection.execute(landed))
        more = cost - row.settled_nano_usd
        release = row.remaining_nano_usd if closed_at else min(row.remaining_nano_usd, max(more, 0))
        self._book(row.tenant, row.day, spent=more, reserved=-release, unpriced=unpriced - row.unpriced)
        if closed_at or more or unpriced != row.unpriced:
            remaining = row.remaining_nano_usd - release
            values = {"settled_nano_usd": cost, "remaining_nano_usd": remaining, "unpriced": unpriced}
            self._change(row.job, row.stage, values | ({"closed_at": closed_at} if closed_at else {}))

    def _close(self, row: Row[Any], now: datetime) -> None:
        self._settle(row, now)

    def _locked(self, job: JobId, stage: str) -> Row[Any] | None:
        query = select(reservations).where(_at(job, stage)).with_for_update()
        return self._connection.execute(query).one_or_none()

    def _change(self, job: JobId, stage: str, values: Mapping[str, object]) -> Row[Any]:
        changing = update(reservations).where(_at(job, stage)).values(values).returning(*reservations.c)
        return self._connection.execute(changing).one()

    def _book(self, tenant: str, day: date, *, spent: int = 0, reserved: int = 0, unpriced: int = 0) -> int:
        """Add to a day of the tenant and of all, in one statement; to how many of the two, those that are there."""
        both = and_(spending.c.day == day, spending.c.tenant.in_((tenant, ALL)))
        if not (spent or reserved or unpriced):
            return len(self._connection.execute(select(spending.c.tenant).where(both)).all())
        locked = select(spending.c.tenant).where(both).order_by(spending.c.tenant.desc()).with_for_update()  # ALL last
        rows = and_(spending.c.day == day, spending.c.tenant.in_(locked))
        values = added(spent=spent, reserved=reserved, unpriced=unpriced)
        return self._connection.execute(update(spending).where(rows).values(values)).rowcount

    def _add(self, tenant: str, day: date, *, reserved: int) -> None:
        row = and_(spending.c.day == day, spending.c.tenant == tenant)
        self._connection.execute(update(spending).where(row).values(added(reserved=reserved)))


def added(*, spent: int = 0, reserved: int = 0, unpriced: int = 0) -> dict[str, ColumnElement[int]]:
    """The columns of a day with so much more in them."""
    amounts = {"spent_nano_usd": spent, "reserved_nano_usd": reserved, "unpriced": unpriced}
    return {name: spending.c[name] + amount for name, amount in amounts.items() if amount}


def exceeded(tenant: str, day: date, amount: int, cap: Decimal | None) -> DayBudgetExceeded:
    """The error for a day's cap that is in the way; `tenant` is empty for that of all together."""
    return DayBudgetExceeded(tenant, day.isoformat(), f"{usd_of(amount):f}", f"{cap or Decimal(0):f}")


def _at(job: JobId, stage: str) -> ColumnElement[bool]:
    return and_(reservations.c.job == job, reservations.c.stage == stage)


def _read(row: Row[Any]) -> Reservation:
    return Reservation(
        job=row.job,
        stage=row.stage,
        tenant=row.tenant,
        day=row.day,
        reserved_usd=usd_of(row.reserved_nano_usd),
        remaining_usd=usd_of(row.remaining_nano_usd),
        settled_usd=usd_of(row.settled_nano_usd),
        unpriced=row.unpriced,
        opened_at=row.opened_at,
        closed_at=row.closed_at,
    )
