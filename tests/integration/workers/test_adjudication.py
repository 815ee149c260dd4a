"""A whole job whose adjudicator is asked over real HTTP, in both wire formats, of a provider in and out of order."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from dissolution.adjudication import Adjudication, PairVerdict
from dissolution.answers import FailureClass
from dissolution.findings import Consensus
from dissolution.job import JobStatus
from dissolution.policy import ConsensusPolicy, Policy, QuorumPolicy
from dissolution.ports import Member
from dissolution.receipt import AdjudicationReport, ConsensusReport, Receipt
from fleet.chat_member import ChatMember, build_members
from fleet.loopback import LoopbackProvider
from fleet.loopback_spec import Act, ModelScript, Step
from fleet.roster import Roster
from fleet.scripted import Say
from prompts.entailment import NAME, pairs_format
from prompts.reply import reply_format
from tests.factories import a_conversation
from tests.integration.fleet.parts import DIALECTS
from tests.integration.providing import providing
from tests.running import a_job, a_member, running
from wording.tokens import ApproximateTokenCounter
from workers.bootstrap import close_all
from workers.inline import run_job
from workers.services import Services

LAKE = "The lake is very deep in its middle."
WATER = "The water of the lake goes far down in its middle."
FOUR = "KNOWN\n- {} [turn 1]\n\nDECIDED\nnone\n\nEDGES\nnone\n\nIDENTITY\nnone"
ANSWER = '{"pairs": [{"pair": 1, "a_to_b": "entails", "b_to_a": "entails", "why": "the same depth"}]}'
FIRST = Step(act=Act.ANSWER)
"""The judge's own part in the fan-out: its answer there is no boundary and counts for nothing."""

MODELS = {
    "good": ModelScript(template=ANSWER),
    "busy": ModelScript(template=ANSWER, steps=(FIRST, Step(act=Act.RATE_LIMIT, retry_after="0.01"))),
    "closed": ModelScript(template=ANSWER, steps=(FIRST, Step(act=Act.RATE_LIMIT, times=99, retry_after="0.01"))),
    "garbled": ModelScript(template="Pair 1 is the same, I believe."),
    "html": ModelScript(template=ANSWER, steps=(FIRST, Step(act=Act.HTML, times=99))),
    "shy": ModelScript(template=ANSWER, steps=(FIRST, Step(act=Act.REFUSAL, times=99))),
    "cut": ModelScript(template=ANSWER, steps=(FIRST, Step(act=Act.LENGTH, times=99))),
    "silent": ModelScript(template=ANSWER, steps=(FIRST, Step(act=Act.HANG, times=99))),
}


@pytest.fixture
def provider() -> Iterator[LoopbackProvider]:
    """A provider in a thread of its own."""
    with providing(MODELS) as serving:
        yield serving


def a_judge(provider: LoopbackProvider, model: str, dialect: str, **more: object) -> ChatMember:
    base = f"{provider.base_url}/v1" if dialect == "openai" else provider.base_url
    form: dict[str, object] = {"name": "judge", "model": f"{dialect}/{model}", "family": "f", "api_base": base}
    form |= {"price": {"input_usd": 1, "output_usd": 4}, "max_attempts": 2, "timeout_s": 20}
    roster = Roster.model_validate({"members": [form | more]})
    (member,) = build_members(
        roster, ApproximateTokenCounter(), environ={}, response_format=reply_format(), formats={NAME: pairs_format()}
    )
    return member


def a_policy(adjudicator: str | None = "judge", **more: object) -> Policy:
    consensus = ConsensusPolicy(embedder="hashing", distance_threshold=0.5, adjudicator=adjudicator)
    return Policy.model_validate({"consensus": consensus, **more})


def run_with(judge: Member, folder: Path, policy: Policy) -> tuple[Consensus, Receipt]:
    """The consensus and the receipt of a job in which two scripted members differ in their words."""
    fleet = [a_member("one", Say(FOUR.format(LAKE))), a_member("two", Say(FOUR.format(WATER))), judge]
    with running(folder, fleet) as services:
        try:
            return finished(services, policy)
        finally:
            services.run_async(close_all([judge]))


