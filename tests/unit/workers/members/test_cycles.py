"""Cycles: what members are shown and read, what is reconciled, and what a moved ledger and a waiting person mean."""

from pathlib import Path

import pytest

from devtools.scripted import Cue, Say, ScriptedMember
from dissolution.answers import MemberTask, Reply
from dissolution.boundary import BoundaryState
from dissolution.claims import ClaimState, HeldAct
from dissolution.errors import InputError
from dissolution.findings import Consensus
from dissolution.job import Job, JobStatus
from dissolution.ledger import Act, LedgerEventKind
from dissolution.policy.job_policy import Policy, RollingPolicy
from dissolution.reviewing import Fault
from prompts.held import short_ids
from tests.factories import a_conversation
from tests.running import a_job, a_member, running
from triggers.submit import Request, submit
from workers.execution.steps import run_step
from workers.members.cycles import cycle_version
from workers.pipeline import STAGE_NAMES
from workers.runtime.inline import run_job
from workers.services import NoBell, Services
from workers.stages.hold import approve, discard
from workers.stages.reconcile_again import RECONCILED, REOPENED, stages_from
from workers.step_results import FanOutReport, step_output

TALK = ("We deploy on Tuesday at 09:00.", "Noted. Jenkins is ruled out; we use Argo.", "The cluster has 12 nodes.")
FIRST = """KNOWN
- The deploy is on Tuesday at 09:00. [turn 1]
DECIDED
- Jenkins is ruled out; we use Argo. [turn 2]
EDGES
none
IDENTITY
none"""
SINCE = """KNOWN
- The cluster has 12 nodes. [turn 3]
DECIDED
none
EDGES
none
IDENTITY
none"""
NOTHING = "KNOWN\nnone\nDECIDED\nnone\nEDGES\nnone\nIDENTITY\nnone"


class Listener(ScriptedMember):
    """A scripted member that remembers what it was asked."""

    def __init__(self, name: str, *script: Cue) -> None:
        super().__init__(a_member(name, Say("x")).card, script)
        self.tasks: list[MemberTask] = []

    async def answer(self, task: MemberTask) -> Reply:
        self.tasks.append(task)
        return await super().answer(task)


def two(*replies: str) -> tuple[Listener, Listener]:
    """Two members of two families that give the same replies in order."""
    return Listener("a", *map(Say, replies)), Listener("b", *map(Say, replies))


def a_run(services: Services, *contents: str, policy: Policy | None = None) -> Job:
    return run_job(services, a_job(services, a_conversation(*contents), policy).id)


def a_held_run(services: Services, *contents: str) -> Job:
    request = Request(conversation=a_conversation(*contents), fleet="scripted", policy=Policy(), hold=True)
    job = submit(request, unit_of_work=services.unit_of_work, clock=services.clock, queue=NoBell(), stages=STAGE_NAMES)
    return run_job(services, job.job.id)


def standing(services: Services) -> BoundaryState:
    with services.unit_of_work() as work:
        boundary = work.boundaries.current("conv-1")
    assert boundary is not None
    return boundary


def events_of(services: Services, job: Job, kind: str) -> int:
    with services.unit_of_work() as work:
        return sum(event.kind == kind for event in work.jobs.events(job.id))


def by_text(boundary: BoundaryState, words: str) -> str:
    return next(claim.id for claim in boundary.claims if words in claim.text)


def pinned(services: Services) -> None:
    """A person's act: the ledger is one version further."""
    with services.unit_of_work() as work:
        act = Act(kind=LedgerEventKind.PINNED, claim=by_text(standing(services), "Jenkins"), actor="ann", reason="so")
        work.ledger.act("conv-1", act, work.boundaries.version("conv-1"), services.clock.now())
        work.commit()


