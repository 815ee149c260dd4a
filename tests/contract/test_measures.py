"""Measures of both databases: figures worked out by hand, and the same whichever database holds the rows."""

from collections.abc import Sequence
from datetime import timedelta
from decimal import Decimal

import pytest

from dissolution.answers import FailureClass, FinishReason, MemberCard, MemberFailure, MemberKind, Reply, Usage
from dissolution.findings import Verdict
from dissolution.job import JobStatus
from dissolution.measures import BOUNDS_S, CallCount, Durations
from dissolution.money import DayCaps
from dissolution.outbox import Ring
from dissolution.values import NotMeasured
from store.sql.measures import SqlMeasures
from store.sql.unit_of_work import SqlUnitOfWorkFactory
from tests.unit.store.cycles import OPENS, a_cycle, commit
from tests.unit.store.ledgers import STAGES, TALK, a_call, a_job, later

UNKNOWN = NotMeasured(not_measured="the provider named none")


def a_model(name: str) -> MemberCard:
    return MemberCard(name=name, family=name, kind=MemberKind.LANGUAGE_MODEL, model=f"openai/{name}")


def a_reply(tokens: int, usd: str | None) -> Reply:
    cost = UNKNOWN if usd is None else Decimal(usd)
    usage = Usage(input_tokens=tokens, cached_input_tokens=0, output_tokens=UNKNOWN, cost_usd=cost)
    return Reply(text="KNOWN", finish=FinishReason.STOP, usage=usage)


REFUSED = MemberFailure(error_class=FailureClass.RATE_LIMIT, detail="the plan is secret", retry_after_s=UNKNOWN)


def ask(
    sql: SqlUnitOfWorkFactory, job: str, name: str, times: tuple[float, float | None], result: Reply | MemberFailure
) -> None:
    asked, landed = times
    with sql() as work:
        work.jobs.begin_call(a_call(job, a_model(name)).model_copy(update={"asked_at": later(asked)}))
        if landed is not None:
            work.jobs.land_call(
                job=job, stage="fan_out", member=name, ordinal=0, at=later(landed), result=result, late=landed > 30
            )
        work.commit()


def store(sql: SqlUnitOfWorkFactory, names: Sequence[str]) -> None:
    with sql() as work:
        work.conversations.extend(TALK)
        for name in names:
            work.jobs.add(a_job(name, TALK), STAGES)
        work.commit()


def run(sql: SqlUnitOfWorkFactory, job: str, stage: str, start: float, end: float) -> None:
    with sql() as work:
        lease = work.jobs.claim(job, stage, "w", later(start), 60)
        assert lease is not None
        work.jobs.complete(lease, later(end), "{}")
        work.commit()


def up_to(*took: float) -> Durations:
    """What these durations are counted as."""
    classes = tuple(sum(one <= bound for one in took) for bound in BOUNDS_S)
    return Durations(count=len(took), sum_s=sum(took), up_to=classes)


def test_an_empty_database_has_nothing_to_tell(sql: SqlUnitOfWorkFactory) -> None:
    found = SqlMeasures(sql.engine).read(later(0))
    assert (found.jobs, found.queues, found.calls, found.stages, found.verdicts) == ({}, (), (), {}, {})
    assert (found.quorum, found.oldest_step_at) == (up_to(), None)
    assert (found.spent_usd, found.reserved_usd, found.unpriced_calls, found.dead_steps) == (0, 0, 0, 0)


def test_calls_are_counted_by_model_and_outcome_with_what_is_known_of_their_use(sql: SqlUnitOfWorkFactory) -> None:
    store(sql, ["j1", "j2"])
    ask(sql, "j1", "a", (0, 1), a_reply(10, "0.25"))
    ask(sql, "j2", "a", (0, 2), a_reply(30, None))
    ask(sql, "j1", "b", (0, 1), REFUSED)
    ask(sql, "j1", "c", (0, None), REFUSED)
    assert SqlMeasures(sql.engine).read(later(9)).calls == (
        CallCount(model="openai/a", outcome="stop", calls=2, input_tokens=40, output_tokens=0, usd=0.25),
        CallCount(model="openai/b", outcome="rate_limit", calls=1, input_tokens=0, output_tokens=0, usd=0),
        CallCount(model="openai/c", outcome="in_flight", calls=1, input_tokens=0, output_tokens=0, usd=0),
    )


