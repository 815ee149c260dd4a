"""Adjudication as a step does it: one call with a row of its own, under the cap, never asked twice."""

import json
from decimal import Decimal
from pathlib import Path

import pytest

from dissolution.adjudication import Adjudication, ClaimPair, PairVerdict, Relation
from dissolution.answers import (
    FailureClass,
    FinishReason,
    MemberCard,
    MemberFailure,
    MemberKind,
    MemberTask,
    Reply,
    Usage,
)
from dissolution.clock import FixedClock
from dissolution.conversation import Conversation
from dissolution.errors import MemberRateLimited, MemberRefused
from dissolution.findings import Consensus
from dissolution.job import Job, JobStatus
from dissolution.policy import BudgetPolicy, ConsensusPolicy, Policy, QuorumPolicy
from dissolution.receipt import AdjudicationReport, ConsensusReport
from fleet.scripted import SCRIPTED_USAGE, Crash, Cue, Fail, Hang, Say, ScriptedMember
from prompts.entailment import NAME
from tests.factories import a_conversation
from tests.running import Deaths, Killed, a_job, a_member, running
from workers.adjudicating import STAGE, MemberAdjudicator, NobodyToAsk, adjudicator_of, landed
from workers.deciding import adjudication_in_words
from workers.inline import run_job
from workers.services import Services

LAKE = "The lake is very deep in its middle."
WATER = "The water of the lake goes far down in its middle."
PAIR = ClaimPair(first=LAKE, second=WATER)
FOUR = "KNOWN\n- {} [turn 1]\n\nDECIDED\nnone\n\nEDGES\nnone\n\nIDENTITY\nnone"


def answer(relation: str = "entails", pair: int = 1) -> str:
    return json.dumps({"pairs": [{"pair": pair, "a_to_b": relation, "b_to_a": relation, "why": "same depth"}]})


def a_policy(adjudicator: str | None = "judge", **more: object) -> Policy:
    consensus = ConsensusPolicy(embedder="hashing", distance_threshold=0.5, adjudicator=adjudicator)
    return Policy.model_validate({"consensus": consensus, **more})


def the_lake() -> Conversation:
    return a_conversation(LAKE, WATER)


def judge(*cues: Cue) -> ScriptedMember:
    """A member that first answers the four-part prompt, then plays these cues."""
    return a_member("judge", Say(FOUR.format(LAKE)), *cues)


def other() -> ScriptedMember:
    return a_member("other", Say(FOUR.format(WATER)))


def the_consensus(services: Services, job: Job) -> Consensus:
    with services.unit_of_work() as work:
        output = next(step.output for step in work.jobs.steps(job.id) if step.stage == STAGE)
    assert output is not None
    return Consensus.model_validate_json(output)


def the_report(services: Services, job: Job) -> ConsensusReport:
    with services.unit_of_work() as work:
        receipt = work.boundaries.receipt(job.id)
    assert receipt is not None
    assert isinstance(receipt.consensus, ConsensusReport)
    return receipt.consensus


def test_a_job_asks_once_keeps_the_decision_and_says_so_in_the_receipt(tmp_path: Path) -> None:
    member = judge(Say(answer()))
    with running(tmp_path, [member, other()]) as services:
        job = a_job(services, the_lake(), a_policy())
        assert run_job(services, job.id).status is JobStatus.COMMITTED
        found = the_consensus(services, job)
        report = the_report(services, job)
        with services.unit_of_work() as work:
            calls = work.jobs.calls(job.id, STAGE)
            receipt = work.boundaries.receipt(job.id)
    assert member.asked == 2
    assert isinstance(found.adjudication, Adjudication)
    (decision,) = found.adjudication.decisions
    assert (decision.pair, decision.verdict, decision.member) == (PAIR, PairVerdict.SAME, "judge")
    assert found.groups == 1
    assert [(call.member.name, call.prompt.name, call.reply is not None) for call in calls] == [
        ("judge", "adjudication", True)
    ]
    assert report.adjudication == AdjudicationReport(
        member="judge", doubtful=1, asked=1, decided=1, same=1, opposed=0, overruled=0
    )
    assert receipt is not None
    assert [line.of for line in receipt.cost.by_stage] == ["fan_out", "consensus"]
    assert [(m.card.name, m.statements) for m in receipt.members] == [("judge", 1), ("other", 1)]


