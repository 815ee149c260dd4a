"""The fan-out: every member is asked once, what lands is stored at once, and nobody is asked over a cap."""

from contextlib import suppress
from decimal import Decimal
from pathlib import Path

import pytest

from devtools.scripted import Fail, Say, ScriptedMember
from dissolution.answers import Call, FailureClass, MemberTask, Usage
from dissolution.errors import BehindBoundary, BudgetExceeded, MemberTimeout
from dissolution.job import Job
from dissolution.policy.job_policy import BudgetPolicy, Policy
from tests.factories import a_conversation
from tests.running import Deaths, Killed, a_job, a_member, running
from workers.runtime.inline import run_job
from workers.services import Services
from workers.stages.fan_out import ask_fleet
from workers.step_results import FanOutReport

ANSWER = "KNOWN\n- We deploy on Tuesday. [turn 1]\nDECIDED\nnone\nEDGES\nnone\nIDENTITY\nnone\n"
TALK = a_conversation("We deploy on Tuesday.", "Noted.", "And we test on Monday.", "Noted.")


class Priced(ScriptedMember):
    """A member that costs three dollars a call."""

    def estimate(self, task: MemberTask) -> Usage:
        return super().estimate(task).model_copy(update={"cost_usd": Decimal(3)})


def calls_of(services: Services, job: Job) -> dict[str, Call]:
    with services.unit_of_work() as work:
        return {call.member.name: call for call in work.jobs.calls(job.id, "fan_out")}


def test_each_member_is_asked_once_and_a_failed_one_is_a_value(tmp_path: Path) -> None:
    members = (a_member("a", Say(ANSWER)), a_member("b", Say(ANSWER)), a_member("c", Fail(MemberTimeout)))
    with running(tmp_path, members) as services:
        job = a_job(services, TALK)
        result = ask_fleet(services, job)
        calls = calls_of(services, job)
    assert [member.asked for member in members] == [1, 1, 1]
    assert isinstance(result.output, FanOutReport)
    assert (result.output.asked, result.output.answered, result.output.shown_version) == (3, 2, 0)
    assert {name: call.reply is not None for name, call in calls.items()} == {"a": True, "b": True, "c": False}
    failure = calls["c"].failure
    assert failure is not None
    assert failure.error_class is FailureClass.TIMEOUT


@pytest.mark.parametrize("at", range(1, 7))
def test_after_a_death_at_any_commit_only_those_are_asked_who_had_not_landed(tmp_path: Path, at: int) -> None:
    with running(tmp_path, (a_member("a", Say(ANSWER)), a_member("b", Say(ANSWER)))) as services:
        job = a_job(services, TALK)
        with suppress(Killed):
            ask_fleet(Deaths(at=at, moment="after").around(services), job)
        landed = {name: call.reply for name, call in calls_of(services, job).items() if call.reply is not None}
    again = (a_member("a", Say(ANSWER)), a_member("b", Say(ANSWER)))
    with running(tmp_path, again) as services:
        result = ask_fleet(services, job)
        calls = calls_of(services, job)
    assert {member.card.name: member.asked for member in again} == {name: int(name not in landed) for name in "ab"}
    assert isinstance(result.output, FanOutReport)
    assert result.output.answered == 2
    assert {name: calls[name].reply for name in landed} == landed


def test_nobody_is_asked_what_the_cap_does_not_pay(tmp_path: Path) -> None:
    members = tuple(Priced(a_member(name, Say(ANSWER)).card, (Say(ANSWER),)) for name in "ab")
    with running(tmp_path, members) as services:
        job = a_job(services, TALK, Policy(budget=BudgetPolicy(max_usd=Decimal(5))))
        with pytest.raises(BudgetExceeded) as refused:
            ask_fleet(services, job)
        assert (refused.value.amount, refused.value.cap) == ("6", "5")
        assert calls_of(services, job) == {}
    assert [member.asked for member in members] == [0, 0]


def test_a_cycle_shows_the_boundary_and_asks_about_the_turns_after_it(tmp_path: Path) -> None:
    members = (a_member("a", Say(ANSWER)), a_member("b", Say(ANSWER)))
    with running(tmp_path, members) as services:
        run_job(services, a_job(services, TALK, through=2).id)
        result = ask_fleet(services, a_job(services, TALK))
    assert isinstance(result.output, FanOutReport)
    assert (result.output.shown_version, result.output.since) == (1, 2)
    assert result.note.endswith("about the turns since turn 2")


def test_a_job_that_a_later_boundary_has_overtaken_asks_nobody(tmp_path: Path) -> None:
    members = (a_member("a", Say(ANSWER)), a_member("b", Say(ANSWER)))
    with running(tmp_path, members) as services:
        early = a_job(services, TALK, through=2)
        run_job(services, a_job(services, TALK).id)
        asked = [member.asked for member in members]
        with pytest.raises(BehindBoundary):
            ask_fleet(services, early)
    assert [member.asked for member in members] == asked