def test_a_cycle_shows_the_boundary_and_reads_the_turns_since(tmp_path: Path) -> None:
    members = two(FIRST, SINCE)
    with running(tmp_path, members) as services:
        a_run(services, *TALK[:2])
        first = standing(services)
        job = a_run(services, *TALK)
        second = standing(services)
        with services.unit_of_work() as work:
            report = FanOutReport.model_validate_json(step_output(work, job, "fan_out"))
    task = members[0].tasks[1]
    assert (task.prompt.stamp.name, task.prompt.stamp.version, task.since) == ("rolling", 6, 2)
    short = short_ids([claim.id for claim in first.claims])
    for claim in first.claims:
        assert f"| - [{short[claim.id]}] {claim.text}" in task.prompt.text
    assert "The cluster has 12 nodes." in task.prompt.text
    assert "[turn 2]" not in task.prompt.text
    assert (report.shown_version, report.since) == (1, 2)
    states = {claim.text.split(";")[0]: (claim.state, claim.carried) for claim in second.claims}
    assert states == {
        "The deploy is on Tuesday at 09:00.": (ClaimState.CARRIED, 1),
        "The cluster has 12 nodes.": (ClaimState.CURRENT, 0),
        "Jenkins is ruled out": (ClaimState.CARRIED, 1),
    }


def test_what_members_say_of_held_claims_is_read_by_the_ids_they_were_shown(tmp_path: Path) -> None:
    members = two(FIRST)
    with running(tmp_path, members) as services:
        a_run(services, *TALK[:2])
        claim = by_text(standing(services), "Tuesday")
    reply = SINCE.replace(
        "none\nEDGES", f"- The deploy stays on Tuesday at 09:00. [turn 3] [affirms {claim[:5]}]\nEDGES"
    )
    reply = reply.replace("[turn 3]\nDECIDED", "[turn 3] [closes c9999]\nDECIDED")
    with running(tmp_path, two(reply)) as services:
        job = a_run(services, *TALK)
        with services.unit_of_work() as work:
            answer = work.jobs.answers(job.id)[0].parsed
    assert [(one.act, one.about) for one in answer.claims] == [(None, None), (HeldAct.AFFIRM, claim)]
    assert "unknown_claim: c9999" in answer.problems


WEDNESDAY = (*TALK[:2], "The deploy moves to Wednesday at 09:00, and Argo needs 3 pods.")
MOVED = """KNOWN
- The deploy is on Wednesday at 09:00. [turn 3] [revises {claim}]
- Argo needs 3 pods. [turn 3]
DECIDED
none
EDGES
none
IDENTITY
none"""


def after_the_move(tmp_path: Path, *cite: bool) -> tuple[BoundaryState, Consensus]:
    """The boundary after a cycle in which members state the new day, each citing the held claim or not."""
    with running(tmp_path, two(FIRST)) as services:
        a_run(services, *TALK[:2])
        claim = by_text(standing(services), "Tuesday")[:5]
    plain = MOVED.replace(" [revises {claim}]", "")
    replies = [(MOVED.format(claim=claim) if cites else plain) for cites in cite]
    members = [Listener(name, Say(reply)) for name, reply in zip("ab", replies, strict=True)]
    with running(tmp_path, members) as services:
        job = a_run(services, *WEDNESDAY)
        assert job.status is JobStatus.COMMITTED
        with services.unit_of_work() as work:
            return standing(services), Consensus.model_validate_json(step_output(work, job, "consensus"))


def test_what_two_families_revise_is_held_no_longer(tmp_path: Path) -> None:
    boundary, found = after_the_move(tmp_path, True, True)
    texts = {claim.text for claim in boundary.claims}
    assert "The deploy is on Wednesday at 09:00." in texts
    assert not [text for text in texts if "Tuesday" in text]
    assert [claim.state for claim in boundary.closed] == [ClaimState.SUPERSEDED]
    assert not found.hints


@pytest.mark.parametrize("cite", [(True, False), (False, False)])
def test_what_fewer_say_is_carried_and_told_as_a_hint(tmp_path: Path, cite: tuple[bool, bool]) -> None:
    boundary, found = after_the_move(tmp_path, *cite)
    old = next(claim for claim in boundary.claims if "Tuesday" in claim.text)
    assert not boundary.closed
    (hint,) = found.hints
    assert hint.suspects is (Fault.STALE if cite[0] else Fault.SAME_AS)
    assert old.id in hint.claims
    assert ("1 family says" in hint.basis) is cite[0]


