"""A process may die around any commit of the probe's stages: the verdict is the same, nothing stored is asked again."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from devtools.clock import FixedClock
from dissolution.findings import GateDecision, Verdict
from dissolution.job import Job
from dissolution.policy.gate import GatePolicy
from dissolution.policy.job_policy import Policy
from dissolution.policy.probe import ProbePolicy
from dissolution.receipt.job_receipt import Receipt
from dissolution.receipt.probe import ProbeSummary
from tests.factories import INSTANT, a_conversation
from tests.running import Deaths, Killed, a_job, running
from tests.unit.workers.probing_members import FACTS, TURNS, ProbingMember
from workers.pipeline import STAGE_NAMES
from workers.runtime.inline import run_job
from workers.services import Services

pytestmark = pytest.mark.slow  # a whole job for each commit at which it may die

TALK = a_conversation(*TURNS[:4])
POLICY = Policy(
    probe=ProbePolicy(
        writer="ann",
        reader="ben",
        judge="cem",
        gate=GatePolicy(name="small", questions=16, repair_rounds=1, reject_loss=0.5, false_accept=0.3),
    )
)
EVERY = 17
"""Commits between two deaths of one kind; the other kind falls between."""


def a_fleet() -> tuple[ProbingMember, ...]:
    return tuple(ProbingMember(name, FACTS[:9]) for name in ("ann", "ben", "cem"))


def landed(services: Services, job: Job) -> set[tuple[str, int]]:
    """Member and place of every call with a result, of the stages that ask by prompt."""
    with services.unit_of_work() as work:
        calls = [call for stage in STAGE_NAMES if stage != "fan_out" for call in work.jobs.calls(job.id, stage)]
    return {(call.member.name, call.ordinal) for call in calls if call.landed_at is not None}


def receipt_of(services: Services, job: Job) -> Receipt:
    with services.unit_of_work() as work:
        receipt = work.boundaries.receipt(job.id)
    assert receipt is not None
    return receipt


def run_through(folder: Path, deaths: Deaths) -> tuple[int, GateDecision, int]:
    """Run a job in a process that dies, then in one that goes on; its commits, the verdict, and how many rounds."""
    folder.mkdir()
    fleet = a_fleet()
    with running(folder, fleet) as services:
        job = a_job(services, TALK, POLICY)
        try:
            run_job(deaths.around(services), job.id)
        except Killed:
            stored = landed(services, job)
            before = {member.card.name: len(member.places) for member in fleet}
            later = replace(services, clock=FixedClock(INSTANT + timedelta(seconds=services.settings.lease_s + 1)))
            run_job(later, job.id)
            for member in fleet:
                name = member.card.name
                asked_after = {(name, place) for place in member.places[before[name] :]}
                assert not asked_after & stored, "a stored answer was asked again"
        receipt = receipt_of(services, job)
        with services.unit_of_work() as work:
            committed = [event.kind for event in work.jobs.events(job.id)].count("boundary_committed")
        assert committed == int(receipt.decision.verdict in {Verdict.COMMIT, Verdict.COMMIT_DEGRADED})
    assert isinstance(receipt.probe, ProbeSummary)
    assert all(line.further for line in receipt.probe.repairs), "this test is to see a further bank"
    return deaths.commits, receipt.decision, len(receipt.probe.rounds)


def test_a_probe_that_dies_around_any_commit_comes_to_the_same_verdict(tmp_path: Path) -> None:
    commits, verdict, rounds = run_through(tmp_path / "whole", Deaths(at=0, moment="before"))
    assert commits > 60, "the probe has fewer transactions than this test assumes"
    assert rounds > 1, "this test is to see a repair"
    for shift, moment in enumerate(("before", "after")):
        for at in range(1 + shift, commits + 1, EVERY):
            _, *ended = run_through(tmp_path / f"{moment}-{at}", Deaths(at=at, moment=moment))
            assert ended == [verdict, rounds], f"{moment} commit {at}"
