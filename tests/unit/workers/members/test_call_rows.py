"""The rows of a fan-out: before the call, the moment it lands, and against the cap."""

from decimal import Decimal
from pathlib import Path

import pytest

from devtools.scripted import SCRIPTED_USAGE, Say, ScriptedMember
from dissolution.answers import FailureClass, FinishReason, MemberFailure, MemberTask, Reply, Usage
from dissolution.errors import MemberOverBudget
from dissolution.job import Job
from dissolution.policy.job_policy import BudgetPolicy, Policy
from dissolution.room import Room
from tests.factories import a_conversation
from tests.running import a_job, a_member, running
from workers.members.call_rows import STAGE, CallBook, answering_calls
from workers.members.context_windows import Asker, Window
from workers.services import Services

KEY = b"k" * 32
CAP = Policy(budget=BudgetPolicy(max_usd=Decimal("1.00")))


class Priced(ScriptedMember):
    """Every call is expected to cost 0.40 USD."""

    def estimate(self, task: MemberTask) -> Usage:  # noqa: ARG002 - every task costs the same here
        return a_usage("0.40")


def a_usage(usd: str) -> Usage:
    return Usage(input_tokens=10, cached_input_tokens=0, output_tokens=1, cost_usd=Decimal(usd))


def priced(name: str) -> Priced:
    return Priced(a_member(name, Say("x")).card, [Say("x")])


def a_book(services: Services, job: Job) -> CallBook:
    with services.unit_of_work() as work:
        snapshot = work.conversations.get(job.conversation).snapshot(job.through)
        calls = work.jobs.calls(job.id, STAGE)
    asker = Asker(version=3, key=KEY, deadline_s=60, room=Room(tokens=400))
    task = asker.task(snapshot, Window(since=0, through=snapshot.through), None)
    return CallBook(services, job, task, calls, KEY)


def test_calls_in_flight_count_against_the_cap(tmp_path: Path) -> None:
    with running(tmp_path, []) as services:
        book = a_book(services, a_job(services, a_conversation("One."), CAP))
        first, second, third = (priced(name) for name in "abc")
        for member in (first, second):
            assert book.refusal_of(member) is None
            book.asked(member)
        refusal = book.refusal_of(third)
        assert refusal is not None
        assert refusal.error_class is FailureClass.BUDGET
        book.landed(second, Reply(text="x", finish=FinishReason.STOP, usage=a_usage("0.10")), False)
        assert book.refusal_of(third) is None


def test_a_window_over_the_cap_is_not_asked(tmp_path: Path) -> None:
    with running(tmp_path, []) as services:
        book = a_book(services, a_job(services, a_conversation("One."), CAP))
        member = priced("a")
        book.last_ordinals["a"] = 3
        book.asked(member)
        for ordinal in range(2):
            book.reserve_window(member, ordinal, a_usage("0.40"))
            usage = a_usage("0.45")
            book.window_landed(member, Reply(text="x", finish=FinishReason.STOP, usage=usage), ordinal)
        with pytest.raises(MemberOverBudget, match="budget"):
            book.reserve_window(member, 2, a_usage("0.40"))


def test_a_call_that_a_dead_run_had_in_flight_counts_twice(tmp_path: Path) -> None:
    with running(tmp_path, []) as services:
        job = a_job(services, a_conversation("One."), CAP)
        member = priced("a")
        a_book(services, job).asked(member)
        again = a_book(services, job)
        again.asked(member)
        assert sum(usage.cost_usd for usage in again.spent() if isinstance(usage.cost_usd, Decimal)) == Decimal("0.80")


def test_a_secret_in_a_reply_is_replaced_before_it_is_stored(tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    with running(tmp_path, []) as services:
        job = a_job(services, a_conversation("One."))
        book = a_book(services, job)
        member = a_member("a", Say("x"))
        book.asked(member)
        book.landed(
            member, Reply(text=f"The token is {secret}.", finish=FinishReason.STOP, usage=SCRIPTED_USAGE), False
        )
        with services.unit_of_work() as work:
            reply = work.jobs.calls(job.id, STAGE)[0].reply
    assert reply is not None
    assert secret not in reply.text
    assert "[secret:" in reply.text


def test_a_member_the_budget_refused_has_a_row_all_the_same(tmp_path: Path) -> None:
    with running(tmp_path, []) as services:
        job = a_job(services, a_conversation("One."))
        book = a_book(services, job)
        failure = MemberFailure(error_class=FailureClass.BUDGET, detail="no room")
        book.landed(a_member("a", Say("x")), failure, False)
        with services.unit_of_work() as work:
            calls = work.jobs.calls(job.id, STAGE)
    assert [call.failure for call in calls] == [failure]
    assert answering_calls(calls) == calls


def test_rows_of_a_fan_out_are_written_at_once_before_the_first_request(tmp_path: Path) -> None:
    with running(tmp_path, []) as services:
        job = a_job(services, a_conversation("One."))
        book = a_book(services, job)
        for name in "ab":
            book.noted(a_member(name, Say("x")))
        with services.unit_of_work() as work:
            assert work.jobs.calls(job.id, STAGE) == ()
        book.asking()
        book.asking()
        with services.unit_of_work() as work:
            rows = work.jobs.calls(job.id, STAGE)
        assert [(row.member.name, row.landed_at) for row in rows] == [("a", None), ("b", None)]
        book.landed(a_member("a", Say("x")), Reply(text="x", finish=FinishReason.STOP, usage=SCRIPTED_USAGE), False)
        with services.unit_of_work() as work:
            assert [row.landed_at is None for row in work.jobs.calls(job.id, STAGE)] == [False, True]
