"""Whole jobs against a provider that limits, fails, or wants to be paid: over real HTTP, limits and money included."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from devtools.loopback import LoopbackProvider
from devtools.loopback_spec import LoopbackAct, LoopbackStep, ModelScript, Quota
from dissolution.answers import Call, FailureClass
from dissolution.framing import FramePolicy
from dissolution.job import Job, JobStatus, Lane
from dissolution.limits import Circuit, DenialReason, Limiter, LimitRules, LimitsStanding, Seats
from dissolution.money import DayCaps
from dissolution.policy.job_policy import BudgetPolicy, Policy, QuorumPolicy
from dissolution.settings import Settings
from fleet.chat_member import build_members
from fleet.local_limits import LocalLimiter
from fleet.roster import Roster
from language.tokens import ApproximateTokenCounter
from tests.factories import INSTANT, a_conversation
from tests.integration.providing import providing
from tests.running import Deaths, Killed, running
from triggers.submit import Request, submit
from workers.bootstrap import close_all
from workers.execution.steps import run_step
from workers.pipeline import STAGE_NAMES, first_queues
from workers.runtime.inline import NoBell, run_job
from workers.services import Services

PRICE = {"input_usd": "1", "output_usd": "4"}
ONE = QuorumPolicy(min_members=1, min_families=1, soft_deadline_s=20, hard_deadline_s=20)
NO_REVIEW = FramePolicy(review_families=0)  # these tests count the calls of the fan-out


class Scene:
    """Services whose fleet is a roster of the provider's models."""

    def __init__(self, services: Services) -> None:
        self.services = services

    def enqueued(
        self, policy: Policy | None = None, *, words: str = "We use Postgres.", lane: Lane | None = None
    ) -> Job:
        request = Request(
            conversation=a_conversation(words, "Fine.", name=words[:20]),
            fleet="roster:none",
            policy=policy or Policy(quorum=ONE, frame=NO_REVIEW),
            lane=lane,
        )
        return submit(
            request,
            unit_of_work=self.services.unit_of_work,
            clock=self.services.clock,
            queue=NoBell(),
            stages=STAGE_NAMES,
            ready=None if lane is None else first_queues("extractive", lane),
        ).job

    def ran(self, policy: Policy | None = None, *, words: str = "We use Postgres.") -> Job:
        return run_job(self.services, self.enqueued(policy, words=words).id)

    def calls(self, job: Job) -> dict[str, Call]:
        with self.services.unit_of_work() as work:
            return {call.member.name: call for call in work.jobs.calls(job.id, "fan_out")}

    def failure(self, job: Job, member: str) -> FailureClass | None:
        failed = self.calls(job)[member].failure
        return failed and failed.error_class

    def money(self) -> tuple[Decimal, Decimal]:
        """Spent and reserved by all, on the day of the tests."""
        with self.services.unit_of_work() as work:
            days = work.money.days(INSTANT.date(), "")
        return (days[0].spent_usd, days[0].reserved_usd) if days else (Decimal(0), Decimal(0))

    def standing(self) -> LimitsStanding:
        return self.services.run_async(self.services.limiter.standing())


@contextmanager
def scene(
    folder: Path,
    provider: LoopbackProvider,
    *models: str,
    limiter: Limiter | None = None,
    settings: Mapping[str, object] | None = None,
    **of_member: object,
) -> Generator[Scene]:
    """A roster of these models of the provider, each of a family of its own."""
    form = {"api_base": f"{provider.base_url}/v1", "api_key_env": "THE_KEY", "max_attempts": 1, "price": PRICE}
    members = [{**form, "name": one, "model": f"openai/{one}", "family": one, **of_member} for one in models]
    limiter = limiter or LocalLimiter(LimitRules(failures=2, open_s=60))
    roster = Roster.model_validate({"members": members})
    fleet = build_members(roster, ApproximateTokenCounter(), environ={"THE_KEY": "k" * 20}, limiter=limiter)
    made = Settings.model_validate(
        {"db": f"sqlite:///{folder / 'l.sqlite3'}", "embedder": "hashing", **(settings or {})}
    )
    with running(folder, fleet, made) as services:
        try:
            yield Scene(replace(services, limiter=limiter))
        finally:
            services.run_async(close_all(fleet))


