"""The Limiter port's own suite: over this process's memory, over a real Redis, and over both with Redis there."""

import asyncio
import multiprocessing
import time
from collections.abc import Callable, Coroutine, Iterator
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier
from typing import Any, TypeVar
from unittest.mock import patch

import pytest
from pydantic import SecretStr

from dissolution.limits import (
    Circuit,
    Denial,
    DenialReason,
    Ended,
    Endpoint,
    Limiter,
    LimitRules,
    Permit,
    RequestReport,
    Seats,
)
from dissolution.settings import Settings
from fleet.local_limits import LocalLimiter
from tests.contract.redis_server import a_redis
from tests.polling import LONGEST_S
from workers.redis import queue_state as doorbell
from workers.redis import shared_limits
from workers.redis.fallback_limits import FallbackLimiter
from workers.redis.queue_state import async_redis_client, away, redis_client
from workers.redis.server import RedisServer
from workers.redis.shared_limits import SharedLimiter

T = TypeVar("T")
RULES = LimitRules(failures=3, open_s=10, longest_open_s=40, account_block_s=60)
SLOW = Endpoint(model="acme/large", account="acme:ACME_KEY", rpm=12, tpm=6000)  # 2 requests and 1000 tokens at once
FREE = Endpoint(model="acme/free", account="acme:ACME_KEY")
OTHER = Endpoint(model="other/large", account="other:OTHER_KEY")
REQUEST_S = 60 / 11  # one request of 12 a minute, with 2 at once: (12 - 2 + 1) / 60 a second
NEAR = 0.001  # what is lost where instants are written as text (s)
CLOCK = "test.clock"  # the key from which scripts read the time while a test holds it still


class Subject:
    """A limiter whose time can be moved on."""

    def __init__(self, make: Callable[[], Limiter], advance: Callable[[float], None]) -> None:
        self.make = make
        self.advance = advance

    def run(self, story: Callable[[Limiter], Coroutine[Any, Any, T]]) -> T:
        async def told() -> T:
            limiter = self.make()
            try:
                return await story(limiter)
            finally:
                await limiter.aclose()

        return asyncio.run(told())