def finished(services: Services, policy: Policy) -> tuple[Consensus, Receipt]:
    job = a_job(services, a_conversation(LAKE, WATER), policy)
    assert run_job(services, job.id).status is JobStatus.COMMITTED
    with services.unit_of_work() as work:
        output = next(step.output for step in work.jobs.steps(job.id) if step.stage == "consensus")
        receipt = work.boundaries.receipt(job.id)
    assert output is not None
    assert receipt is not None
    return Consensus.model_validate_json(output), receipt


def the_report(receipt: Receipt) -> AdjudicationReport:
    assert isinstance(receipt.consensus, ConsensusReport)
    assert isinstance(receipt.consensus.adjudication, AdjudicationReport)
    return receipt.consensus.adjudication


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("model", ["good", "busy"])
def test_the_answer_joins_the_two_families(
    provider: LoopbackProvider, model: str, dialect: str, tmp_path: Path
) -> None:
    consensus, receipt = run_with(a_judge(provider, model, dialect), tmp_path, a_policy())
    assert consensus.groups == 1
    assert consensus.claims[0].support.families == ("one", "two")
    assert isinstance(consensus.adjudication, Adjudication)
    assert consensus.adjudication.decisions[0].verdict is PairVerdict.SAME
    assert consensus.adjudication.decisions[0].reason.endswith("the same depth")
    line = next(line for line in receipt.cost.by_stage if line.of == "consensus")
    assert (line.calls, line.replies) == (1, 1)
    assert isinstance(line.usd, Decimal)
    assert line.usd > 0
    served = provider.served[model]
    assert served.requests == (2 if model == "good" else 3)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    ("model", "failure"),
    [
        ("closed", FailureClass.RATE_LIMIT),
        ("garbled", FailureClass.UNPARSABLE),
        ("html", FailureClass.UNPARSABLE),
        ("shy", FailureClass.REFUSAL),
        ("cut", FailureClass.UNPARSABLE),
    ],
)
def test_without_an_answer_the_job_commits_by_its_rules(
    provider: LoopbackProvider, model: str, failure: FailureClass, dialect: str, tmp_path: Path
) -> None:
    for folder in ("asked", "plain"):
        (tmp_path / folder).mkdir()
    consensus, receipt = run_with(a_judge(provider, model, dialect), tmp_path / "asked", a_policy())
    plain, _ = run_with(a_member("judge", Say(ANSWER)), tmp_path / "plain", a_policy(adjudicator=None))
    report = the_report(receipt)
    # The library tells a refusal in Anthropic's form as a filter's act.
    told = {failure, FailureClass.CONTENT_FILTER} if failure is FailureClass.REFUSAL else {failure}
    assert report.failure in told
    assert report.detail
    assert (report.asked, report.decided) == (1, 0)
    assert said(consensus) == said(plain)
    assert consensus.groups == plain.groups


def said(consensus: Consensus) -> list[tuple[str, tuple[str, ...]]]:
    return [(claim.text, claim.support.families) for claim in consensus.claims]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_provider_that_never_answers_is_given_up(provider: LoopbackProvider, dialect: str, tmp_path: Path) -> None:
    quorum = QuorumPolicy(soft_deadline_s=3, hard_deadline_s=3)
    _, receipt = run_with(a_judge(provider, "silent", dialect), tmp_path, a_policy(quorum=quorum))
    assert the_report(receipt).failure is FailureClass.TIMEOUT


@pytest.mark.parametrize("dialect", DIALECTS)
def test_nothing_is_sent_beyond_the_cap(provider: LoopbackProvider, dialect: str, tmp_path: Path) -> None:
    judge = a_judge(provider, "good", dialect, max_output_tokens=1000)
    _, receipt = run_with(judge, tmp_path, a_policy(budget={"max_usd": "0.0052"}))
    spent = next(line.usd for line in receipt.cost.by_stage if line.of == "fan_out")
    assert isinstance(spent, Decimal)
    assert spent < Decimal("0.0052")
    assert the_report(receipt).failure is FailureClass.BUDGET
    assert provider.served["good"].requests == 1


def test_structured_output_is_asked_for_in_the_form_of_the_question(provider: LoopbackProvider, tmp_path: Path) -> None:
    judge = a_judge(provider, "good", "openai", structured_output=True)
    run_with(judge, tmp_path, a_policy())
    forms = [body.get("response_format") for body in provider.bodies]
    assert forms == [reply_format(), pairs_format()]
