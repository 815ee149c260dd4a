"""Reservations and spending, over every adapter; two processes and one last dollar, over the databases."""

import multiprocessing
from datetime import date, datetime, timedelta
from decimal import Decimal
from multiprocessing.queues import Queue

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dissolution.answers import (
    Call,
    FailureClass,
    FinishReason,
    MemberCard,
    MemberFailure,
    MemberKind,
    PromptStamp,
    Reply,
    Usage,
)
from dissolution.errors import DayBudgetExceeded, NotFound
from dissolution.job import Job, JobStatus
from dissolution.money import DayCaps, DaySpending, nano, usd_of
from dissolution.policy.job_policy import Policy
from dissolution.ports.store import UnitOfWorkFactory
from dissolution.values import NotMeasured
from store.sql.unit_of_work import SqlUnitOfWorkFactory, sql_unit_of_work_factory
from tests.factories import INSTANT, a_conversation

TODAY = INSTANT.date()
NO_CAPS = DayCaps()
UNKNOWN = NotMeasured(not_measured="no price")


def usd(text: str) -> Decimal:
    return Decimal(text)


def store_jobs(units: UnitOfWorkFactory, count: int = 1, tenant: str = "ann") -> list[Job]:
    conversation = a_conversation("We use Postgres.", "Fine.", name=f"talk of {tenant}")
    snapshot = conversation.snapshot()
    made = [
        Job(
            id=f"{tenant}-{number}",
            conversation=conversation.id,
            through=snapshot.through,
            snapshot_digest=snapshot.digest,
            fleet="scripted",
            policy=Policy(),
            tenant=tenant,
            created_at=INSTANT,
        )
        for number in range(count)
    ]
    with units() as work:
        work.conversations.extend(conversation)
        for job in made:
            work.jobs.add(job, ("fan_out", "consensus"))
        work.commit()
    return made


def reserve(units: UnitOfWorkFactory, job: Job, amount: str, caps: DayCaps = NO_CAPS, at: datetime = INSTANT) -> None:
    with units() as work:
        work.money.reserve(job.id, "fan_out", usd(amount), caps, at)
        work.commit()


def land(
    units: UnitOfWorkFactory,
    job: Job,
    cost: Decimal | NotMeasured | None,
    *,
    ordinal: int = 0,
    kind: MemberKind = MemberKind.LANGUAGE_MODEL,
) -> None:
    """A call that lands with a reply of this cost, or fails if it is None."""
    card = MemberCard(name="model", family="acme", kind=kind, model="acme/model")
    result: Reply | MemberFailure = MemberFailure(error_class=FailureClass.TIMEOUT, detail="too late")
    if cost is not None:
        usage = Usage(input_tokens=1, cached_input_tokens=0, output_tokens=1, cost_usd=cost)
        result = Reply(text="KNOWN", finish=FinishReason.STOP, usage=usage)
    with units() as work:
        prompt = PromptStamp(name="four_part", version=2, digest="0" * 64)
        call = Call(job=job.id, stage="fan_out", member=card, ordinal=ordinal, prompt=prompt, asked_at=INSTANT)
        work.jobs.begin_call(call)
        work.jobs.land_call(
            job=job.id, stage="fan_out", member="model", ordinal=ordinal, at=INSTANT, result=result, late=False
        )
        work.money.settle(job.id, "fan_out")
        work.commit()


def day(units: UnitOfWorkFactory, tenant: str = "", on: date = TODAY) -> tuple[Decimal, Decimal, int]:
    """Spent, reserved, unpriced."""
    with units() as work:
        (found,) = work.money.days(on, tenant)
    return found.spent_usd, found.reserved_usd, found.unpriced


def test_what_is_reserved_is_settled_by_what_was_used_and_released_at_the_end(units: UnitOfWorkFactory) -> None:
    (job,) = store_jobs(units)
    reserve(units, job, "2")
    assert day(units, "ann") == day(units) == (0, 2, 0)
    land(units, job, usd("0.000000005"))
    land(units, job, usd("0.5"), ordinal=1)
    assert day(units, "ann") == (usd("0.500000005"), usd("1.499999995"), 0)
    with units() as work:
        for _ in range(3):
            work.money.settle(job.id, "fan_out")  # once each, however often
        work.money.close(job.id, INSTANT, "fan_out")
        work.money.close(job.id, INSTANT)
        (held,) = work.money.of_job(job.id)
        work.commit()
    assert day(units) == (usd("0.500000005"), 0, 0)
    assert (held.reserved_usd, held.remaining_usd, held.settled_usd) == (2, 0, usd("0.500000005"))
    assert held.closed_at == INSTANT