def failing(act: LoopbackAct, times: int = 99, retry_after: str | None = None) -> ModelScript:
    return ModelScript(steps=(LoopbackStep(act=act, times=times, retry_after=retry_after),))


def test_a_wait_the_provider_names_is_kept_by_the_next_job_too(tmp_path: Path) -> None:
    models = {"busy": failing(LoopbackAct.RATE_LIMIT, 1, "3600"), "well": ModelScript()}
    with providing(models) as provider, scene(tmp_path, provider, "busy", "well") as it:
        first, second = it.ran(), it.ran(words="We ship on Friday.")
        assert it.failure(first, "busy") is it.failure(second, "busy") is FailureClass.RATE_LIMIT
        assert provider.served["busy"].requests == 1  # the second job did not even ask
        refused = it.calls(second)["busy"].failure
        assert refused is not None
        assert "leave no room before the deadline" in refused.detail
        assert it.calls(second)["well"].reply


def test_a_quota_that_the_roster_knows_is_never_passed(tmp_path: Path) -> None:
    models = {"small": ModelScript(quota=Quota(requests=1, window_s=3600)), "well": ModelScript()}
    with providing(models) as provider, scene(tmp_path, provider, "small", "well", rpm=1) as it:
        first, *others = [it.ran(words=f"Number {number}.") for number in range(3)]
        assert it.calls(first)["small"].reply
        assert [it.failure(job, "small") for job in others] == [FailureClass.RATE_LIMIT] * 2
        assert provider.served["small"].by_act == {LoopbackAct.ANSWER: 1}  # nobody was sent to be refused


@pytest.mark.parametrize(
    ("act", "why"), [(LoopbackAct.BILLING, DenialReason.BILLING), (LoopbackAct.AUTH, DenialReason.AUTH)]
)
def test_an_account_that_was_refused_is_not_used_again_by_any_model(
    tmp_path: Path, act: LoopbackAct, why: DenialReason
) -> None:
    models = {"first": failing(act), "second": ModelScript()}
    with providing(models) as provider, scene(tmp_path, provider, "first", "second") as it:
        it.ran()
        job = it.ran(words="We ship on Friday.")
        assert provider.served["first"].requests == 1
        assert it.failure(job, "second") is FailureClass(why.value)
        assert [block.why for block in it.standing().blocks] == [why]
        assert job.status is JobStatus.HISTORY_KEPT
        assert job.reason


@pytest.mark.parametrize("act", [LoopbackAct.SERVER_ERROR, LoopbackAct.CUT, LoopbackAct.DROP, LoopbackAct.UNAVAILABLE])
def test_a_model_that_breaks_again_and_again_is_left_alone(tmp_path: Path, act: LoopbackAct) -> None:
    models = {"broken": failing(act), "well": ModelScript()}
    with providing(models) as provider, scene(tmp_path, provider, "broken", "well") as it:
        jobs = [it.ran(words=f"Number {number}.") for number in range(4)]
        assert [it.failure(job, "broken") for job in jobs] == [FailureClass.UNAVAILABLE] * 4
        assert provider.served["broken"].requests == 2
        circuits = {bucket.model: bucket.circuit for bucket in it.standing().buckets}
        assert circuits == {"openai/broken": Circuit.OPEN, "openai/well": Circuit.CLOSED}


def test_what_is_spent_is_what_the_provider_counted_and_nothing_stays_reserved(tmp_path: Path) -> None:
    models = {"one": ModelScript(), "two": ModelScript(), "off": failing(LoopbackAct.SERVER_ERROR)}
    with providing(models) as provider, scene(tmp_path, provider, *models) as it:
        job = it.ran()
        replies = [call.reply for call in it.calls(job).values() if call.reply]
        costs = [reply.usage.cost_usd for reply in replies]
        assert it.money() == (sum(cost for cost in costs if isinstance(cost, Decimal)), 0)
        assert it.money()[0] == sum(served.usd for served in provider.served.values())
        assert len(costs) == 2


