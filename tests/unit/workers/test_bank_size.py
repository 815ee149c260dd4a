"""A bank is written for as many questions as its gate needs, and written on once where it is too small."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from cli.run.probe_views import receipt_lines
from dissolution.job import Job
from dissolution.policy.gate import GatePolicy
from dissolution.policy.job_policy import Policy
from dissolution.policy.probe import ProbePolicy
from dissolution.probing import Split
from dissolution.receipt.probe import ProbeSummary
from tests.factories import a_conversation
from tests.running import a_job, running
from tests.unit.workers.probing_members import FACTS, TURNS, ProbingMember, further, proposals
from workers.probe.outcomes import SealedBank, outcome
from workers.runtime.inline import run_job
from workers.stages.question_bank import TOO_FEW

CHAT = " ".join(["and so we went on about the weather for a while"] * 12)
LONG = a_conversation(*(f"{turn} {CHAT}" for turn in TURNS))
"""Forty facts among 1,240 words."""

WIDE = GatePolicy(name="wide", questions=10, accept_loss=0.08, reject_loss=0.3, repair_rounds=0)
"""Ten questions can pass nothing by these bounds; 22 are needed."""


def ended(
    folder: Path, gate: GatePolicy, *, says: Mapping[str, str] | None = None
) -> tuple[Job, SealedBank, ProbeSummary, ProbingMember, list[tuple[str, str]]]:
    ann, ben, cem = ProbingMember("ann", says=says), ProbingMember("ben"), ProbingMember("cem")
    policy = Policy(probe=ProbePolicy(writer="ann", reader="ben", judge="cem", gate=gate))
    with running(folder, [ann, ben, cem]) as services:
        job = run_job(services, a_job(services, LONG, policy).id)
        with services.unit_of_work() as work:
            sealed = outcome(work, job, "question_bank", SealedBank)
            receipt = work.boundaries.receipt(job.id)
            events = [(event.kind, event.detail) for event in work.jobs.events(job.id)]
    assert isinstance(sealed, SealedBank)
    assert receipt is not None
    assert isinstance(receipt.probe, ProbeSummary)
    return job, sealed, receipt.probe, ann, events


def test_too_few_questions_are_said_and_enlarged_before_the_writer_is_asked(tmp_path: Path) -> None:
    _, sealed, told, ann, events = ended(tmp_path, WIDE)
    need = sealed.need
    assert need is not None
    assert (need.asked_for, need.short) == (10, True)
    assert 10 < need.written == need.needed < 31
    assert f" {need.written * 4 // 3} " in ann.asked("probe_writing")[0]
    kinds = [kind for kind, _ in events]
    assert (TOO_FEW, need.words) in events
    assert kinds.index(TOO_FEW) < events.index(("step_done", "question_bank"))
    assert kinds.count(TOO_FEW) == 1
    assert told.need == need
    assert told.rounds[0].reading.state.value == "accept", "ten questions could not have passed"
    assert any(need.words in line for line in receipt_lines(told))


def test_a_policy_that_keeps_to_its_number_is_told_all_the_same(tmp_path: Path) -> None:
    _, sealed, told, ann, events = ended(tmp_path, WIDE.model_copy(update={"enlarge": False}))
    assert sealed.need is not None
    assert sealed.need.written == 10
    assert (TOO_FEW, sealed.need.words) in events
    assert told.rounds[0].reading.state.value == "open"
    assert ann.asked("probe_further") == []


def few() -> str:
    """A writer's first reply, of which half says its own answer."""
    whole = proposals(FACTS[:16])[:-1]
    spoilt = [{**one, "question": f"{one['question']} Is it {one['answer']}?"} for one in proposals(FACTS[16:])[:-1]]
    return json.dumps({"questions": [*whole, *spoilt]})


def test_a_bank_that_came_out_too_small_is_written_on_once_before_it_is_sealed(tmp_path: Path) -> None:
    job, sealed, told, ann, events = ended(tmp_path, WIDE, says={"probe_writing": few()})
    assert sealed.need is not None
    assert len(ann.asked("probe_further")) == 1
    assert len(sealed.bank.split(Split.HELD_OUT)) > 12, "sixteen good ones leave twelve held out"
    assert told.topped_up == sealed.topped_up > 0
    assert sealed.seal == sealed.bank.seal
    assert {answer.question for answer in sealed.floor} == {question.id for question in sealed.bank.questions}
    assert "bank_sealed" not in [kind for kind, _ in events], "it is the job's first bank still"
    assert any("asked for again" in line for line in receipt_lines(told))
    put = ann.asked("probe_further")[0].split("BEGIN QUESTIONS", 1)[1]
    assert all(fact[1] in put for fact in FACTS[:16])
    assert job.policy.probe.gate.questions == 10


@pytest.mark.parametrize("said", ["garbage", json.dumps({"questions": further()[:0]})])
def test_a_second_request_that_fails_leaves_the_bank_as_it_was(tmp_path: Path, said: str) -> None:
    _, sealed, told, _, _ = ended(tmp_path, WIDE, says={"probe_writing": few(), "probe_further": said})
    assert len(sealed.bank.split(Split.HELD_OUT)) == 12
    assert told.topped_up == 0