@pytest.mark.parametrize(
    ("cue", "failure"),
    [
        (Fail(MemberRateLimited), FailureClass.RATE_LIMIT),
        (Fail(MemberRefused), FailureClass.REFUSAL),
        (Say("I'm sorry, but I can't help with that."), FailureClass.REFUSAL),
        (Say("KNOWN\n- nonsense"), FailureClass.UNPARSABLE),
        (Say(answer("perhaps")), FailureClass.UNPARSABLE),
        (Say(answer(), FinishReason.LENGTH), FailureClass.UNPARSABLE),
        (Say(answer(), FinishReason.CONTENT_FILTER), FailureClass.CONTENT_FILTER),
        (Say(answer(pair=2)), FailureClass.UNPARSABLE),
        (Crash(), FailureClass.INTERNAL),
    ],
)
def test_without_an_answer_the_consensus_goes_on_and_says_so(cue: Cue, failure: FailureClass, tmp_path: Path) -> None:
    with running(tmp_path, [judge(cue), other()]) as services:
        job = a_job(services, the_lake(), a_policy())
        assert run_job(services, job.id).status is JobStatus.COMMITTED
        found, report = the_consensus(services, job), the_report(services, job).adjudication
    assert isinstance(report, AdjudicationReport)
    assert (report.asked, report.decided, report.failure) == (1, 0, failure)
    assert report.detail
    assert adjudication_in_words(found.adjudication) == f"; pairs in doubt not adjudicated: {failure.value}"
    with running(tmp_path / "plain", [judge(), other()]) as services:
        job = a_job(services, the_lake(), a_policy(adjudicator=None))
        run_job(services, job.id)
        plain = the_consensus(services, job)
    assert [claim.text for claim in plain.claims] == [claim.text for claim in found.claims]
    assert adjudication_in_words(plain.adjudication) == ""


def test_a_member_that_never_answers_is_given_up_at_the_deadline(tmp_path: Path) -> None:
    quorum = QuorumPolicy(soft_deadline_s=0.2, hard_deadline_s=0.2)
    with running(tmp_path, [judge(Hang()), other()]) as services:
        job = a_job(services, the_lake(), a_policy(quorum=quorum))
        assert run_job(services, job.id).status is JobStatus.COMMITTED
        report = the_report(services, job).adjudication
    assert isinstance(report, AdjudicationReport)
    assert report.failure is FailureClass.TIMEOUT


class Priced(ScriptedMember):
    """Every call is expected to cost, and costs, 0.40 USD."""

    def estimate(self, task: MemberTask) -> Usage:  # noqa: ARG002 - every task costs the same here
        return a_usage()


def a_usage() -> Usage:
    return Usage(input_tokens=10, cached_input_tokens=0, output_tokens=1, cost_usd=Decimal("0.40"))


@pytest.mark.parametrize(("cap", "failure"), [("1.19", FailureClass.BUDGET), ("1.20", None)])
def test_nothing_is_asked_beyond_the_cap_and_what_the_fan_out_spent_counts(
    cap: str, failure: FailureClass | None, tmp_path: Path
) -> None:
    fleet = [
        Priced(a_member("judge", Say("x")).card, [Say(FOUR.format(LAKE), usage=a_usage()), Say(answer())]),
        Priced(a_member("other", Say("x")).card, [Say(FOUR.format(WATER), usage=a_usage())]),
    ]
    with running(tmp_path, fleet) as services:
        job = a_job(services, the_lake(), a_policy(budget=BudgetPolicy(max_usd=Decimal(cap))))
        assert run_job(services, job.id).status is JobStatus.COMMITTED
        report = the_report(services, job).adjudication
    assert isinstance(report, AdjudicationReport)
    assert report.failure is failure
    assert fleet[0].asked == (1 if failure else 2)


class Minded(ScriptedMember):
    """Answers what it is asked, however often: the four parts, or the pairs. Notes each commit before a question."""

    def __init__(self, deaths: Deaths) -> None:
        super().__init__(a_member("judge", Say("x")).card, [Say("x")])
        self.deaths = deaths
        self.questions: list[int] = []  # how many commits stood when the pairs were asked about

    async def answer(self, task: MemberTask) -> Reply:
        if task.prompt.stamp.name != NAME:
            return Reply(text=FOUR.format(LAKE), finish=FinishReason.STOP, usage=SCRIPTED_USAGE)
        self.questions.append(self.deaths.commits)
        return Reply(text=answer(), finish=FinishReason.STOP, usage=SCRIPTED_USAGE)


