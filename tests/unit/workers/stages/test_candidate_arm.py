"""The candidate arm: the reader sees the candidate alone, batch by batch, and no further than the gate needs."""

from pathlib import Path

import pytest

from dissolution.answers import FailureClass, MemberTask, Reply
from dissolution.errors import MemberTimeout
from dissolution.findings import NotRun
from dissolution.policy.gate import GatePolicy
from dissolution.policy.job_policy import Policy
from dissolution.policy.probe import ProbePolicy
from dissolution.probing import GateState, QuestionBank, Split
from tests.factories import a_conversation
from tests.running import running
from tests.unit.workers.probing_members import FACTS, TURNS, ProbingMember
from tests.unit.workers.stages.driving import a_job_before
from workers.probe.outcomes import Faced, HistoryReport, SealedBank, outcome
from workers.stages.candidate_arm import Asked, ask_candidate

TALK = a_conversation(*TURNS)
GATE = GatePolicy(name="small", questions=31, repair_rounds=0)
READ = Policy(probe=ProbePolicy(writer="ann", reader="ben", gate=GATE, batch=9))


def test_asking_ends_with_the_batch_that_settles_the_gate(tmp_path: Path) -> None:
    fleet = [ProbingMember("ann"), ProbingMember("ben")]
    with running(tmp_path, fleet) as services:
        job = a_job_before("candidate_arm", services, TALK, READ)
        before = len(fleet[1].asked("probe_answers"))
        result = ask_candidate(services, job)
    faced = result.output
    assert isinstance(faced, Faced)
    assert faced.reading.state is GateState.ACCEPT
    batches = fleet[1].asked("probe_answers")[before:]
    assert len(batches) == -(-faced.reading.used // 9) < -(-31 // 9) + 1
    assert all("BEGIN TURNS" not in text and "] user; user" not in text for text in batches)
    assert (faced.claims, faced.failure) == (len(FACTS), None)
    assert result.note == f"{len(faced.items)} questions: 0 answers lost, 0 gained"


def test_what_the_candidate_does_not_hold_is_lost(tmp_path: Path) -> None:
    fleet = [ProbingMember("ann", FACTS[:20]), ProbingMember("ben", FACTS[:20])]
    with running(tmp_path, fleet) as services:
        faced = ask_candidate(services, a_job_before("candidate_arm", services, TALK, READ)).output
    assert isinstance(faced, Faced)
    lost = [item for item in faced.items if item.outcome.history_right and not item.outcome.candidate_right]
    assert faced.reading.state is GateState.REJECT
    assert len(lost) >= faced.reading.lost > 0  # the last batch is judged whole
    assert all(turn > 5 for item in lost for turn in item.question.evidence_turns)


class FailsOnTheCandidate(ProbingMember):
    """A reader that reads the history and then times out."""

    armed = False

    async def answer(self, task: MemberTask) -> Reply:
        if self.armed:
            raise MemberTimeout("ben", "slow")
        return await super().answer(task)


def test_a_reader_that_fails_before_anything_is_answered_is_a_value(tmp_path: Path) -> None:
    reader = FailsOnTheCandidate("ben")
    with running(tmp_path, [ProbingMember("ann"), reader]) as services:
        job = a_job_before("candidate_arm", services, TALK, READ)
        reader.armed = True
        result = ask_candidate(services, job)
    assert isinstance(result.output, NotRun)
    assert result.output.not_run.startswith("reader ben")
    assert FailureClass.TIMEOUT.value in result.output.not_run


def test_without_answers_of_the_history_nothing_is_asked(tmp_path: Path) -> None:
    reader = ProbingMember("ben", says={"probe_answers": MemberTimeout("ben", "slow")})
    with running(tmp_path, [ProbingMember("ann"), reader]) as services:
        job = a_job_before("candidate_arm", services, TALK, READ)
        before = len(reader.prompts)
        assert isinstance(ask_candidate(services, job).output, NotRun)
        assert len(reader.prompts) == before


def test_only_what_the_history_answered_is_put_and_each_seed_has_its_own_order(tmp_path: Path) -> None:
    with running(tmp_path, [ProbingMember("ann"), ProbingMember("ben")]) as services:
        job = a_job_before("candidate_arm", services, TALK, READ)
        with services.unit_of_work() as work:
            sealed = outcome(work, job, "question_bank", SealedBank)
            history = outcome(work, job, "history_arm", HistoryReport)
    assert isinstance(sealed, SealedBank)
    assert isinstance(history, HistoryReport)
    bank: QuestionBank = sealed.bank
    asked = Asked(((bank, history),))
    held_out = {question.id for question in bank.split(Split.HELD_OUT)}
    one, other = ([question.id for question in asked.of(Split.HELD_OUT, seed)] for seed in ("candidate", "another"))
    assert set(one) == set(other) == held_out
    assert one != other
    missed = history.model_copy(update={"answers": history.answers[1:], "scores": history.scores[1:]})
    left = {question.id for split in Split for question in Asked(((bank, missed),)).of(split, "")}
    assert history.answers[0].question not in left
    assert asked.share == pytest.approx(1.0)
