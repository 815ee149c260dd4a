"""The parse: stored replies become answers, those that are usable and in time are counted, and families vote."""

from pathlib import Path

import pytest

from devtools.scripted import Fail, Say
from dissolution.answers import AnswerClass
from dissolution.errors import MemberTimeout, QuorumNotMet
from dissolution.job import Job
from dissolution.ports.models import Member
from tests.factories import a_conversation
from tests.running import a_member, running
from tests.unit.workers.stages.driving import a_job_before
from workers.services import Services
from workers.stages.parse import counted_answers, parse_answers, read_call
from workers.step_results import ParseReport

TALK = a_conversation("We deploy on Tuesday.", "We use Postgres.")
WHOLE = "KNOWN\n- We deploy on Tuesday. [turn 1]\nDECIDED\n- We use Postgres. [turn 2]\nEDGES\nnone\nIDENTITY\nnone\n"
HALF = "KNOWN\n- We deploy on Tuesday. [turn 1]\n\nDECIDED\n- We use Postgres. [turn 2]\n"
REFUSAL = "I'm sorry, but I can't help with that request."


def parsed(services: Services) -> tuple[Job, ParseReport, str]:
    job = a_job_before("parse", services, TALK)
    result = parse_answers(services, job)
    assert isinstance(result.output, ParseReport)
    return job, result.output, result.note


def test_statements_are_counted_of_usable_answers_and_partial_ones_are_told(tmp_path: Path) -> None:
    members = (a_member("a", Say(WHOLE)), a_member("b", Say(HALF)), a_member("c", Say(REFUSAL)))
    with running(tmp_path, members) as services:
        job, report, note = parsed(services)
        with services.unit_of_work() as work:
            stored = {answer.member.name: answer.parsed.answer_class for answer in work.jobs.answers(job.id)}
            counted = [answer.member.name for answer in counted_answers(work, job)]
    assert (report.usable, report.families, report.statements) == (2, ("a", "b"), 4)
    assert sorted(counted) == ["a", "b"]
    assert stored == {"a": AnswerClass.OK, "b": AnswerClass.PARTIAL, "c": AnswerClass.REFUSED}
    assert note == "4 statements from 2 answers of 2 families, 1 of them partial"


@pytest.mark.parametrize(
    "others",
    [
        (a_member("b", Say(REFUSAL)), a_member("c", Fail(MemberTimeout))),
        (a_member("a2", Say(WHOLE), family="a"), a_member("a3", Say(WHOLE), family="a")),
    ],
    ids=["nobody else is usable", "one family speaks thrice"],
)
def test_without_a_quorum_the_answers_are_stored_all_the_same(tmp_path: Path, others: tuple[Member, ...]) -> None:
    with running(tmp_path, (a_member("a", Say(WHOLE)), *others)) as services:
        job = a_job_before("parse", services, TALK)
        with pytest.raises(QuorumNotMet) as missed:
            parse_answers(services, job)
        with services.unit_of_work() as work:
            stored = {answer.member.name for answer in work.jobs.answers(job.id)}
            replied = {call.member.name for call in work.jobs.calls(job.id, "fan_out") if call.reply is not None}
    assert missed.value.families == 1
    assert stored == replied >= {"a"}


def test_parsing_twice_stores_every_answer_once(tmp_path: Path) -> None:
    with running(tmp_path, (a_member("a", Say(WHOLE)), a_member("b", Say(WHOLE)))) as services:
        job, report, _ = parsed(services)
        assert parse_answers(services, job).output == report
        with services.unit_of_work() as work:
            assert sorted(answer.member.name for answer in work.jobs.answers(job.id)) == ["a", "b"]


def test_a_call_that_failed_says_nothing(tmp_path: Path) -> None:
    with running(tmp_path, (a_member("a", Say(WHOLE)), a_member("b", Fail(MemberTimeout)))) as services:
        job = a_job_before("parse", services, TALK)
        with services.unit_of_work() as work:
            calls = {call.member.name: call for call in work.jobs.calls(job.id, "fan_out")}
    read = read_call(calls["a"], TALK.snapshot())
    assert read is not None
    assert [claim.text for claim in read.parsed.claims] == ["We deploy on Tuesday.", "We use Postgres."]
    assert read_call(calls["b"], TALK.snapshot()) is None
