"""The repair step: lost questions point to turns, their answers amend the candidate, and fresh questions judge it."""

from pathlib import Path

from dissolution.findings import NotRun, Verdict
from dissolution.policy.gate import GatePolicy
from dissolution.policy.job_policy import Policy
from dissolution.policy.probe import ProbePolicy
from tests.factories import a_conversation
from tests.running import running
from tests.unit.workers.probing_members import FACTS, TURNS, ProbingMember
from tests.unit.workers.stages.driving import a_job_before
from workers.probe.outcomes import Faced, RepairReport, outcome
from workers.stages.repair import met_by, repair

TALK = a_conversation(*TURNS)
ONCE = GatePolicy(name="small", questions=31, repair_rounds=1, false_accept=0.1)


def policy(gate: GatePolicy = ONCE) -> Policy:
    return Policy(probe=ProbePolicy(writer="ann", reader="ben", judge="cem", gate=gate))


def a_fleet(known: int) -> list[ProbingMember]:
    """Members that state so many of the facts."""
    return [ProbingMember(name, FACTS[:known]) for name in ("ann", "ben", "cem")]


def test_what_was_lost_is_asked_for_and_the_amended_candidate_passes_fresh_questions(tmp_path: Path) -> None:
    fleet = a_fleet(30)
    with running(tmp_path, fleet) as services:
        job = a_job_before("repair", services, TALK, policy())
        result = repair(services, job)
        with services.unit_of_work() as work:
            first = outcome(work, job, "candidate_arm", Faced)
    report = result.output
    assert isinstance(report, RepairReport)
    assert isinstance(first, Faced)
    (done,) = report.rounds
    assert report.decision == done.decision
    assert report.decision.verdict is Verdict.COMMIT
    assert report.amended is not None
    assert done.line.claims_before == 30
    assert done.line.claims_after == len(report.amended.claims) > 30
    assert set(done.line.turns) <= {8, 9, 10}  # where the ten facts stand that nobody stated
    assert not set(met_by(first)) & set(met_by(done.faced))
    assert result.note.endswith(": commit: commit")


def test_no_member_is_shown_a_question(tmp_path: Path) -> None:
    fleet = a_fleet(30)
    with running(tmp_path, fleet) as services:
        repair(services, a_job_before("repair", services, TALK, policy()))
    told = [text for member in fleet for text in member.asked("repair")]
    assert told
    assert [question for _, question, _, _ in FACTS if any(question in text for text in told)] == []


def test_a_second_run_finds_what_landed_and_asks_nobody(tmp_path: Path) -> None:
    fleet = a_fleet(30)
    with running(tmp_path, fleet) as services:
        job = a_job_before("repair", services, TALK, policy())
        first = repair(services, job).output
        asked = [len(member.prompts) for member in fleet]
        assert repair(services, job).output == first
    assert [len(member.prompts) for member in fleet] == asked


def test_a_candidate_that_passed_is_not_repaired(tmp_path: Path) -> None:
    fleet = a_fleet(40)
    with running(tmp_path, fleet) as services:
        job = a_job_before("repair", services, TALK, policy())
        result = repair(services, job)
    assert isinstance(result.output, NotRun)
    assert [member.asked("repair") for member in fleet] == [[], [], []]


def test_questions_that_the_reader_left_out_have_been_met_too(tmp_path: Path) -> None:
    with running(tmp_path, a_fleet(40)) as services:
        job = a_job_before("gate", services, TALK, policy())
        with services.unit_of_work() as work:
            faced = outcome(work, job, "candidate_arm", Faced)
    assert isinstance(faced, Faced)
    left_out = faced.model_copy(update={"items": faced.items[1:], "unanswered": (faced.items[0].question.id,)})
    assert set(met_by(left_out)) == set(met_by(faced)) == {item.question.id for item in faced.items}
