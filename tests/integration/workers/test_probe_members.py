"""A whole job whose writer, reader or judge is asked over real HTTP, of a provider in and out of order."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from devtools.loopback import LoopbackProvider
from devtools.loopback_spec import LoopbackAct, LoopbackStep, ModelScript
from dissolution.answers import FailureClass
from dissolution.findings import StageState, Verdict
from dissolution.framing import FramePolicy
from dissolution.job import Job
from dissolution.policy.gate import GatePolicy
from dissolution.policy.job_policy import Policy, QuorumPolicy
from dissolution.policy.probe import ProbePolicy
from dissolution.ports.models import Member
from dissolution.receipt.job_receipt import Receipt
from dissolution.receipt.probe import ProbeSummary
from fleet.chat_member import ChatMember, build_members
from fleet.roster import Roster
from language.tokens import ApproximateTokenCounter
from prompts.probing import probe_formats
from prompts.reply import reply_format
from tests.factories import a_conversation
from tests.integration.fleet.parts import DIALECTS
from tests.integration.providing import providing
from tests.running import a_job, running
from tests.unit.workers.probing_members import FACTS, TURNS, ProbingMember, proposals
from workers.bootstrap import close_all
from workers.probe.outcomes import Faced, outcome
from workers.runtime.inline import run_job

TALK = a_conversation(*TURNS[:4])
WRITTEN = json.dumps({"questions": proposals(FACTS[:16])})
VERDICTS = json.dumps({"verdicts": [{"id": f"w{n:03}", "verdict": "right", "why": "same"} for n in range(1, 18)]})
FIRST = LoopbackStep(act=LoopbackAct.ANSWER)
"""The member's own part in the fan-out: its answer there is no boundary and counts for nothing."""


def failing(act: LoopbackAct, **more: object) -> ModelScript:
    return ModelScript(template=WRITTEN, steps=(FIRST, LoopbackStep.model_validate({"act": act, "times": 99, **more})))


MODELS = {
    "writes": ModelScript(template=WRITTEN),
    "busy": ModelScript(template=WRITTEN, steps=(FIRST, LoopbackStep(act=LoopbackAct.RATE_LIMIT, retry_after="0.01"))),
    "judges": ModelScript(template=VERDICTS),
    "garbled": ModelScript(template="Question 1: what is it?"),
    "closed": failing(LoopbackAct.RATE_LIMIT, retry_after="0.01"),
    "shy": failing(LoopbackAct.REFUSAL),
    "withheld": failing(LoopbackAct.CONTENT_FILTER),
    "html": failing(LoopbackAct.HTML),
    "cut": failing(LoopbackAct.CUT),
    "broke": failing(LoopbackAct.BILLING),
}


@pytest.fixture
def provider() -> Iterator[LoopbackProvider]:
    """A provider in a thread of its own."""
    with providing(MODELS) as serving:
        yield serving


def over_http(provider: LoopbackProvider, name: str, model: str, dialect: str, **more: object) -> ChatMember:
    base = f"{provider.base_url}/v1" if dialect == "openai" else provider.base_url
    form: dict[str, object] = {"name": name, "model": f"{dialect}/{model}", "family": name, "api_base": base}
    form |= {"price": {"input_usd": 1, "output_usd": 4}, "max_attempts": 2, "timeout_s": 20}
    roster = Roster.model_validate({"members": [form | more]})
    (member,) = build_members(
        roster, ApproximateTokenCounter(), environ={}, response_format=reply_format(), formats=probe_formats()
    )
    return member


def a_policy(**more: object) -> Policy:
    gate = GatePolicy(name="small", questions=12, repair_rounds=0, reject_loss=0.5, accept_loss=0.2)
    probe = ProbePolicy.model_validate({"writer": "ann", "reader": "ben", "judge": "cem", "gate": gate})
    quorum = QuorumPolicy(min_members=1, min_families=1)
    frame = FramePolicy(review_families=0)  # this is about the probe
    return Policy.model_validate({"probe": probe, "quorum": quorum, "frame": frame, **more})


def run_with(members: Sequence[Member], folder: Path, policy: Policy) -> tuple[Job, Receipt, Faced | None]:
    with running(folder, members) as services:
        try:
            job = run_job(services, a_job(services, TALK, policy).id)
            with services.unit_of_work() as work:
                receipt = work.boundaries.receipt(job.id)
                faced = outcome(work, job, "candidate_arm", Faced)
        finally:
            services.run_async(close_all(members))
    assert receipt is not None
    return job, receipt, faced if isinstance(faced, Faced) else None


def scripted(*names: str) -> list[ProbingMember]:
    return [ProbingMember(name, FACTS[:16]) for name in names]


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("model", ["writes", "busy"])
def test_a_writer_over_the_wire_gives_a_bank(
    provider: LoopbackProvider, model: str, dialect: str, tmp_path: Path
) -> None:
    writer = over_http(provider, "ann", model, dialect, structured_output=dialect == "openai")
    _, receipt, _ = run_with([writer, *scripted("ben", "cem")], tmp_path, a_policy())
    assert isinstance(receipt.probe, ProbeSummary)
    assert receipt.probe.held_out + receipt.probe.train == 16
    assert receipt.decision.verdict is Verdict.COMMIT
    line = next(line for line in receipt.cost.by_stage if line.of == "question_bank")
    assert isinstance(line.usd, object)
    assert provider.served[model].requests == (2 if model == "writes" else 3)


@pytest.mark.parametrize(
    ("model", "failure"),
    [
        ("garbled", FailureClass.UNPARSABLE),
        ("closed", FailureClass.RATE_LIMIT),
        ("shy", FailureClass.REFUSAL),
        ("withheld", FailureClass.CONTENT_FILTER),
        ("html", FailureClass.UNPARSABLE),
        ("cut", FailureClass.UNAVAILABLE),
        ("broke", FailureClass.BILLING),
    ],
)
@pytest.mark.parametrize("task", ["ann", "ben"])
def test_a_writer_or_reader_that_fails_leaves_the_gate_inconclusive(
    provider: LoopbackProvider, task: str, model: str, failure: FailureClass, tmp_path: Path
) -> None:
    others = [name for name in ("ann", "ben", "cem") if name != task]
    job, receipt, _ = run_with([over_http(provider, task, model, "openai"), *scripted(*others)], tmp_path, a_policy())
    bank = next(line for line in receipt.stages if line.stage == "question_bank")
    assert bank.state is StageState.NOT_RUN
    assert (bank.reason or "").endswith(f": {failure.value}")
    assert receipt.decision.verdict is Verdict.KEEP_HISTORY
    assert "inconclusive" in (job.reason or "")


def test_the_probe_stops_at_the_jobs_cap(provider: LoopbackProvider, tmp_path: Path) -> None:
    writer = over_http(provider, "ann", "writes", "openai")
    policy = a_policy(budget={"max_usd": "0.0181"})
    _, receipt, _ = run_with([writer, *scripted("ben", "cem")], tmp_path, policy)
    bank = next(line for line in receipt.stages if line.stage == "question_bank")
    assert (bank.reason or "").endswith(": budget")
    assert provider.served["writes"].requests == 1