def test_members_may_have_nothing_to_say_of_the_turns_since(tmp_path: Path) -> None:
    with running(tmp_path, two(FIRST, NOTHING)) as services:
        a_run(services, *TALK[:2])
        job = a_run(services, *TALK[:2], "Thanks a lot.")
        boundary = standing(services)
    assert job.status is JobStatus.COMMITTED
    assert {claim.carried for claim in boundary.claims} == {1}


def test_without_turns_since_the_same_turns_are_read_once_more(tmp_path: Path) -> None:
    members = two(FIRST, FIRST)
    with running(tmp_path, members) as services:
        a_run(services, *TALK[:2])
        a_run(services, *TALK[:2])
        boundary = standing(services)
    assert [task.prompt.stamp.name for task in members[0].tasks] == ["four_part", "four_part"]
    assert members[0].tasks[1].since == 0
    assert boundary.version == 2
    assert {claim.carried for claim in boundary.claims} == {0}


def test_after_a_roll_back_a_cycle_reads_from_where_that_version_ended(tmp_path: Path) -> None:
    members = two(FIRST, SINCE, SINCE)
    with running(tmp_path, members) as services:
        a_run(services, *TALK[:2])
        a_run(services, *TALK)
        with services.unit_of_work() as work:
            work.ledger.roll_back("conv-1", 1, 2, services.clock.now(), actor="ann", reason="once more")
            work.commit()
        a_run(services, *TALK)
        boundary = standing(services)
    assert [task.since for task in members[0].tasks] == [0, 2, 2]
    assert (boundary.version, boundary.through) == (4, 3)


@pytest.mark.parametrize(("four_part", "rolling", "wanted"), [(3, 5, 5), (2, 4, 4), (2, 3, 3), (2, 2, 2), (1, 4, 1)])
def test_the_dissertations_prompt_goes_on_with_its_own(
    tmp_path: Path, four_part: int, rolling: int, wanted: int
) -> None:
    policy = Policy(prompt_version=four_part, rolling=RollingPolicy(prompt_version=rolling))
    members = two(FIRST, SINCE)
    with running(tmp_path, members) as services:
        a_run(services, *TALK[:2], policy=policy)
        job = a_run(services, *TALK, policy=policy)
    assert cycle_version(job) == wanted
    assert members[0].tasks[1].prompt.stamp.version == wanted


def test_a_held_job_waits_and_is_committed_as_it_was_looked_at(tmp_path: Path) -> None:
    members = two(FIRST)
    with running(tmp_path, members) as services:
        job = a_held_run(services, *TALK[:2])
        assert job.status is JobStatus.HELD
        assert run_job(services, job.id).status is JobStatus.HELD  # nobody runs it on
        assert not run_step(services, job.id, "commit")
        assert events_of(services, job, "job_held") == 1
        assert approve(services, job)
        assert run_job(services, job.id).status is JobStatus.COMMITTED
        with pytest.raises(InputError, match="not held"):
            approve(services, job)
        with pytest.raises(InputError, match="not held"):
            discard(services, job, "too late")
    assert members[0].asked == 1


def test_a_held_job_on_a_moved_ledger_is_reconciled_and_held_again(tmp_path: Path) -> None:
    members = two(FIRST, SINCE)
    with running(tmp_path, members) as services:
        a_run(services, *TALK[:2])
        job = a_held_run(services, *TALK)
        pinned(services)
        assert not approve(services, job)
        again = run_job(services, job.id)
        assert (again.status, again.expected_version) == (JobStatus.HELD, 2)
        assert approve(services, again)
        assert run_job(services, job.id).status is JobStatus.COMMITTED
        boundary = standing(services)
    assert boundary.version == 3
    assert members[0].asked == 2