def test_a_quorum_took_until_the_last_answer_that_counted(sql: SqlUnitOfWorkFactory) -> None:
    store(sql, ["j1", "j2", "j3"])
    for job, seconds in (("j1", 2.0), ("j2", 20.0)):
        ask(sql, job, "a", (0, 1), a_reply(1, None))
        ask(sql, job, "b", (0.5, seconds), a_reply(1, None))
        ask(sql, job, "c", (0.5, 25), REFUSED)
        ask(sql, job, "d", (0.5, 31), a_reply(1, None))  # late
        run(sql, job, "fan_out", 0, 40)
    ask(sql, "j3", "a", (0, 1), a_reply(1, None))  # at work still
    found = SqlMeasures(sql.engine).read(later(50))
    assert found.quorum.count == 2
    assert found.quorum.sum_s == pytest.approx(22.0, abs=0.01)
    assert found.quorum.up_to == up_to(2.0, 20.0).up_to
    assert list(found.stages) == ["fan_out"]
    assert found.stages["fan_out"].sum_s == pytest.approx(80.0, abs=0.01)


def test_jobs_steps_and_verdicts_are_counted(sql: SqlUnitOfWorkFactory) -> None:
    commit(sql, a_cycle("j1", None, (OPENS,)), 0, 1)
    with sql() as work:
        for name in ("j2", "j3"):
            work.jobs.add(a_job(name, TALK), STAGES)
        work.jobs.move("j2", JobStatus.RUNNING, later(2))
        refused = work.jobs.claim("j2", "fan_out", "w", later(2), 60)
        assert refused is not None
        work.jobs.bury(refused, later(3), "quorum_not_met")  # the stated reason of its end, and nothing to mend
        work.jobs.move("j2", JobStatus.HISTORY_KEPT, later(3), "quorum_not_met")
        work.outbox.put(Ring(job="j3", stage="fan_out", queue="q1"), later(4), later(4))
        work.outbox.put(Ring(job="j3", stage="parse", queue="q2"), later(5), later(5))
        lease = work.jobs.claim("j3", "fan_out", "w", later(6), 60)
        assert lease is not None
        work.jobs.record("j3", later(6), "lease_ran_out", "fan_out")
        work.jobs.bury(lease, later(7), "poison")
        work.commit()
    found = SqlMeasures(sql.engine).read(later(10))
    assert found.jobs[JobStatus.HISTORY_KEPT] == 1
    assert found.verdicts == {Verdict.COMMIT_DEGRADED: 1, Verdict.KEEP_HISTORY: 1}
    assert found.oldest_step_at == later(4)
    assert (found.dead_steps, found.leases_ran_out) == (1, 1)
    assert SqlMeasures(sql.engine).jobs_with_dead_steps(5) == ("j3",)
    assert [(one.queue, one.waiting) for one in found.queues] == [("q1", 0), ("q2", 1)]


def test_money_is_that_of_all_tenants_together(sql: SqlUnitOfWorkFactory) -> None:
    store(sql, ["j1", "j2"])
    with sql() as work:
        for name in ("j1", "j2"):
            work.money.reserve(name, "fan_out", Decimal("1.5"), DayCaps(), later(0))
        work.commit()
    ask(sql, "j1", "a", (0, 1), a_reply(10, "0.25"))
    ask(sql, "j1", "b", (0, 1), a_reply(10, None))
    with sql() as work:
        work.money.close("j1", later(2), "fan_out")
        work.commit()
    found = SqlMeasures(sql.engine).read(later(3))
    assert (found.spent_usd, found.spent_today_usd, found.reserved_usd) == (0.25, 0.25, 1.5)
    assert found.unpriced_calls == 1
    tomorrow = SqlMeasures(sql.engine).read(later(0) + timedelta(days=1))
    assert (tomorrow.spent_usd, tomorrow.spent_today_usd) == (0.25, 0)


def test_a_reading_holds_nothing_and_writes_nothing(sql: SqlUnitOfWorkFactory) -> None:
    store(sql, ["j1"])
    reader = SqlMeasures(sql.engine)
    before = reader.read(later(1))
    assert reader.read(later(1)) == before
    with sql() as work:
        assert work.jobs.claim("j1", "fan_out", "w", later(2), 60) is not None, "nobody else holds the rows"
        work.commit()
    assert abs(reader.clock().timestamp() - reader.clock().timestamp()) < 5
