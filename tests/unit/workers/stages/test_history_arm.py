"""The history arm: every question read once from the history, kept for later jobs, and its failures values."""

from pathlib import Path

from dissolution.answers import FailureClass
from dissolution.errors import MemberTimeout
from dissolution.findings import NotRun
from dissolution.policy.gate import GatePolicy
from dissolution.policy.job_policy import Policy
from dissolution.policy.probe import ProbePolicy
from dissolution.probing import ArmName, Split
from dissolution.values import NotMeasured
from tests.factories import a_conversation
from tests.running import running
from tests.unit.workers.probing_members import TURNS, ProbingMember
from tests.unit.workers.stages.driving import a_job_before
from workers.probe.outcomes import HistoryReport, SealedBank, outcome
from workers.stages.history_arm import ask_history, share_right

TALK = a_conversation(*TURNS)
GATE = GatePolicy(name="small", questions=31)
READ = Policy(probe=ProbePolicy(writer="ann", reader="ben", gate=GATE))


def a_fleet(**says: str | MemberTimeout) -> tuple[ProbingMember, ProbingMember]:
    """A writer, and a reader that says this in place of its own answers."""
    return ProbingMember("ann"), ProbingMember("ben", says=says)


def test_both_splits_are_answered_from_the_history(tmp_path: Path) -> None:
    writer, reader = a_fleet()
    with running(tmp_path, [writer, reader]) as services:
        job = a_job_before("history_arm", services, TALK, READ)
        result = ask_history(services, job)
        with services.unit_of_work() as work:
            sealed = outcome(work, job, "question_bank", SealedBank)
    assert isinstance(sealed, SealedBank)
    report = result.output
    assert isinstance(report, HistoryReport)
    asked = {question.id for split in Split for question in sealed.bank.split(split)}
    assert {answer.question for answer in report.answers} == asked
    assert {answer.arm for answer in report.answers} == {ArmName.HISTORY}
    assert (report.seal, report.reader, report.share) == (sealed.seal, "ben (rules, 1)", 1.0)
    assert all(TURNS[0] in text for text in reader.asked("probe_answers")[-1:])
    assert result.note == f"{len(asked)} answers by {report.reader}, 100% right"


def test_a_later_job_on_the_same_turns_takes_the_answers_and_asks_nobody(tmp_path: Path) -> None:
    writer, reader = a_fleet()
    with running(tmp_path, [writer, reader]) as services:
        first = a_job_before("frame_audit", services, TALK, READ)
        job = a_job_before("candidate_arm", services, TALK, READ)
        before = len(reader.prompts)
        result = ask_history(services, job)
        assert len(reader.prompts) == before
    assert isinstance(result.output, HistoryReport)
    assert result.output.share == 1.0
    assert first.id != job.id


def test_a_reader_that_fails_is_a_value_that_names_it(tmp_path: Path) -> None:
    writer, reader = a_fleet(probe_answers=MemberTimeout("ben", "slow"))
    with running(tmp_path, [writer, reader]) as services:
        result = ask_history(services, a_job_before("history_arm", services, TALK, READ))
    assert isinstance(result.output, NotRun)
    assert "ben" in result.output.not_run
    assert FailureClass.TIMEOUT.value in result.output.not_run


def test_without_a_bank_there_is_nothing_to_answer(tmp_path: Path) -> None:
    writer, reader = a_fleet()
    with running(tmp_path, [writer, reader]) as services:
        job = a_job_before("history_arm", services, TALK, Policy(probe=ProbePolicy(on=False)))
        result = ask_history(services, job)
    assert isinstance(result.output, NotRun)
    assert reader.asked("probe_answers") == []


def test_of_no_answers_no_share_is_measured() -> None:
    assert isinstance(share_right([]), NotMeasured)
