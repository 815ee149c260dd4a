"""The commit step: one transaction makes the boundary stand or keeps the history, with a receipt either way."""

from pathlib import Path

import pytest

from devtools.scripted import Say, ScriptedMember
from dissolution.claims import Section
from dissolution.errors import VersionConflict
from dissolution.findings import GateDecision, Verdict
from dissolution.framing import FramePolicy
from dissolution.job import JobStatus
from dissolution.policy.job_policy import Policy
from dissolution.policy.probe import ProbePolicy
from tests.factories import a_conversation
from tests.running import a_job, a_member, running
from tests.unit.workers.stages.driving import a_job_before
from workers.runtime.inline import run_job
from workers.stages.commit import commit_boundary, decided, in_one_line
from workers.step_results import Ending

TALK = a_conversation("We deploy on Tuesday.", "We use Postgres.")
ANSWER = "KNOWN\n- We deploy on Tuesday. [turn 1]\nDECIDED\n- We use Postgres. [turn 2]\nEDGES\nnone\nIDENTITY\nnone\n"
EMPTY = "KNOWN\nnone\nDECIDED\nnone\nEDGES\n- When do we deploy? [turn 1]\nIDENTITY\nnone\n"
PLAIN = Policy(probe=ProbePolicy(on=False), frame=FramePolicy(audit=False))


def members(text: str = ANSWER) -> tuple[ScriptedMember, ...]:
    return tuple(a_member(name, Say(text)) for name in ("a", "b"))


def test_nothing_stands_before_the_effect_and_everything_after_it(tmp_path: Path) -> None:
    with running(tmp_path, members()) as services:
        job = a_job_before("commit", services, TALK, PLAIN)
        result = commit_boundary(services, job)
        assert result.effect is not None
        with services.unit_of_work() as work:
            assert work.boundaries.current("conv-1") is None
            assert work.boundaries.receipt(job.id) is None
            result.effect(work)
            work.commit()
        with services.unit_of_work() as work:
            boundary, receipt = work.boundaries.current("conv-1"), work.boundaries.receipt(job.id)
            ended = work.jobs.get(job.id)
            events = [(event.kind, event.detail) for event in work.jobs.events(job.id)]
    assert isinstance(result.output, Ending)
    assert (result.output.status, result.output.version) == (JobStatus.COMMITTED, 1)
    assert boundary is not None
    assert {claim.section for claim in boundary.claims} == {Section.KNOWN, Section.DECIDED}
    assert receipt is not None
    assert receipt.decision == boundary.decision == result.output.decision
    assert ended.status is JobStatus.COMMITTED
    assert ("boundary_committed", "version 1") in events


def test_an_effect_that_is_not_committed_leaves_the_history_in_force(tmp_path: Path) -> None:
    with running(tmp_path, members()) as services:
        job = a_job_before("commit", services, TALK, PLAIN)
        result = commit_boundary(services, job)
        assert result.effect is not None
        with services.unit_of_work() as work:
            result.effect(work)
        with services.unit_of_work() as work:
            assert work.boundaries.current("conv-1") is None
            assert work.jobs.get(job.id).status is JobStatus.RUNNING


def test_a_candidate_that_holds_nothing_keeps_the_history_and_has_a_receipt(tmp_path: Path) -> None:
    with running(tmp_path, members(EMPTY)) as services:
        job = run_job(services, a_job(services, TALK, PLAIN).id)
        with services.unit_of_work() as work:
            boundary, receipt = work.boundaries.current("conv-1"), work.boundaries.receipt(job.id)
    assert job.status is JobStatus.HISTORY_KEPT
    assert boundary is None
    assert receipt is not None
    assert receipt.decision.verdict is Verdict.KEEP_HISTORY


def test_a_version_that_another_job_has_committed_is_not_overwritten(tmp_path: Path) -> None:
    with running(tmp_path, members()) as services:
        job = a_job_before("commit", services, TALK, PLAIN)
        run_job(services, a_job(services, TALK, PLAIN).id)
        result = commit_boundary(services, job)
        assert result.effect is not None
        with services.unit_of_work() as work, pytest.raises(VersionConflict) as conflict:
            result.effect(work)
    assert (conflict.value.expected, conflict.value.present) == (0, 1)


def test_a_commit_without_a_verdict_is_a_fault(tmp_path: Path) -> None:
    with running(tmp_path, members()) as services:
        job = a_job_before("gate", services, TALK, PLAIN)
        with services.unit_of_work() as work, pytest.raises(LookupError):
            decided(work, job)


def test_what_would_change_an_end_stands_behind_its_reasons() -> None:
    decision = GateDecision(verdict=Verdict.KEEP_HISTORY, reasons=("one", "two"))
    assert in_one_line(decision) == "one; two"
    assert in_one_line(decision.model_copy(update={"would_change": "three"})) == "one; two; three"
