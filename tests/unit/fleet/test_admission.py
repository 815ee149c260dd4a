import asyncio
from collections.abc import Callable

import pytest

from dissolution.answers import FinishReason, Reply, Usage
from dissolution.errors import (
    MemberAuthError,
    MemberBillingError,
    MemberError,
    MemberRateLimited,
    MemberRefused,
    MemberTimeout,
    MemberUnavailable,
)
from dissolution.limits import Ended, LimitRules, RequestReport
from dissolution.values import NotMeasured
from fleet.admission import Admission, answered, endpoint_of, report_of
from fleet.litellm_attempt import Answered, Unsupported, request_report
from fleet.local_limits import LocalLimiter
from fleet.roster import RosterMember
from tests.virtual_time import run_virtual


def a_member(**more: object) -> RosterMember:
    form = {"name": "m", "model": "acme/large", "family": "acme", "api_key_env": "ACME_KEY", "timeout_s": 30}
    return RosterMember.model_validate(form | more)


def limiter() -> LocalLimiter:
    """In the time of the running loop."""
    return LocalLimiter(LimitRules(failures=2, open_s=100), clock=lambda: asyncio.get_running_loop().time() + 1000)


def outcome_of(error: MemberError | None) -> Callable[[str | MemberError], RequestReport | MemberError]:
    return lambda _outcome: error or RequestReport(ended=Ended.ANSWERED, used_tokens=1)


async def ask(
    admission: Admission, error: MemberError | None = None, *, rest_s: float = 60.0, takes_s: float = 0.0
) -> float:
    """One request; the seconds it was given."""

    async def attempt(rest: float) -> float:
        await asyncio.sleep(takes_s)
        return rest

    return await admission.ask(attempt, tokens=1, rest_s=rest_s, told=lambda _rest: outcome_of(error)(""))


def test_a_request_waits_for_its_turn_and_has_the_rest_of_its_time() -> None:
    async def story() -> list[float]:
        admission = Admission(limiter(), a_member(rpm=6))  # one every ten seconds
        return [await ask(admission), await ask(admission, rest_s=15)]

    assert run_virtual(story()) == pytest.approx([60, 5])


def test_a_turn_after_the_deadline_fails_at_once() -> None:
    async def story() -> float:
        admission = Admission(limiter(), a_member(rpm=6))
        await ask(admission)
        with pytest.raises(MemberRateLimited, match="leave no room") as refused:
            await ask(admission, rest_s=9)
        assert refused.value.retry_after_s == pytest.approx(10)
        return asyncio.get_running_loop().time()

    assert run_virtual(story()) == 0


def test_who_is_cancelled_while_waiting_gives_the_place_back() -> None:
    async def story() -> float:
        limits = limiter()
        admission = Admission(limits, a_member(rpm=6))
        await ask(admission)
        waiting = asyncio.create_task(ask(admission))
        await asyncio.sleep(5)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        return (await ask(admission)) + asyncio.get_running_loop().time()

    assert run_virtual(story()) == pytest.approx(60 - 5 + 10)


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (MemberAuthError("m", "bad key"), MemberAuthError, "the key of account 'acme:ACME_KEY' was refused"),
        (MemberBillingError("m", "empty"), MemberBillingError, "account 'acme:ACME_KEY' has no credit"),
        (MemberUnavailable("m", "down"), MemberUnavailable, "'acme/large' failed several times in a row"),
        (MemberTimeout("m", "silent"), MemberUnavailable, "is left alone; nothing was sent; again in 100 s"),
        (MemberRateLimited("m", "busy", 500.0), MemberRateLimited, "the next place is in 500 s"),
    ],
)
def test_what_one_request_met_the_next_one_is_spared(error: MemberError, kind: type[MemberError], words: str) -> None:
    async def story() -> None:
        admission = Admission(limiter(), a_member())
        await ask(admission, error)
        if not isinstance(error, MemberAuthError | MemberBillingError | MemberRateLimited):
            await ask(admission, error)
        with pytest.raises(kind) as refused:
            await ask(admission)
        assert words in str(refused.value)

    run_virtual(story())


def test_a_fault_of_ours_and_a_short_patience_say_nothing_of_the_model() -> None:
    async def story() -> None:
        admission = Admission(limiter(), a_member())

        async def broken(_rest: float) -> str:
            raise RuntimeError

        for _ in range(5):
            with pytest.raises(RuntimeError):
                await admission.ask(broken, tokens=1, rest_s=60, told=outcome_of(None))
            await ask(admission, MemberTimeout("m", "hurried"), rest_s=1)
            await ask(admission, MemberRefused("m", "no"))
        await ask(admission)

    run_virtual(story())


def test_reports() -> None:
    assert report_of(MemberRefused("m", "no"), patient=True).ended is Ended.ANSWERED
    assert report_of(MemberTimeout("m", "no"), patient=True).ended is Ended.BROKEN
    usage = Usage(input_tokens=3, cached_input_tokens=0, output_tokens=4, cost_usd=NotMeasured(not_measured="free"))
    reply = Reply(text="KNOWN", finish=FinishReason.STOP, usage=usage)
    assert request_report(Answered(reply, {})) == RequestReport(ended=Ended.ANSWERED, used_tokens=7)
    assert answered(usage.model_copy(update={"input_tokens": NotMeasured(not_measured="untold")})).used_tokens is None
    assert request_report(Unsupported("seed")) == RequestReport(ended=Ended.UNSENT)
    error = MemberUnavailable("m", "down")
    assert request_report(error) is error


def test_an_account_is_provider_key_and_host() -> None:
    assert endpoint_of(a_member(rpm=5, tpm=9)).model_dump() == {
        "model": "acme/large",
        "account": "acme:ACME_KEY",
        "rpm": 5,
        "tpm": 9,
    }
    local = a_member(api_base="http://127.0.0.1:8000/v1", api_key_env=None)
    assert endpoint_of(local).account == "acme:no key@127.0.0.1:8000"
    assert endpoint_of(a_member(api_key_env=None, ambient_credentials=True)).account == "acme:ambient"