def test_a_ledger_that_moves_after_the_approval_asks_for_another_look(tmp_path: Path) -> None:
    with running(tmp_path, two(FIRST, SINCE)) as services:
        a_run(services, *TALK[:2])
        job = a_held_run(services, *TALK)
        assert approve(services, job)
        pinned(services)
        again = run_job(services, job.id)
    assert (again.status, again.expected_version) == (JobStatus.HELD, 2)


def test_a_discarded_job_keeps_its_receipt_and_no_boundary(tmp_path: Path) -> None:
    with running(tmp_path, two(FIRST)) as services:
        job = a_held_run(services, *TALK[:2])
        ended = discard(services, job, "discarded by ann: too early")
        with services.unit_of_work() as work:
            receipt = work.boundaries.receipt(job.id)
            assert work.boundaries.version("conv-1") == 0
    assert (ended.status, ended.reason) == (JobStatus.CANCELLED, "discarded by ann: too early")
    assert receipt is not None
    assert receipt.consensus is not None


def up_to_the_commit(services: Services, job: Job) -> None:
    for stage in STAGE_NAMES[:-1]:
        assert run_step(services, job.id, stage)


def test_a_commit_that_meets_another_version_is_reconciled_with_it_and_asks_nobody_again(tmp_path: Path) -> None:
    members = two(FIRST, SINCE)
    with running(tmp_path, members) as services:
        a_run(services, *TALK[:2])
        job = a_job(services, a_conversation(*TALK))
        up_to_the_commit(services, job)
        pinned(services)
        assert run_step(services, job.id, "commit")
        with services.unit_of_work() as work:
            waiting = [step.stage for step in work.jobs.steps(job.id) if step.status.value == "queued"]
            assert waiting == list(RECONCILED)
        ended = run_job(services, job.id)
        boundary = standing(services)
        with services.unit_of_work() as work:
            receipt = work.boundaries.receipt(job.id)
    assert (ended.status, boundary.version) == (JobStatus.COMMITTED, 3)
    assert [member.asked for member in members] == [2, 2]
    assert receipt is not None
    assert receipt.consensus.model_dump()["prior_version"] == 2
    assert "pinned" in {mark.value for claim in boundary.claims for mark in claim.marks}


def test_reconciling_again_is_bounded_by_the_policy(tmp_path: Path) -> None:
    policy = Policy(rolling=RollingPolicy(max_reconciliations=1))
    with running(tmp_path, two(FIRST, SINCE)) as services:
        a_run(services, *TALK[:2])
        job = a_job(services, a_conversation(*TALK), policy)
        up_to_the_commit(services, job)
        pinned(services)
        assert run_step(services, job.id, "commit")
        for stage in RECONCILED[:-1]:
            assert run_step(services, job.id, stage)
        with services.unit_of_work() as work:
            claim = by_text(standing(services), "Jenkins")
            act = Act(kind=LedgerEventKind.CONFIRMED, claim=claim, actor="ann", reason="so")
            work.ledger.act("conv-1", act, 2, services.clock.now())
            work.commit()
        ended = run_job(services, job.id)
        assert events_of(services, job, REOPENED) == 1
    assert ended.status is JobStatus.HISTORY_KEPT
    assert "another job committed first" in (ended.reason or "")


def test_a_job_that_the_ledger_has_passed_keeps_the_history(tmp_path: Path) -> None:
    with running(tmp_path, two(FIRST, SINCE)) as services:
        slow = a_job(services, a_conversation(*TALK[:2]))
        up_to_the_commit(services, slow)
        a_run(services, *TALK)
        ended = run_job(services, slow.id)
    assert ended.status is JobStatus.HISTORY_KEPT
    assert "would move it back" in (ended.reason or "")


def test_what_runs_again_is_what_comes_after_the_consensus() -> None:
    assert RECONCILED == ("consensus", "frame_audit", "candidate_arm", "gate", "repair", "commit")
    assert stages_from("fan_out") == tuple(
        name for name in STAGE_NAMES if name not in {"register", "question_bank", "history_arm"}
    )
