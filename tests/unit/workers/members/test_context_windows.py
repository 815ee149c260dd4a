"""Snapshots longer than a member's window: planned without gaps, carried on, resumed, and told in the receipt."""

from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devtools.clock import FixedClock
from devtools.scripted import Cue, Fail, Say, ScriptedMember
from dissolution.answers import AnswerClass, FailureClass, MemberTask, RenderedPrompt, Reply
from dissolution.errors import MemberTimeout, MemberWindowExceeded
from dissolution.job import Job, JobStatus
from dissolution.receipt.job_receipt import Receipt
from dissolution.room import Room
from prompts.held import HeldState
from tests.factories import INSTANT, a_conversation, a_snapshot
from tests.running import Deaths, Killed, a_job, a_member, running
from workers.members.context_windows import SAID_SINCE, Asker, Window, plan
from workers.members.cycles import cycle_on
from workers.runtime.inline import run_job
from workers.services import Services

ASKER = Asker(version=4, key=b"k" * 32, deadline_s=60, room=Room(tokens=400))
TALK = tuple(f"Server web-{n} runs release r{400 + n} and we keep it." for n in range(1, 13))
STATE = "KNOWN\n{known}\nDECIDED\nnone\nEDGES\nnone\nIDENTITY\nnone\n"


def state(*turns: int) -> str:
    return STATE.format(known="\n".join(f"- Server web-{n} runs release r{400 + n}. [turn {n}]" for n in turns))


class SmallWindow(ScriptedMember):
    """A scripted member that reads so many characters and remembers what it was given."""

    max_output_tokens = 50

    def __init__(self, name: str, window: int, *script: Cue) -> None:
        super().__init__(a_member(name, Say("x")).card, script, after_last="raise")
        self.window = window
        self.prompts: list[RenderedPrompt] = []

    def fits(self, prompt: RenderedPrompt, prior_tokens: int = 0) -> bool:
        return len(prompt.text) + prior_tokens <= self.window

    async def answer(self, task: MemberTask) -> Reply:
        self.prompts.append(task.prompt)
        return await super().answer(task)


def window_for(turns: int) -> int:
    """Characters that just hold the first prompt over so many turns."""
    part = a_snapshot(*TALK[:turns])
    return len(ASKER.task(part, Window(since=0, through=turns), None).prompt.text)


def test_members_that_read_the_same_share_one_prompt() -> None:
    asker, talk = ASKER.model_copy(), a_snapshot(*TALK)
    whole, half = Window(since=0, through=len(TALK)), Window(since=0, through=6)
    first = asker.task(talk, whole, None)
    assert asker.task(talk, whole, None) is first
    assert asker.task(talk, half, None).snapshot.through == half.through
    assert asker.task(a_snapshot(*TALK[1:]), half, None).prompt.text != asker.task(talk, half, None).prompt.text
    later = Window(since=6, through=len(TALK))
    assert asker.task(talk, later, "KNOWN a").prompt.text != asker.task(talk, later, "KNOWN b").prompt.text


def test_a_member_without_a_window_reads_everything_at_once() -> None:
    assert plan(a_member("a", Say("x")), a_snapshot(*TALK), ASKER) == (Window(since=0, through=12),)


def test_what_fits_is_one_window() -> None:
    member = SmallWindow("a", window_for(12), Say("x"))
    assert plan(member, a_snapshot(*TALK), ASKER) == (Window(since=0, through=12),)


@settings(max_examples=40, deadline=None)
@given(st.integers(min_value=0, max_value=3000))
def test_windows_leave_no_gap_and_each_fits(extra: int) -> None:
    member = SmallWindow("a", window_for(1) + 600 + extra, Say("x"))
    snapshot = a_snapshot(*TALK)
    windows = plan(member, snapshot, ASKER)
    assert windows[0].since == 0
    assert windows[-1].through == snapshot.through
    for before, after in pairwise(windows):
        assert before.through == after.since
        assert after.through > after.since
    for ordinal, window in enumerate(windows):
        prior = "x" * member.max_output_tokens if ordinal else None
        assert len(ASKER.task(snapshot, window, prior).prompt.text) <= member.window + len("KNOWN")