def run_through_death(folder: Path, deaths: Deaths) -> list[int]:
    """Run a job whose process dies once and that is resumed after its lease; returns when the pairs were asked."""
    member = Minded(deaths)
    with running(folder, [member, other()]) as services:
        job = a_job(services, the_lake(), a_policy())
        try:
            run_job(deaths.around(services), job.id)
        except Killed:
            with services.unit_of_work() as work:
                had = any(call.reply is not None for call in work.jobs.calls(job.id, STAGE))
            asked = len(member.questions)
            assert isinstance(services.clock, FixedClock)
            services.clock.advance(services.settings.lease_s + 1)
            assert run_job(services, job.id).status is JobStatus.COMMITTED
            assert not had or len(member.questions) == asked, "a landed answer was asked for again"
        assert the_consensus(services, job).groups == 1
        with services.unit_of_work() as work:
            assert len(work.jobs.calls(job.id, STAGE)) == 1
    return member.questions


def test_a_step_that_died_asks_again_only_what_has_not_landed(tmp_path: Path) -> None:
    """Wherever the process dies around the question, the job ends the same, with one row for it."""
    (tmp_path / "whole").mkdir()
    (question,) = run_through_death(tmp_path / "whole", Deaths(at=0, moment="before"))
    times: list[int] = []
    for moment in ("before", "after"):
        for at in range(question - 1, question + 4):
            folder = tmp_path / f"{moment}-{at}"
            folder.mkdir()
            times.append(len(run_through_death(folder, Deaths(at=at, moment=moment))))
    assert set(times) == {1, 2}, "an answer that was lost is asked for again, one that landed is not"


def test_a_secret_in_an_answer_is_replaced_in_what_is_kept(tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    with running(tmp_path, [judge(Say(answer().replace("same depth", secret))), other()]) as services:
        job = a_job(services, the_lake(), a_policy())
        run_job(services, job.id)
        found = the_consensus(services, job)
    assert isinstance(found.adjudication, Adjudication)
    assert secret not in found.model_dump_json()
    assert "[secret:" in found.adjudication.decisions[0].reason


@pytest.mark.parametrize("kind", [MemberKind.EXTRACTIVE, MemberKind.RECORDED])
def test_a_member_without_a_model_is_not_asked(kind: MemberKind, tmp_path: Path) -> None:
    card = MemberCard(name="judge", family="f", kind=kind, model="m")
    member = ScriptedMember(card, [Say(answer())])
    with running(tmp_path, [member]) as services:
        job = a_job(services, the_lake(), a_policy())
        found = adjudicator_of(services, job, the_lake().snapshot())
    assert isinstance(found, NobodyToAsk)
    failure = found.adjudicate([PAIR])
    assert (failure.error_class, found.name, member.asked) == (FailureClass.BAD_REQUEST, "judge", 0)
    assert kind.value in failure.detail


def test_an_adjudicator_the_fleet_has_lost_is_a_failure_and_no_name_asks_nobody(tmp_path: Path) -> None:
    with running(tmp_path, [other()]) as services:
        job = a_job(services, the_lake(), a_policy())
        found = adjudicator_of(services, job, the_lake().snapshot())
        assert found is not None
        assert isinstance(found.adjudicate([PAIR]), MemberFailure)
        nobody = a_job(services, a_conversation(LAKE, name="conv-2"), a_policy(adjudicator=None))
        assert adjudicator_of(services, nobody, the_lake().snapshot()) is None


def test_the_adjudicators_name_is_its_members_and_its_answer_keeps_the_pairs_order(tmp_path: Path) -> None:
    with running(tmp_path, [other()]) as services:
        job = a_job(services, the_lake(), a_policy())
        member = a_member("judge", Say(answer("contradicts", pair=2)))
        adjudicator = MemberAdjudicator(services, job, member, the_lake().snapshot())
        assert adjudicator.name == "judge"
        answers = adjudicator.adjudicate([PAIR, ClaimPair(first="A.", second="B.")])
    assert isinstance(answers, tuple)
    assert answers[0] is None
    assert answers[1] is not None
    assert answers[1].forward is Relation.CONTRADICTS


def test_a_call_that_has_not_landed_is_no_answer() -> None:
    with pytest.raises(LookupError, match="'judge' has no landed call"):
        landed((), "judge")
