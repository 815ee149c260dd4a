"""Members on cue."""

import asyncio

import pytest

from devtools.scripted import SCRIPTED_USAGE, Crash, Delay, Fail, Hang, Say, ScriptedMember
from dissolution.answers import FinishReason
from dissolution.errors import InvalidRoster, MemberRateLimited
from tests.unit.fleet.parts import a_card, a_task
from tests.virtual_time import run_virtual


def test_cues_play_in_order_and_the_last_repeats() -> None:
    member = ScriptedMember(
        a_card("m"), [Say("one"), Fail(MemberRateLimited, "wait", 2.0), Say("two", FinishReason.LENGTH)]
    )

    async def play() -> None:
        assert (await member.answer(a_task())).text == "one"
        with pytest.raises(MemberRateLimited, match="'m': rate limit") as caught:
            await member.answer(a_task())
        assert caught.value.retry_after_s == 2.0
        for _ in range(2):
            reply = await member.answer(a_task())
            assert (reply.text, reply.finish, reply.model_reported) == ("two", FinishReason.LENGTH, "script m")

    asyncio.run(play())
    assert member.asked == 4
    assert member.estimate(a_task()) == SCRIPTED_USAGE


def test_a_script_that_must_not_run_out_says_so() -> None:
    member = ScriptedMember(a_card("m"), [Say("one")], after_last="raise")
    asyncio.run(member.answer(a_task()))
    with pytest.raises(RuntimeError, match="'m' has 1 cues"):
        asyncio.run(member.answer(a_task()))


def test_delays_wait_through_the_injected_sleep_and_nest() -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    member = ScriptedMember(a_card("m"), [Delay(3.5, Delay(1, Say("late")))], sleep=sleep)
    assert asyncio.run(member.answer(a_task())).text == "late"
    assert waited == [3.5, 1]


def test_a_crash_is_no_member_error() -> None:
    with pytest.raises(KeyError, match="boom"):
        asyncio.run(ScriptedMember(a_card("m"), [Crash(KeyError, "boom")]).answer(a_task()))


def test_hanging_ends_by_cancellation_only() -> None:
    async def play() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1e6):
                await ScriptedMember(a_card("m"), [Hang()]).answer(a_task())

    run_virtual(play())


def test_an_empty_script_is_refused() -> None:
    with pytest.raises(InvalidRoster, match=r"'m'.*empty"):
        ScriptedMember(a_card("m"), [])