def test_a_turn_that_does_not_fit_is_named() -> None:
    snapshot = a_snapshot(*TALK[:3], "long " * 2000, *TALK[3:])
    with pytest.raises(MemberWindowExceeded, match="turn 4 alone"):
        plan(SmallWindow("a", window_for(3) + 600, Say("x")), snapshot, ASKER)


def run_with(services: Services) -> tuple[Job, Receipt]:
    job = run_job(services, a_job(services, a_conversation(*TALK)).id)
    with services.unit_of_work() as work:
        receipt = work.boundaries.receipt(job.id)
    assert receipt is not None
    return job, receipt


def test_windows_carry_the_state_and_the_last_reply_is_the_answer(tmp_path: Path) -> None:
    whole = state(*range(1, 13))
    small = SmallWindow("small", window_for(12) - 60, Say(state(1, 2)), Say(whole))
    with running(tmp_path, [small, a_member("b", Say(whole))]) as services:
        job, receipt = run_with(services)
        with services.unit_of_work() as work:
            calls = work.jobs.calls(job.id, "fan_out")
            answers = work.jobs.answers(job.id)
    assert job.status is JobStatus.COMMITTED
    assert {report.card.name: report.windows for report in receipt.members} == {"small": 2, "b": 1}
    assert {line.of: (line.calls, line.replies) for line in receipt.cost.by_member} == {"small": (2, 2), "b": (1, 1)}
    assert [(call.member.name, call.ordinal, call.prompt.name) for call in calls] == [
        ("b", 0, "four_part"),
        ("small", 0, "four_part"),
        ("small", 1, "carried"),
    ]
    assert "Server web-2 runs release r402" in small.prompts[1].text
    assert TALK[0] not in small.prompts[1].text, "a window is sent again with the next one"
    assert len(answers) == 2
    assert {answer.reply.text for answer in answers} == {whole}


def test_a_window_that_gives_nothing_to_carry_on_fails_the_member_alone(tmp_path: Path) -> None:
    whole = state(*range(1, 13))
    small = SmallWindow("small", window_for(12) - 60, Say("I cannot help with that."))
    members = [small, a_member("b", Say(whole)), a_member("c", Say(whole))]
    with running(tmp_path, members) as services:
        job, receipt = run_with(services)
    assert job.status is JobStatus.COMMITTED
    report = next(report for report in receipt.members if report.card.name == "small")
    assert (report.failure, report.windows) == (FailureClass.UNPARSABLE, 2)
    assert "window 1 of 2" in report.detail


def test_a_failed_window_and_a_turn_too_long_are_values(tmp_path: Path) -> None:
    whole = state(*range(1, 13))
    slow = SmallWindow("slow", window_for(12) - 60, Fail(MemberTimeout, "slow"))
    tiny = SmallWindow("tiny", 10, Say("never said"))
    with running(tmp_path, [slow, tiny, a_member("b", Say(whole)), a_member("c", Say(whole))]) as services:
        job, receipt = run_with(services)
    assert job.status is JobStatus.COMMITTED
    failures = {report.card.name: report.failure for report in receipt.members if report.failure}
    assert failures == {"slow": FailureClass.TIMEOUT, "tiny": FailureClass.CONTEXT_WINDOW}
    assert tiny.asked == 0


