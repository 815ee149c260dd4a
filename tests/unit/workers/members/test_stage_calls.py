"""Calls found by what they ask: made once, stored scrubbed, refused over the cap, failures as values."""

from decimal import Decimal
from pathlib import Path

from devtools.scripted import Crash, Cue, Fail, Say, ScriptedMember
from dissolution.answers import (
    FailureClass,
    MemberFailure,
    MemberTask,
    PromptMessage,
    PromptStamp,
    RenderedPrompt,
    Usage,
)
from dissolution.answers import Reply as Answered
from dissolution.errors import MemberTimeout
from dissolution.job import Job
from dissolution.policy.job_policy import BudgetPolicy, Policy
from dissolution.ports.models import Member
from tests.factories import a_conversation, a_snapshot
from tests.running import a_job, a_member, running
from workers.members.stage_calls import StageCalls, everybody, place_of
from workers.services import Services

SNAPSHOT = a_snapshot("One turn.")
STAGE = "question_bank"


def a_prompt(text: str, role: str = "user") -> RenderedPrompt:
    stamp = PromptStamp(name="p", version=1, digest="0" * 64)
    return RenderedPrompt(stamp=stamp, messages=(PromptMessage(role=role, content=text),))


def asked(services: Services, job: Job, member: Member, text: str) -> Answered | MemberFailure:
    task = MemberTask(snapshot=SNAPSHOT, prompt=a_prompt(text), deadline_s=5)
    return StageCalls(services, job, STAGE).ask((member,), lambda _member: task, None)[member.card.name]


def test_the_place_of_a_prompt_follows_its_words_alone() -> None:
    places = {place_of(a_prompt(text, role)) for text in ("a", "b", "ab") for role in ("system", "user")}
    assert len(places) == 6
    assert place_of(a_prompt("a")) == place_of(a_prompt("a"))
    assert all(0 <= place < 2**31 for place in places)


def test_the_same_question_is_asked_once_and_another_anew(tmp_path: Path) -> None:
    member = a_member("a", Say("first"), Say("second"))
    with running(tmp_path, [member]) as services:
        job = a_job(services, a_conversation("One turn."))
        said = [asked(services, job, member, text) for text in ("x", "x", "y", "x")]
        with services.unit_of_work() as work:
            assert len(work.jobs.calls(job.id, STAGE)) == 2
    assert [one.text for one in said if isinstance(one, Answered)] == ["first", "first", "second", "first"]
    assert member.asked == 2


def test_a_failure_is_a_value_and_stays_one(tmp_path: Path) -> None:
    for name, cue, expected in (
        ("slow", Fail(MemberTimeout, "too slow"), FailureClass.TIMEOUT),
        ("broken", Crash(RuntimeError, "secret"), FailureClass.INTERNAL),
    ):
        (tmp_path / name).mkdir()
        cues: tuple[Cue, ...] = (cue, Say("late"))
        member = a_member("a", *cues)
        with running(tmp_path / name, [member]) as services:
            job = a_job(services, a_conversation("One turn."))
            for _ in range(2):
                result = asked(services, job, member, "x")
                assert isinstance(result, MemberFailure)
                assert result.error_class is expected
                assert "secret" not in result.detail
        assert member.asked == 1


def test_a_secret_in_a_reply_is_replaced_before_it_is_stored(tmp_path: Path) -> None:
    secret = "sk-" + "proj-" + "A7f3kQ9zLm2Xw8Rt5Yb1Nc6Vd4Ge0Hj" * 2
    member = a_member("a", Say(f"the key is {secret}"))
    with running(tmp_path, [member]) as services:
        job = a_job(services, a_conversation("One turn."))
        result = asked(services, job, member, "x")
    assert isinstance(result, Answered)
    assert "[secret:" in result.text
    assert secret.encode() not in b"".join(path.read_bytes() for path in tmp_path.iterdir())


class Priced(ScriptedMember):
    """A scripted member with a price."""

    def estimate(self, task: object) -> Usage:  # noqa: ARG002 - every task costs the same here
        return Usage(input_tokens=1000, cached_input_tokens=0, output_tokens=100, cost_usd=Decimal("0.40"))


def test_what_is_over_the_cap_is_not_asked(tmp_path: Path) -> None:
    member = Priced(a_member("a", Say("x")).card, [Say("x")])
    policy = Policy(budget=BudgetPolicy(max_usd=Decimal("0.30")))
    with running(tmp_path, [member]) as services:
        job = a_job(services, a_conversation("One turn."), policy)
        result = asked(services, job, member, "x")
    assert isinstance(result, MemberFailure)
    assert result.error_class is FailureClass.BUDGET
    assert member.asked == 0


def test_everybody_may_be_waited_for_as_long_as_a_policy_allows() -> None:
    longest = everybody(3, 7200.0)
    assert (longest.min_members, longest.hard_deadline_s) == (3, 7200.0)
    assert longest.soft_deadline_s <= longest.hard_deadline_s
