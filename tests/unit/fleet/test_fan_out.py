"""The fan-out in virtual time: quorum, deadlines, stragglers, crashes, cancellation, resumption."""

import asyncio
import itertools
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devtools.scripted import SCRIPTED_USAGE, Crash, Cue, Delay, Fail, Hang, Say, ScriptedMember
from dissolution.answers import FailureClass, FinishReason, MemberCard, MemberFailure, MemberTask, Reply
from dissolution.errors import InvalidRoster, MemberAuthError, MemberRateLimited
from dissolution.policy.job_policy import QuorumPolicy
from dissolution.ports.models import Member
from fleet.failures import member_failure
from fleet.fan_out import CANCEL_GRACE_S, FanOutOutcome, fan_out
from tests.unit.fleet.parts import a_card, a_task
from tests.virtual_time import run_virtual

TWO = QuorumPolicy(min_members=2, min_families=2, soft_deadline_s=10, hard_deadline_s=30)
KEEP = TWO.model_copy(update={"stragglers": "keep"})


class Diary:
    """What a caller was told, in order."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.landed: list[tuple[str, Reply | MemberFailure, bool]] = []

    def on_asked(self, member: Member) -> None:
        self.asked.append(member.card.name)

    def on_landed(self, member: Member, result: Reply | MemberFailure, late: bool) -> None:  # noqa: FBT001 - the callback's form
        self.landed.append((member.card.name, result, late))

    @property
    def names(self) -> list[str]:
        return [name for name, _, _ in self.landed]


def scripted(**cues: Cue) -> list[ScriptedMember]:
    return [ScriptedMember(a_card(name), [cue]) for name, cue in cues.items()]


def reply(text: str = "KNOWN: x") -> Reply:
    return Reply(text=text, finish=FinishReason.STOP, usage=SCRIPTED_USAGE)


def usable(_card: MemberCard, given_reply: Reply) -> bool:
    return given_reply.text.startswith("KNOWN")


def play(
    members: list[ScriptedMember], policy: QuorumPolicy = TWO, *, deadline_s: float = 1000.0, **more: object
) -> tuple[FanOutOutcome, Diary]:
    diary = Diary()
    outcome = run_virtual(
        fan_out(
            members,
            lambda _member: a_task(deadline_s=deadline_s),
            policy,
            usable=usable,
            on_asked=diary.on_asked,
            on_landed=diary.on_landed,
            **more,  # pyright: ignore[reportArgumentType] - keywords vary by test
        )
    )
    return outcome, diary


def classes(outcome: FanOutOutcome) -> dict[str, str]:
    return {
        name: result.error_class.value if isinstance(result, MemberFailure) else "reply"
        for name, result in outcome.results.items()
    }


SAY = Say("KNOWN: x")


def test_everybody_is_asked_before_anybody_answers_and_lands_in_order_of_answer() -> None:
    outcome, diary = play(scripted(a=Delay(3, SAY), b=Delay(1, SAY), c=Delay(2, SAY)))
    assert diary.asked == ["a", "b", "c"]
    assert diary.names == ["b", "c", "a"]
    assert [landing.member.name for landing in outcome.landings] == ["a", "b", "c"]
    assert [landing.latency_s for landing in outcome.landings] == [3, 1, 2]
    assert outcome.quorum.met
    assert outcome.quorum.families == ("a", "b", "c")
    assert not any(late for _, _, late in diary.landed)


def test_quorum_is_met_at_its_minimum_and_not_one_below() -> None:
    at_quorum, _ = play(scripted(a=SAY, b=SAY, c=Fail(MemberAuthError)))
    below, _ = play(scripted(a=SAY, b=Fail(MemberAuthError), c=Fail(MemberAuthError)))
    assert (at_quorum.quorum.met, at_quorum.quorum.members) == (True, 2)
    assert (below.quorum.met, below.quorum.members) == (False, 1)


def test_members_of_one_family_are_no_quorum_of_families() -> None:
    outcome, _ = play([ScriptedMember(a_card(name, "one"), [SAY]) for name in ("a", "b", "c")])
    assert (outcome.quorum.met, outcome.quorum.members, outcome.quorum.families) == (False, 3, ("one",))


def test_an_unusable_reply_is_kept_and_does_not_count() -> None:
    outcome, _ = play(scripted(a=SAY, b=Say("I cannot help with that."), c=SAY))
    assert outcome.quorum.members == 2
    assert classes(outcome)["b"] == "reply"


def test_all_fail() -> None:
    outcome, _ = play(scripted(a=Fail(MemberAuthError), b=Crash(), c=Fail(MemberRateLimited, "later", 7)))
    assert classes(outcome) == {"a": "auth", "b": "internal", "c": "rate_limit"}
    assert not outcome.quorum.met
    failure = outcome.results["c"]
    assert isinstance(failure, MemberFailure)
    assert failure.retry_after_s == 7


def test_a_crash_is_told_by_its_class_only_and_disturbs_nobody() -> None:
    outcome, _ = play(scripted(a=Crash(ValueError, "key sk-live-0123456789 in text"), b=SAY, c=Delay(5, SAY)))
    failure = outcome.results["a"]
    assert isinstance(failure, MemberFailure)
    assert (failure.error_class, failure.detail) == (FailureClass.INTERNAL, "ValueError")
    assert outcome.quorum.met


def test_stragglers_are_cancelled_at_the_soft_deadline_once_the_quorum_stands() -> None:
    outcome, diary = play(scripted(a=SAY, b=Delay(9.9, SAY), c=Delay(10.1, SAY), d=Hang()))
    assert classes(outcome) == {"a": "reply", "b": "reply", "c": "cancelled", "d": "cancelled"}
    assert [landing.latency_s for landing in outcome.landings][2:] == [10, 10]
    assert sorted(diary.names[2:]) == ["c", "d"]
    assert not any(late for _, _, late in diary.landed)


def test_past_the_soft_deadline_waiting_goes_on_until_the_quorum_stands() -> None:
    outcome, _ = play(scripted(a=SAY, b=Delay(20, SAY), c=Delay(25, SAY)))
    assert classes(outcome) == {"a": "reply", "b": "reply", "c": "cancelled"}
    assert outcome.quorum.met
    assert [landing.late for landing in outcome.landings] == [False, False, False]
    assert outcome.landings[2].latency_s == 20


def test_kept_stragglers_are_late_and_never_count() -> None:
    outcome, diary = play(scripted(a=SAY, b=SAY, c=Delay(15, SAY), d=Hang()), KEEP)
    assert classes(outcome) == {"a": "reply", "b": "reply", "c": "reply", "d": "timeout"}
    assert [landing.late for landing in outcome.landings] == [False, False, True, False]
    assert outcome.quorum.members == 2
    assert ("c", outcome.results["c"], True) in diary.landed
    assert outcome.landings[3].latency_s == 30


def test_kept_stragglers_that_complete_a_missing_quorum_are_in_time_and_the_next_one_is_late() -> None:
    outcome, _ = play(scripted(a=SAY, b=Delay(15, SAY), c=Delay(16, SAY)), KEEP)
    assert [landing.late for landing in outcome.landings] == [False, False, True]
    assert outcome.quorum.members == 2


def test_a_hard_deadline_ends_the_waiting_without_a_quorum() -> None:
    outcome, _ = play(scripted(a=SAY, b=Delay(29.9, Fail(MemberAuthError)), c=Delay(30.1, SAY)))
    assert classes(outcome) == {"a": "reply", "b": "auth", "c": "timeout"}
    assert not outcome.quorum.met
    timeout = outcome.results["c"]
    assert isinstance(timeout, MemberFailure)
    assert "hard deadline of 30 s" in timeout.detail


def test_a_tasks_own_deadline_ends_its_call() -> None:
    outcome, _ = play(scripted(a=SAY, b=SAY, c=Hang()), deadline_s=4)
    assert classes(outcome)["c"] == "timeout"
    assert outcome.landings[2].latency_s == 4


def test_a_members_own_timeout_error_is_a_fault_of_ours() -> None:
    outcome, _ = play(scripted(a=Crash(TimeoutError, "x"), b=SAY))
    assert classes(outcome)["a"] == "internal"


def test_a_member_that_cancels_itself_is_a_failure_and_not_the_end() -> None:
    class SelfCancelling(ScriptedMember):
        async def answer(self, task: MemberTask) -> Reply:  # noqa: ARG002 - the port's signature
            raise asyncio.CancelledError

    outcome, _ = play([SelfCancelling(a_card("a"), [SAY]), *scripted(b=SAY, c=SAY)])
    assert classes(outcome) == {"a": "internal", "b": "reply", "c": "reply"}


class Stubborn(ScriptedMember):
    """Ignores cancellation for `lasts_s`, then answers all the same."""

    lasts_s = 0.0

    async def answer(self, task: MemberTask) -> Reply:  # noqa: ARG002 - the port's signature
        try:
            await asyncio.sleep(1e6)
        except asyncio.CancelledError:
            await asyncio.sleep(self.lasts_s)
        return reply("KNOWN: stubborn")


def test_a_member_that_answers_on_being_cancelled_is_late() -> None:
    outcome, _ = play([Stubborn(a_card("z"), [SAY]), *scripted(a=SAY, b=SAY)])
    assert classes(outcome)["z"] == "reply"
    assert outcome.landings[0].late
    assert outcome.quorum.members == 2


def test_a_member_that_ignores_cancellation_holds_nobody_up() -> None:
    class Forever(Stubborn):
        lasts_s = 500.0

    outcome, diary = play([Forever(a_card("z"), [SAY]), *scripted(a=SAY, b=SAY)])
    assert classes(outcome)["z"] == "cancelled"
    assert outcome.landings[0].latency_s == 10 + CANCEL_GRACE_S
    assert diary.names.count("z") == 1


def test_an_answer_after_the_hard_deadline_never_counts() -> None:
    class AfterHard(Stubborn):
        lasts_s = 1.0

    outcome, _ = play([AfterHard(a_card("z"), [SAY]), *scripted(a=SAY)])
    assert outcome.landings[0].late
    assert not outcome.quorum.met


def test_namesakes_are_refused_before_anybody_is_asked() -> None:
    twins = [ScriptedMember(a_card("a"), [SAY]), ScriptedMember(a_card("a", "other"), [SAY])]
    with pytest.raises(InvalidRoster, match="named 'a'"):
        play(twins)
    assert [twin.asked for twin in twins] == [0, 0]


def test_what_has_landed_is_not_asked_again_and_counts_as_it_did() -> None:
    members = scripted(a=Crash(), b=Crash(), c=SAY, d=Crash())
    earlier: dict[str, Reply | MemberFailure] = {
        "a": reply(),
        "b": reply("KNOWN: late then"),
        "d": member_failure(FailureClass.AUTH, "no"),
    }
    outcome, diary = play(members, landed=earlier, landed_late=["b"])
    assert diary.asked == ["c"]
    assert diary.names == ["c"]
    assert [member.asked for member in members] == [0, 0, 1, 0]
    assert outcome.quorum.members == 2  # a and c; b was late
    assert classes(outcome) == {"a": "reply", "b": "reply", "c": "reply", "d": "auth"}
    assert [landing.late for landing in outcome.landings] == [False, True, False, False]


def test_with_everything_landed_nobody_is_asked() -> None:
    outcome, diary = play(scripted(a=Crash(), b=Crash()), landed={"a": reply(), "b": reply()})
    assert diary.asked == []
    assert outcome.quorum.met


def test_no_members_at_all_meet_no_quorum() -> None:
    outcome, _ = play([])
    assert (outcome.landings, outcome.quorum.met) == ((), False)


def test_a_member_the_budget_forbids_lands_unasked() -> None:
    members = scripted(a=SAY, b=SAY)
    over = member_failure(FailureClass.BUDGET, "over the cap")

    def refusal_of(member: Member) -> MemberFailure | None:
        return over if member.card.name == "b" else None

    outcome, diary = play(members, refusal_of=refusal_of)
    assert diary.asked == ["a"]
    assert members[1].asked == 0
    assert classes(outcome) == {"a": "reply", "b": "budget"}
    assert ("b", over, False) in diary.landed


def test_cancelling_the_whole_keeps_what_landed_and_tells_nothing_of_the_rest() -> None:
    diary = Diary()
    members = scripted(a=Delay(1, SAY), b=Delay(5, SAY), c=Hang())

    async def interrupted() -> None:
        task = asyncio.create_task(
            fan_out(
                members,
                lambda _member: a_task(),
                TWO,
                usable=usable,
                on_asked=diary.on_asked,
                on_landed=diary.on_landed,
            )
        )
        await asyncio.sleep(2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        others = asyncio.all_tasks() - {asyncio.current_task()}
        assert not others, "calls in flight outlived the fan-out"

    run_virtual(interrupted())
    assert diary.names == ["a"]
    first = diary.landed[0][1]
    again, second = play(scripted(a=Crash(), b=SAY, c=SAY), landed={"a": first})
    assert second.asked == ["b", "c"]
    assert again.quorum.members == 3


@pytest.mark.parametrize("failing", ["asked", "asking", "landed", "usable", "task_for", "refusal_of"])
def test_a_fault_of_the_caller_ends_the_fan_out_and_leaves_nothing_running(failing: str) -> None:
    diary = Diary()

    def fault(*_: object) -> Any:  # noqa: ANN401 - it never returns, whatever it stands in for
        message = failing
        raise LookupError(message)

    async def run() -> None:
        with pytest.raises(LookupError, match=failing):
            await fan_out(
                scripted(a=Delay(1, SAY), b=Hang()),
                fault if failing == "task_for" else lambda _member: a_task(),
                TWO,
                usable=fault if failing == "usable" else usable,
                on_asked=fault if failing == "asked" else diary.on_asked,
                on_asking=fault if failing == "asking" else lambda: None,
                on_landed=fault if failing == "landed" else diary.on_landed,
                refusal_of=fault if failing == "refusal_of" else None,
            )
        assert not asyncio.all_tasks() - {asyncio.current_task()}

    run_virtual(run())
    assert diary.names == (["a"] if failing == "usable" else [])  # a bought reply is told of before it is judged


def test_everybody_is_told_of_before_the_first_is_asked() -> None:
    told: list[str] = []

    class Telling(ScriptedMember):
        async def answer(self, task: MemberTask) -> Reply:
            told.append(f"answers {self.card.name}")
            return await super().answer(task)

    run_virtual(
        fan_out(
            [Telling(a_card(name, name), [SAY]) for name in "ab"],
            lambda _member: a_task(),
            TWO,
            usable=usable,
            on_asked=lambda member: told.append(f"asked {member.card.name}"),
            on_asking=lambda: told.append("asking"),
            on_landed=Diary().on_landed,
        )
    )
    assert told == ["asked a", "asked b", "asking", "answers a", "answers b"]


def test_a_fault_while_stragglers_are_ended_is_not_lost() -> None:
    def on_landed(member: Member, result: Reply | MemberFailure, late: bool) -> None:  # noqa: FBT001 - the callback's form
        message = "store is gone"
        if member.card.name == "c":
            raise LookupError(message)

    async def run() -> None:
        await fan_out(
            scripted(a=SAY, b=SAY, c=Hang()),
            lambda _member: a_task(),
            TWO,
            usable=usable,
            on_asked=lambda _member: None,
            on_landed=on_landed,
        )

    with pytest.raises(LookupError, match="store is gone"):
        run_virtual(run())


CUES = st.one_of(
    st.just(SAY),
    st.just(Say("unusable")),
    st.just(Fail(MemberAuthError)),
    st.just(Crash()),
    st.just(Hang()),
    st.builds(Delay, st.floats(0, 40), st.sampled_from([SAY, Fail(MemberRateLimited), Hang()])),
)


@given(st.lists(CUES, max_size=7), st.integers(1, 4), st.sampled_from(["cancel", "keep"]))
def test_whatever_members_do_every_one_lands_once_and_only_timely_usable_replies_count(
    cues: list[Cue], minimum: int, stragglers: str
) -> None:
    names = list(itertools.islice("abcdefg", len(cues)))
    policy = TWO.model_copy(update={"min_members": minimum, "min_families": minimum, "stragglers": stragglers})
    outcome, diary = play([ScriptedMember(a_card(n), [cue]) for n, cue in zip(names, cues, strict=True)], policy)
    assert sorted(diary.names) == names
    counted = [
        landing
        for landing in outcome.landings
        if isinstance(landing.result, Reply) and not landing.late and usable(landing.member, landing.result)
    ]
    assert outcome.quorum.members == len(counted)
    assert outcome.quorum.met == (len(counted) >= minimum)
    assert all(isinstance(landing.latency_s, float | int) and landing.latency_s <= 30 for landing in outcome.landings)


def test_once_the_quorum_agrees_nobody_else_is_waited_for() -> None:
    seen: list[list[str]] = []

    def agree(replies: Sequence[tuple[MemberCard, Reply]]) -> bool:
        seen.append([card.name for card, _ in replies])
        return len(replies) >= 3

    members = scripted(a=Say("KNOWN: x"), b=Delay(1, Say("KNOWN: x")), c=Delay(2, Say("KNOWN: x")), d=Hang())
    outcome, diary = play(members, agree=agree)
    assert seen == [["a", "b"], ["a", "b", "c"]]  # asked when the quorum stands, and once for each new answer
    cancelled = outcome.results["d"]
    assert isinstance(cancelled, MemberFailure)
    assert cancelled.error_class is FailureClass.CANCELLED
    assert "agreed" in cancelled.detail
    assert outcome.quorum.met
    assert diary.names == ["a", "b", "c", "d"]
    assert outcome.landings[-1].latency_s == pytest.approx(2)


def answering(*, agreed: bool) -> Callable[[Sequence[tuple[MemberCard, Reply]]], bool]:
    return lambda _replies: agreed


def test_a_run_that_is_taken_up_after_agreement_asks_nobody() -> None:
    landed = {"a": reply(), "b": reply()}
    members = scripted(a=Say("KNOWN: x"), b=Say("KNOWN: x"), c=Say("KNOWN: x"), d=Say("KNOWN: x"))
    outcome, diary = play(members, agree=answering(agreed=True), landed=landed)
    assert diary.asked == []
    assert {name for name, one in outcome.results.items() if isinstance(one, MemberFailure)} == {"c", "d"}


def test_without_agreement_everybody_is_waited_for() -> None:
    members = scripted(a=Say("KNOWN: x"), b=Say("KNOWN: x"), c=Delay(5, Say("KNOWN: x")))
    outcome, _ = play(members, agree=answering(agreed=False))
    assert all(isinstance(one, Reply) for one in outcome.results.values())