@pytest.mark.parametrize("status", [JobStatus.CANCELLED, JobStatus.FAILED])
def test_however_a_job_ends_nothing_stays_reserved_and_late_replies_are_still_counted(
    units: UnitOfWorkFactory, status: JobStatus
) -> None:
    (job,) = store_jobs(units)
    reserve(units, job, "2")
    with units() as work:
        work.jobs.move(job.id, status, INSTANT, "over")
        work.commit()
    assert day(units) == (0, 0, 0)
    land(units, job, usd("0.25"))
    assert day(units) == (usd("0.25"), 0, 0)


def test_more_than_was_reserved_is_counted_in_full(units: UnitOfWorkFactory) -> None:
    (job,) = store_jobs(units)
    reserve(units, job, "1")
    land(units, job, usd("1.5"))
    assert day(units) == (usd("1.5"), 0, 0)


def test_unknown_prices_are_counted_as_unknown_and_failures_and_recordings_not_at_all(units: UnitOfWorkFactory) -> None:
    (job,) = store_jobs(units)
    reserve(units, job, "1")
    land(units, job, UNKNOWN)
    land(units, job, None, ordinal=1)
    land(units, job, usd("9"), ordinal=2, kind=MemberKind.RECORDED)
    assert day(units) == (0, 1, 1)


def test_caps_hold_for_the_tenant_and_for_all(units: UnitOfWorkFactory) -> None:
    first, second = store_jobs(units, 2)
    (other,) = store_jobs(units, tenant="bob")
    caps = DayCaps(tenant_day_usd=usd("3"), day_usd=usd("5"))
    hold(units, first, second, other)
    reserve(units, first, "2", caps)
    with pytest.raises(DayBudgetExceeded) as of_tenant:
        reserve(units, second, "1.000000001", caps)
    assert (of_tenant.value.tenant, of_tenant.value.amount, of_tenant.value.cap) == ("ann", "3.000000001", "3")
    reserve(units, second, "1", caps)  # equal to the cap is allowed
    with pytest.raises(DayBudgetExceeded) as of_all:
        reserve(units, other, "2.5", caps)
    assert (of_all.value.tenant, of_all.value.amount) == ("", "5.5")
    assert day(units, "ann") == (0, 3, 0)
    assert day(units) == (0, 3, 0)  # what was refused took nothing
    with units() as work:
        work.money.room("bob", usd("2"), caps, INSTANT)
        with pytest.raises(DayBudgetExceeded):
            work.money.room("bob", usd("2.1"), caps, INSTANT)
        with pytest.raises(DayBudgetExceeded):
            work.money.room("ann", usd("0.1"), caps, INSTANT)
        work.money.room("ann", usd("3"), caps, INSTANT + timedelta(days=1))


def hold(units: UnitOfWorkFactory, *jobs: Job, lease_s: float = 60) -> None:
    """Somebody is at the first step of each job."""
    with units() as work:
        for job in jobs:
            assert work.jobs.claim(job.id, "fan_out", "worker", INSTANT, lease_s)
        work.commit()


def test_what_dead_steps_left_reserved_is_settled_by_the_next_who_needs_it(units: UnitOfWorkFactory) -> None:
    dead, alive, new = store_jobs(units, 3)
    caps = DayCaps(tenant_day_usd=usd("3"))
    hold(units, dead, lease_s=10)
    hold(units, alive, lease_s=600)
    reserve(units, dead, "1.5", caps)
    reserve(units, alive, "1.5", caps)
    land(units, dead, usd("0.5"))
    later = INSTANT + timedelta(seconds=20)
    with pytest.raises(DayBudgetExceeded):
        reserve(units, new, "1.5", caps, later)  # 0.5 used, 1.5 of the living, and only 1 is free
    reserve(units, new, "1", caps, later)
    assert day(units) == (usd("0.5"), usd("2.5"), 0)
    with units() as work:
        assert [one.closed_at for one in work.money.of_job(dead.id)] == [later]
        assert [one.closed_at for one in work.money.of_job(alive.id)] == [None]