@pytest.mark.slow  # a whole job for each commit at which it may die
def test_a_job_that_dies_between_windows_asks_only_what_has_not_landed(tmp_path: Path) -> None:
    whole = state(*range(1, 13))
    for at in range(1, 14):
        folder = tmp_path / str(at)
        folder.mkdir()
        small = SmallWindow("small", window_for(12) - 60, Say(state(1, 2)), Say(whole), Say(whole), Say(whole))
        with running(folder, [small, a_member("b", Say(whole))]) as services:
            job = a_job(services, a_conversation(*TALK))
            with pytest.raises(Killed):
                run_job(Deaths(at=at, moment="after").around(services), job.id)
            with services.unit_of_work() as work:
                landed = [call.landed_at for call in work.jobs.calls(job.id, "fan_out") if call.member.name == "small"]
            asked = small.asked
            later = replace(services, clock=FixedClock(INSTANT + timedelta(minutes=5)))
            assert run_job(later, job.id).status is JobStatus.COMMITTED
            assert small.asked - asked == 2 - sum(instant is not None for instant in landed)
            with services.unit_of_work() as work:
                classes = {answer.parsed.answer_class for answer in work.jobs.answers(job.id)}
            assert classes == {AnswerClass.OK}


HELD = HeldState(
    text="KNOWN\n- [c3f2a] Server web-1 runs release r401.", ids={"c3f2a": "c3f2a1"}, through=4, left_out=0
)


def test_the_windows_of_a_cycle_begin_after_the_boundary_and_each_shows_it() -> None:
    asker = ASKER.model_copy(update={"cycle": HELD})
    snapshot = a_snapshot(*TALK)
    assert plan(a_member("a", Say("x")), snapshot, asker) == (Window(since=4, through=12),)
    first = asker.task(snapshot, Window(since=4, through=8), None)
    narrow = SmallWindow("a", len(first.prompt.text) + 200, Say("x"))
    windows = plan(narrow, snapshot, asker)
    assert len(windows) > 1
    assert (windows[0].since, windows[-1].through) == (4, 12)
    assert all(a.through == b.since for a, b in pairwise(windows))
    later = asker.task(snapshot, windows[1], "KNOWN\n- Said before. [turn 5]")
    for task in (first, later):
        assert task.since == 4
        assert (task.prompt.stamp.name, task.prompt.stamp.version) == ("rolling", 5)
        assert "[c3f2a] Server web-1" in task.prompt.text
        assert "Server web-4 runs" not in task.prompt.text
    assert SAID_SINCE.format(since=windows[1].since) in later.prompt.text
    assert "Said before." in later.prompt.text
    assert "Said before." not in first.prompt.text


def test_what_each_window_of_a_cycle_says_counts(tmp_path: Path) -> None:
    with running(tmp_path, [a_member("a", Say(state(1))), a_member("b", Say(state(1)))]) as services:
        run_job(services, a_job(services, a_conversation(*TALK[:1])).id)
    empty = "KNOWN\nnone\nDECIDED\nnone\nEDGES\nnone\nIDENTITY\nnone"
    wide = [Say(state(*range(3, 8)))]
    with running(tmp_path, [a_member("b", *wide)]) as services:
        probe = a_job(services, a_conversation(*TALK))
        with services.unit_of_work() as work:
            boundary, snapshot = work.boundaries.current("conv-1"), work.conversations.get("conv-1").snapshot()
            assert boundary is not None
            held = cycle_on(boundary, probe, snapshot, services)
    asker = ASKER.model_copy(update={"cycle": held})
    room = len(asker.task(snapshot, Window(since=1, through=8), None).prompt.text) + 100
    small = SmallWindow("a", room, Say(state(3)), Say(state(4)), *[Say(empty)] * 9)
    with running(tmp_path, [small, a_member("b", *wide)]) as services:
        job = run_job(services, probe.id)
        with services.unit_of_work() as work:
            receipt, answers = work.boundaries.receipt(job.id), work.jobs.answers(job.id)
    assert receipt is not None
    assert job.status is JobStatus.COMMITTED
    assert receipt.members[0].windows == len(small.prompts) > 1
    mine = next(answer for answer in answers if answer.member.name == "a")
    assert [claim.turns for claim in mine.parsed.claims] == [(3,), (4,)]