def test_a_day_that_is_used_up_ends_the_job_before_anybody_is_asked(tmp_path: Path) -> None:
    caps = {"tenant_day_usd": "0.02"}  # one estimate is 4000 tokens of output at 4 dollars a million: 0.016
    with providing({"one": ModelScript()}) as provider, scene(tmp_path, provider, "one", settings=caps) as it:
        it.ran()
        spent, _ = it.money()
        held = it.enqueued(words="Held by another.")
        with it.services.unit_of_work() as work:
            assert work.jobs.claim(held.id, "fan_out", "somebody", INSTANT, 60)
            work.money.reserve(held.id, "fan_out", Decimal("0.01"), DayCaps(), INSTANT)
            work.commit()
        asked = provider.served["one"].requests
        refused = it.ran(words="We ship on Friday.")
        assert refused.status is JobStatus.HISTORY_KEPT
        assert "over the cap of 0.02" in (refused.reason or "")
        assert provider.served["one"].requests == asked
        assert it.money() == (spent, Decimal("0.01"))


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_crash_between_reservation_and_settlement_loses_and_doubles_no_money(tmp_path: Path, moment: str) -> None:
    with providing({"one": ModelScript()}) as provider:
        died = 0
        # Before each commit; and after some, since what is stored is then the same as before the next one.
        for at in range(1, 30, 1 if moment == "before" else 3):
            folder = tmp_path / f"{moment}-{at}"
            folder.mkdir()
            with scene(folder, provider, "one") as it:
                job = it.enqueued()
                deaths = Deaths(at, moment)
                try:
                    run_job(deaths.around(it.services), job.id)
                except Killed:
                    died += 1
                later = replace(it.services, clock=_Later())
                ended = run_job(later, job.id)
                cost = it.calls(ended)["one"].reply
                assert cost is not None
                assert it.money() == (cost.usage.cost_usd, 0)
                if not deaths.dead:
                    break
        assert died > 5


class _Later:
    """The clock of whoever takes over: every lease has run out."""

    def now(self) -> datetime:
        return INSTANT + timedelta(minutes=30)


def test_a_tenant_with_as_many_jobs_as_it_may_have_waits_in_its_queue(tmp_path: Path) -> None:
    limits = {"tenant_jobs": 1}
    with providing({"one": ModelScript()}) as provider, scene(tmp_path, provider, "one", settings=limits) as it:
        job = it.enqueued(lane=Lane.BATCH)
        limiter, run = it.services.limiter, it.services.run_async
        assert run(limiter.enter("default", Seats.JOBS, "another", limit=1, hold_s=60))
        assert run_step(it.services, job.id, "fan_out")
        with it.services.unit_of_work() as work:
            (step,) = [step for step in work.jobs.steps(job.id) if step.stage == "fan_out"]
        assert (step.status.value, step.attempts) == ("queued", 0)
        assert "tenant 'default'" in (step.reason or "")
        assert provider.served["one"].requests == 0
        run(limiter.leave("default", Seats.JOBS, "another"))
        assert run_step(it.services, job.id, "fan_out")
        assert it.calls(job)["one"].reply
        assert it.standing().seats == ()


def test_calls_of_a_tenant_wait_for_each_other(tmp_path: Path) -> None:
    limits = {"tenant_calls": 1}
    models = {name: ModelScript() for name in ("one", "two", "three")}
    with providing(models) as provider, scene(tmp_path, provider, *models, settings=limits) as it:
        job = it.ran()
        assert all(call.reply for call in it.calls(job).values())
        short = Policy(quorum=ONE.model_copy(update={"soft_deadline_s": 0.3, "hard_deadline_s": 0.3}))
        assert it.services.run_async(it.services.limiter.enter("default", Seats.CALLS, "other", limit=1, hold_s=60))
        late = it.ran(short, words="We ship on Friday.")
        assert {it.failure(late, name) for name in models} <= {FailureClass.RATE_LIMIT, FailureClass.TIMEOUT}


def test_unknown_prices_are_refused_where_the_policy_says_so(tmp_path: Path) -> None:
    strict = Policy(quorum=ONE, budget=BudgetPolicy(allow_unknown_price=False))
    with providing({"one": ModelScript()}) as provider, scene(tmp_path, provider, "one", price=None) as it:
        assert it.ran(strict).status is JobStatus.HISTORY_KEPT
        assert provider.served["one"].requests == 0
        it.ran(words="We ship on Friday.")
        with it.services.unit_of_work() as work:
            assert [day.unpriced for day in work.money.days(INSTANT.date())] == [1, 1]