def test_a_relay_releases_what_dead_steps_left(units: UnitOfWorkFactory) -> None:
    dead, alive = store_jobs(units, 2)
    hold(units, alive)
    reserve(units, dead, "1")
    reserve(units, alive, "1")
    with units() as work:
        assert work.money.release_orphans(INSTANT) == 1
        assert work.money.release_orphans(INSTANT) == 0
        work.commit()
    assert day(units) == (0, 1, 0)


def test_a_step_that_runs_again_reserves_anew_on_its_day(units: UnitOfWorkFactory) -> None:
    (job,) = store_jobs(units)
    reserve(units, job, "2")
    land(units, job, usd("0.5"))
    tomorrow = INSTANT + timedelta(days=1)
    reserve(units, job, "1", at=tomorrow)
    assert day(units) == (usd("0.5"), 0, 0)
    assert day(units, on=tomorrow.date()) == (0, 1, 0)
    land(units, job, usd("0.25"), ordinal=1)
    assert day(units, on=tomorrow.date()) == (usd("0.25"), usd("0.75"), 0)
    with units() as work:
        assert [one.day for one in work.money.days(tenant="ann")] == [tomorrow.date(), TODAY]
        assert [one.tenant for one in work.money.days(TODAY)] == [None, "ann"]


def test_nothing_is_settled_where_nothing_was_reserved(units: UnitOfWorkFactory) -> None:
    (job,) = store_jobs(units)
    land(units, job, usd("1"))
    with units() as work:
        assert work.money.days() == ()
        assert work.money.of_job(job.id) == ()
        with pytest.raises(NotFound):
            work.money.reserve("nobody", "fan_out", usd("1"), NO_CAPS, INSTANT)


def test_erasing_a_conversation_keeps_what_the_day_has_cost(units: UnitOfWorkFactory) -> None:
    (job,) = store_jobs(units)
    reserve(units, job, "2")
    land(units, job, usd("0.5"))
    with units() as work:
        work.ledger.erase(job.conversation, INSTANT, actor="ann", reason="asked")
        work.commit()
    assert day(units) == (usd("0.5"), 0, 0)


def race(url: str, job: str, won: "Queue[str]") -> None:
    """One process that wants a dollar, once all are ready."""
    units = sql_unit_of_work_factory(url, busy_timeout_s=30)
    won.put("ready")
    with units() as work:
        try:
            work.money.reserve(job, "fan_out", usd("1"), DayCaps(tenant_day_usd=usd("3.5")), INSTANT)
            work.commit()
        except DayBudgetExceeded:
            won.put("refused")
        else:
            won.put("took")
    units.close()


@pytest.mark.usefixtures("processes")
def test_many_processes_at_once_take_no_more_than_there_is(sql: SqlUnitOfWorkFactory, url: str) -> None:
    jobs = store_jobs(sql, 6)
    hold(sql, *jobs)
    context = multiprocessing.get_context("spawn")
    won: Queue[str] = context.Queue()
    processes = [context.Process(target=race, args=(url, job.id, won)) for job in jobs]
    for process in processes:
        process.start()
    said = sorted(won.get(timeout=90) for _ in range(2 * len(jobs)))
    for process in processes:
        process.join(30)
    assert said == ["ready"] * 6 + ["refused"] * 3 + ["took"] * 3
    assert day(sql) == (0, 3, 0)


@given(st.decimals(min_value=0, max_value=10**6, places=12))
def test_billionths_are_whole_and_never_less_than_the_amount(amount: Decimal) -> None:
    assert 0 <= usd_of(nano(amount)) - amount < usd("0.000000001")
    assert nano(usd_of(nano(amount))) == nano(amount)


def test_figures_are_plain_numbers() -> None:
    assert f"{usd_of(nano(usd('100')))}" == "100"
    assert DaySpending(tenant=None, day=TODAY, spent_usd=usd("1"), reserved_usd=usd("0"), unpriced=0).tenant is None