@pytest.fixture(scope="module")
def redis(processes: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with a_redis(tmp_path_factory.mktemp("redis")) as server:
        yield server


def settings_of(server: RedisServer) -> Settings:
    return Settings(redis_url=server.url)


def raw(server: RedisServer) -> Any:  # noqa: ANN401 - redis-py's own types are partly unknown
    """A plain client."""
    return redis_client(settings_of(server))


def holding_time(text: str) -> str:
    """A script that reads the time from a key: a busy machine takes as long as it likes between two questions."""
    told = "redis.call('TIME')"
    assert told in text
    return text.replace(told, f"{{redis.call('GET', '{CLOCK}'), '0'}}")


@pytest.fixture(
    params=("local", pytest.param("redis", marks=pytest.mark.slow), pytest.param("fallback", marks=pytest.mark.slow))
)
def subject(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Subject]:
    now = [1000.0]

    def advance(seconds: float) -> None:
        now[0] += seconds

    if request.param == "local":
        yield Subject(lambda: LocalLimiter(RULES, clock=lambda: now[0]), advance)
        return
    server: RedisServer = request.getfixturevalue("redis")
    client = raw(server)
    client.flushall()
    client.set(CLOCK, now[0])
    whole = shared_limits.script

    def held(name: str) -> str:
        return holding_time(whole(name))

    monkeypatch.setattr(shared_limits, "script", held)

    def advance_redis(seconds: float) -> None:
        advance(seconds)
        client.set(CLOCK, now[0])

    def make() -> Limiter:
        shared = SharedLimiter(async_redis_client(settings_of(server)), RULES)
        return shared if request.param == "redis" else FallbackLimiter(shared, LocalLimiter(RULES), away=away())

    yield Subject(make, advance_redis)
    client.close()


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Redis on a busy machine may take longer than the second after which a fleet does without it."""
    monkeypatch.setattr(doorbell, "LIMITS_TIMEOUT_S", LONGEST_S)
    monkeypatch.setattr(doorbell, "REPLY_TIMEOUT_S", LONGEST_S)


async def take(limiter: Limiter, endpoint: Endpoint = SLOW, tokens: int = 0, within_s: float = 600) -> Permit | Denial:
    return await limiter.take(endpoint, tokens, within_s=within_s, hold_s=30)


async def permitted(limiter: Limiter, endpoint: Endpoint = SLOW, tokens: int = 0, within_s: float = 600) -> Permit:
    answer = await take(limiter, endpoint, tokens, within_s)
    assert isinstance(answer, Permit), answer
    return answer


async def denied(limiter: Limiter, endpoint: Endpoint = SLOW, tokens: int = 0, within_s: float = 600) -> Denial:
    answer = await take(limiter, endpoint, tokens, within_s)
    assert isinstance(answer, Denial), answer
    return answer


async def ends(limiter: Limiter, ended: Ended, endpoint: Endpoint = FREE, retry_after_s: float | None = None) -> Permit:
    permit = await permitted(limiter, endpoint)
    await limiter.report(permit, RequestReport(ended=ended, retry_after_s=retry_after_s))
    return permit


def test_a_burst_goes_at_once_and_the_rest_in_turn(subject: Subject) -> None:
    async def story(limiter: Limiter) -> list[float]:
        return [(await permitted(limiter)).wait_s for _ in range(5)]

    waits = subject.run(story)
    assert waits[:2] == [0, 0]
    assert waits[2:] == pytest.approx([REQUEST_S, 2 * REQUEST_S, 3 * REQUEST_S], abs=NEAR)


def test_tokens_are_taken_as_estimated_and_put_right_by_what_was_used(subject: Subject) -> None:
    async def story(limiter: Limiter) -> None:
        first = await permitted(limiter, tokens=1000)
        assert (await denied(limiter, tokens=1000, within_s=5)).why is DenialReason.RATE_LIMIT
        await limiter.report(first, RequestReport(ended=Ended.ANSWERED, used_tokens=100))
        second = await permitted(limiter, tokens=900, within_s=NEAR)
        await limiter.report(second, RequestReport(ended=Ended.ANSWERED, used_tokens=1900))
        bucket = (await limiter.standing()).buckets[0]
        assert bucket.tokens_free == pytest.approx(-1000, abs=60)

    subject.run(story)


def test_one_call_above_the_burst_passes_alone_and_later_ones_pay_for_it(subject: Subject) -> None:
    async def story(limiter: Limiter) -> None:
        assert (await permitted(limiter, tokens=5000)).wait_s == 0
        after = await permitted(limiter, tokens=1)
        assert after.wait_s == pytest.approx(4001 * 60 / 5001, abs=NEAR)

    subject.run(story)


def test_a_denied_request_takes_no_place(subject: Subject) -> None:
    async def story(limiter: Limiter) -> None:
        for _ in range(2):
            await permitted(limiter)
        for _ in range(20):
            denial = await denied(limiter, within_s=1)
            assert denial.wait_s == pytest.approx(REQUEST_S, abs=NEAR)
        assert (await permitted(limiter)).wait_s == pytest.approx(REQUEST_S, abs=NEAR)

    subject.run(story)


def test_what_was_not_sent_gives_its_place_back(subject: Subject) -> None:
    async def story(limiter: Limiter) -> None:
        at_once = [await permitted(limiter, tokens=500) for _ in range(2)]
        in_turn = [await permitted(limiter, SLOW.model_copy(update={"tpm": None})) for _ in range(4)]
        for permit in (*in_turn, *at_once):
            await limiter.report(permit, RequestReport(ended=Ended.UNSENT))
        await permitted(limiter, tokens=1000, within_s=0)
        bucket = (await limiter.standing()).buckets[0]
        assert (bucket.requests_free, bucket.tokens_free) == pytest.approx((1, 0), abs=10)

    subject.run(story)


def test_a_held_permit_goes_ahead_when_its_wait_is_over(subject: Subject) -> None:
    async def story(limiter: Limiter) -> None:
        for _ in range(2):
            await permitted(limiter)
        held = await permitted(limiter, tokens=10)
        subject.advance(held.wait_s)
        again = await limiter.take(SLOW, 10, within_s=600, hold_s=30, held=held)
        assert again == held.model_copy(update={"wait_s": 0})
        assert (await permitted(limiter)).wait_s == pytest.approx(REQUEST_S, abs=NEAR)

    subject.run(story)


def test_a_wait_the_provider_names_holds_everybody_also_those_who_have_a_place(subject: Subject) -> None:
    async def story(limiter: Limiter) -> None:
        for _ in range(2):
            await permitted(limiter)
        held = await permitted(limiter)
        refused = await permitted(limiter)
        await limiter.report(refused, RequestReport(ended=Ended.RATE_LIMITED, retry_after_s=100))
        assert (await permitted(limiter)).wait_s >= 100 - NEAR
        subject.advance(held.wait_s)
        again = await limiter.take(SLOW, 0, within_s=600, hold_s=30, held=held)
        assert isinstance(again, Permit)
        assert again.wait_s >= 100 - held.wait_s - NEAR
        assert again.id != held.id
        late = await limiter.take(SLOW, 0, within_s=1, hold_s=30, held=again)
        assert isinstance(late, Denial)
        assert late.why is DenialReason.RATE_LIMIT
        assert (await limiter.standing()).buckets[0].blocked_s == pytest.approx(100 - held.wait_s, abs=NEAR)

    subject.run(story)


def test_a_shorter_wait_named_later_shortens_nothing_and_an_absurd_one_is_a_day(subject: Subject) -> None:
    async def story(limiter: Limiter) -> list[float]:
        first, second, third, fourth = [await permitted(limiter, FREE) for _ in range(4)]
        seen: list[float] = []
        for permit, wait in ((first, None), (second, 50), (third, 5), (fourth, 1e12)):
            await limiter.report(permit, RequestReport(ended=Ended.RATE_LIMITED, retry_after_s=wait))
            seen.append((await limiter.standing()).buckets[0].blocked_s)
        return seen

    assert subject.run(story) == pytest.approx([1, 50, 50, 86_400], abs=NEAR)


def test_a_circuit_opens_tries_once_opens_longer_and_closes(subject: Subject) -> None:
    async def story(limiter: Limiter) -> None:
        for _ in range(2):
            await ends(limiter, Ended.BROKEN)
        await ends(limiter, Ended.ANSWERED)  # not in a row
        in_flight = await permitted(limiter, FREE)
        for _ in range(3):
            await ends(limiter, Ended.BROKEN)
        denial = await denied(limiter, FREE)
        assert (denial.why, denial.wait_s) == (DenialReason.CIRCUIT, pytest.approx(10, abs=NEAR))
        assert (await permitted(limiter, OTHER)).trial is False
        await limiter.report(in_flight, RequestReport(ended=Ended.BROKEN))  # says nothing new
        assert (await limiter.standing()).buckets[0].circuit is Circuit.OPEN
        subject.advance(11)
        assert (await limiter.standing()).buckets[0].circuit is Circuit.HALF_OPEN
        trial = await permitted(limiter, FREE)
        assert trial.trial
        assert (await denied(limiter, FREE)).wait_s == pytest.approx(30, abs=NEAR)  # one tries, the others do not
        await limiter.report(trial, RequestReport(ended=Ended.BROKEN))
        assert (await denied(limiter, FREE)).wait_s == pytest.approx(20, abs=NEAR)
        for expected in (40, 40):  # twice as long each time, up to the longest
            subject.advance(41)
            await ends(limiter, Ended.BROKEN)
            assert (await denied(limiter, FREE)).wait_s == pytest.approx(expected, abs=NEAR)
        subject.advance(41)
        await ends(limiter, Ended.ANSWERED)
        assert (await permitted(limiter, FREE)).trial is False
        shown = (await limiter.standing()).buckets[0]
        assert (shown.circuit, shown.failures) == (Circuit.CLOSED, 0)

    subject.run(story)


def test_a_trial_that_is_cancelled_lets_the_next_one_try_and_one_that_vanished_does_too(subject: Subject) -> None:
    async def story(limiter: Limiter) -> None:
        for _ in range(3):
            await ends(limiter, Ended.BROKEN)
        subject.advance(11)
        trial = await permitted(limiter, FREE)
        again = await limiter.take(FREE, 0, within_s=600, hold_s=30, held=trial)
        assert again == trial  # who tries may go ahead
        await limiter.report(trial, RequestReport(ended=Ended.UNTOLD))
        assert (await permitted(limiter, FREE)).trial
        await denied(limiter, FREE)
        subject.advance(31)
        assert (await permitted(limiter, FREE)).trial

    subject.run(story)


def test_a_permit_that_waits_is_taken_back_when_the_circuit_opens(subject: Subject) -> None:
    async def story(limiter: Limiter) -> None:
        held = [await permitted(limiter) for _ in range(6)]
        for permit in held[:3]:
            await limiter.report(permit, RequestReport(ended=Ended.BROKEN))
        before = (await limiter.standing()).buckets[0].requests_free
        assert before is not None
        answer = await limiter.take(SLOW, 0, within_s=600, hold_s=30, held=held[-1])
        assert isinstance(answer, Denial)
        assert answer.why is DenialReason.CIRCUIT
        assert (await limiter.standing()).buckets[0].requests_free == pytest.approx(before + 1, abs=0.1)

    subject.run(story)


@pytest.mark.parametrize(("ended", "why"), [(Ended.AUTH, DenialReason.AUTH), (Ended.BILLING, DenialReason.BILLING)])
def test_a_refused_account_is_left_alone_with_all_its_models(subject: Subject, ended: Ended, why: DenialReason) -> None:
    async def story(limiter: Limiter) -> None:
        await ends(limiter, ended)
        denial = await denied(limiter, SLOW)
        assert (denial.why, denial.wait_s) == (why, pytest.approx(60, abs=NEAR))
        await permitted(limiter, OTHER)
        blocks = (await limiter.standing()).blocks
        assert [(one.account, one.why) for one in blocks] == [("acme:ACME_KEY", why)]
        subject.advance(61)
        await permitted(limiter, SLOW)
        assert (await limiter.standing()).blocks == ()

    subject.run(story)


def test_resetting_a_model_forgets_its_waits_and_its_account_and_nothing_else(subject: Subject) -> None:
    async def story(limiter: Limiter) -> None:
        await ends(limiter, Ended.RATE_LIMITED, FREE, retry_after_s=50)
        await ends(limiter, Ended.RATE_LIMITED, OTHER, retry_after_s=50)
        await ends(limiter, Ended.BILLING, SLOW)
        assert await limiter.reset("nobody/knows") == 0
        assert await limiter.reset("acme/free") == 1
        assert (await permitted(limiter, FREE)).wait_s == 0
        assert (await permitted(limiter, OTHER)).wait_s == pytest.approx(50, abs=NEAR)

    subject.run(story)


def test_a_tenant_has_so_many_seats_and_lost_ones_come_back(subject: Subject) -> None:
    async def story(limiter: Limiter) -> None:
        async def enter(who: str, limit: int = 2, tenant: str = "ann: a*", seats: Seats = Seats.CALLS) -> bool:
            return await limiter.enter(tenant, seats, who, limit=limit, hold_s=30)

        assert [await enter(who) for who in ("one", "two", "three")] == [True, True, False]
        assert await enter("two")  # has one already
        assert await enter("one", 1, seats=Seats.JOBS)
        assert await enter("one", 1, tenant="bob")
        await limiter.leave("ann: a*", Seats.CALLS, "one")
        await limiter.leave("ann: a*", Seats.CALLS, "one")
        assert [await enter(who) for who in ("three", "one")] == [True, False]
        seen = (await limiter.standing()).seats
        assert [(one.tenant, one.seats, one.taken) for one in seen] == [
            ("ann: a*", Seats.CALLS, 2),
            ("ann: a*", Seats.JOBS, 1),
            ("bob", Seats.CALLS, 1),
        ]
        subject.advance(31)
        assert (await limiter.standing()).seats == ()
        assert await enter("one", 1)

    subject.run(story)


def test_limits_that_the_roster_lifts_are_lifted(subject: Subject) -> None:
    async def story(limiter: Limiter) -> None:
        for _ in range(4):
            await permitted(limiter)
        faster = SLOW.model_copy(update={"rpm": None, "tpm": None})
        assert (await permitted(limiter, faster)).wait_s == 0
        shown = (await limiter.standing()).buckets[0]
        assert (shown.rpm, shown.tpm, shown.requests_free, shown.tokens_free) == (None, None, None, None)

    subject.run(story)


def test_keys_of_redis_expire_and_hold_names_and_numbers_alone(redis: RedisServer) -> None:
    client = raw(redis)
    client.flushall()

    async def story() -> None:
        limiter = SharedLimiter(async_redis_client(settings_of(redis)), RULES)
        await ends(limiter, Ended.BROKEN, SLOW)
        await ends(limiter, Ended.RATE_LIMITED, SLOW, retry_after_s=7200)
        await ends(limiter, Ended.AUTH, OTHER)
        await limiter.enter("default", Seats.CALLS, "job", limit=5, hold_s=30)
        await limiter.aclose()

    asyncio.run(story())
    keys = set(client.scan_iter())
    assert keys == {
        b"dissolve:limits:model:acme/large acme:ACME_KEY",
        b"dissolve:limits:model:other/large other:OTHER_KEY",
        b"dissolve:limits:account:other:OTHER_KEY",
        b"dissolve:limits:seats:calls:default",
    }
    assert all(0 < client.ttl(key) <= 7200 + 3600 + 1 for key in keys)
    assert client.ttl(b"dissolve:limits:model:acme/large acme:ACME_KEY") > 7200
    words = client.hgetall(b"dissolve:limits:model:acme/large acme:ACME_KEY")
    text = {name for name, value in words.items() if not value.replace(b".", b"").isdigit()}
    assert text <= {b"model", b"account"}
    client.close()


FAST = Endpoint(model="acme/fast", account="acme:ACME_KEY", rpm=120)  # 20 at once, then 101 / 60 a second
CAPACITY, PER_S = 20, 101 / 60
STORM_S = 10.0
Turn = tuple[float, float]
"""The earliest and the latest instant at which a request may have been let through (s)."""


def storm(url: str, start: Barrier, told: "Queue[list[Turn]]") -> None:
    """One process that takes every turn it can get within ten seconds, and tells when each of them is."""

    async def ask() -> list[Turn]:
        limiter, mine = SharedLimiter(async_redis_client(Settings(redis_url=SecretStr(url)))), list[Turn]()
        start.wait(LONGEST_S)
        while True:
            before = time.time()
            answer = await limiter.take(FAST, 0, within_s=STORM_S, hold_s=60)
            if isinstance(answer, Denial):
                break
            mine.append((before + answer.wait_s, time.time() + answer.wait_s))
        await limiter.aclose()
        return mine

    with patch.object(doorbell, "LIMITS_TIMEOUT_S", LONGEST_S):
        told.put(asyncio.run(ask()))


def test_four_processes_never_pass_the_limit_together_and_all_of_it_is_used(redis: RedisServer) -> None:
    context = multiprocessing.get_context("spawn")
    told: Queue[list[Turn]] = context.Queue()
    start = context.Barrier(4)
    client = raw(redis)
    client.flushall()
    client.close()
    url = redis.url.get_secret_value()
    processes = [context.Process(target=storm, args=(url, start, told)) for _ in range(4)]
    began = time.time()
    for process in processes:
        process.start()
    each: list[list[Turn]] = [told.get(timeout=LONGEST_S) for _ in processes]
    for process in processes:
        process.join(LONGEST_S)
    turns = sorted(turn for one in each for turn in one)
    for first, (begin, _) in enumerate(turns):
        for last, (_, end) in enumerate(turns[first:], start=first):
            # Not one more than the limit, however late or early within its bounds each of them was.
            assert last - first + 1 <= CAPACITY + PER_S * (end - begin) + 1
    # Each was refused only when the next ten seconds were full: what was free from the start until then is taken.
    assert len(turns) >= CAPACITY + int(PER_S * STORM_S) - 2
    assert max(late for _, late in turns) - began >= STORM_S - 2
