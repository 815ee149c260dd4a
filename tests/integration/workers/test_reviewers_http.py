"""Reviewers asked over real HTTP, in both wire formats, of a provider in and out of order."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from devtools.loopback import LoopbackProvider
from devtools.loopback_spec import LoopbackAct, LoopbackStep, ModelScript
from devtools.scripted import Say
from dissolution.answers import FailureClass
from dissolution.claims import Section
from dissolution.framing import Action, FramePolicy
from dissolution.job import JobStatus
from dissolution.policy.job_policy import Policy
from dissolution.reviewing import Fault, Reviewer
from dissolution.values import NotMeasured
from frame_agent.register.fold import register_of
from prompts.reviewing import REVIEW
from tests.factories import a_conversation
from tests.integration.fleet.parts import DIALECTS
from tests.integration.providing import a_frame_member, providing
from tests.running import a_job, a_member, running
from tests.unit.frame_agent.framed import a_candidate, a_claim
from tests.unit.workers.reviewing_members import remark
from workers.bootstrap import close_all
from workers.members.reviewers import reviewed_by_members
from workers.runtime.inline import run_job

TALK = a_conversation(
    "We repair the house. The cellar is four metres deep, says a man in the pub who has never been there.",
    "The gutters are zinc. The roof leaks. The order of the work is my task.",
)
SNAPSHOT = TALK.snapshot()
PUB = "The cellar is four metres deep."
CLAIMS = (PUB, "The gutters are zinc.", "The roof leaks.", "The assistant orders the work.")
CANDIDATE = a_candidate(*(a_claim(Section.KNOWN, text, SNAPSHOT, 1, f"c{n}") for n, text in enumerate(CLAIMS, 1)))
PARTS = f"KNOWN\n- {PUB} [turn 1]\n- {CLAIMS[1]} [turn 2]\n\nDECIDED\nnone\n\nEDGES\nnone\n\nIDENTITY\nnone"
TEXT = "A man in the pub says that the cellar is four metres deep."
HEARSAY = remark(1, Fault.GUESS, 1, "says a man in the pub", text=TEXT, section="", best=0)
GOOD = json.dumps({"remarks": [HEARSAY, remark(2, Fault.FALSE, 2, "zinc and tin")]})

MODELS = {
    "good": ModelScript(template=GOOD),
    "busy": ModelScript(template=GOOD, steps=(LoopbackStep(act=LoopbackAct.RATE_LIMIT, retry_after="0.01"),)),
    "content": ModelScript(template='{"remarks": []}'),
    "shy": ModelScript(template=GOOD, steps=(LoopbackStep(act=LoopbackAct.REFUSAL, times=99),)),
    "declines": ModelScript(template="I'm sorry, but I can't help with that request."),
    "broke": ModelScript(template=GOOD, steps=(LoopbackStep(act=LoopbackAct.BILLING, times=99),)),
    "garbled": ModelScript(template="The first three look fine to me, the last I would not sign."),
    "part": ModelScript(template=GOOD),
}


@pytest.fixture(scope="module")
def provider() -> Iterator[LoopbackProvider]:
    """A provider in a thread of its own, for all tests of the module; no two tests ask the same model."""
    both = {f"{name}-{dialect}": script for name, script in MODELS.items() for dialect in DIALECTS}
    with providing(both) as serving:
        yield serving


def asked(provider: LoopbackProvider, folder: Path, model: str, dialect: str) -> tuple[Reviewer, int]:
    """What comes of a reviewer that policy does not name, and how many requests it took."""
    member = a_frame_member(provider, "cem", model, dialect)
    before = provider.served[f"{model}-{dialect}"].requests
    with running(folder, [member]) as services:
        try:
            job = a_job(services, TALK, Policy())
            register = register_of(SNAPSHOT)
            (found,) = reviewed_by_members(services, job, SNAPSHOT, CANDIDATE, register=register).reviewers
        finally:
            services.run_async(close_all([member]))
    return found, provider.served[f"{model}-{dialect}"].requests - before


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(("model", "requests"), [("good", 1), ("busy", 2)])
def test_remarks_come_over_the_wire_and_a_busy_provider_is_asked_again(
    provider: LoopbackProvider, model: str, requests: int, dialect: str, tmp_path: Path
) -> None:
    found, took = asked(provider, tmp_path, model, dialect)
    assert [(one.fault, one.about[0].text, one.text) for one in found.remarks] == [(Fault.GUESS, PUB, TEXT)]
    assert (found.family, found.failure, found.unread) == ("of-cem", None, 0)
    assert (found.unproved, took) == (1, requests)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_empty_list_is_an_answer(provider: LoopbackProvider, dialect: str, tmp_path: Path) -> None:
    found, _ = asked(provider, tmp_path, "content", dialect)
    assert (found.remarks, found.failure, found.unread) == ((), None, 0)


BAD: dict[str, set[FailureClass]] = {
    "shy": {FailureClass.REFUSAL, FailureClass.CONTENT_FILTER},  # the formats tell it differently
    "declines": {FailureClass.REFUSAL},
    "broke": {FailureClass.BILLING},
    "garbled": {FailureClass.UNPARSABLE},
}


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("model", BAD)
def test_a_reviewer_that_fails_is_told_as_a_value_and_has_said_nothing(
    provider: LoopbackProvider, model: str, dialect: str, tmp_path: Path
) -> None:
    found, _ = asked(provider, tmp_path, model, dialect)
    assert found.failure in BAD[model]
    assert found.detail
    assert (found.remarks, found.unread) == ((), len(CLAIMS))


def test_reviewers_of_two_providers_put_their_words_in_the_place_of_a_guess_and_are_paid_for(
    provider: LoopbackProvider, tmp_path: Path
) -> None:
    names = dict(zip(("cem", "dora"), DIALECTS, strict=True))
    reviewers = [a_frame_member(provider, name, "part", dialect) for name, dialect in names.items()]
    policy = Policy(frame=FramePolicy(reviewers=tuple(names)))
    with running(tmp_path, [a_member("a", Say(PARTS)), a_member("b", Say(PARTS)), *reviewers]) as services:
        try:
            job = run_job(services, a_job(services, TALK, policy).id)
        finally:
            services.run_async(close_all(reviewers))
        with services.unit_of_work() as work:
            boundary, receipt = work.boundaries.by_job(job.id), work.boundaries.receipt(job.id)
            calls = work.jobs.calls(job.id, "frame_audit")
    assert job.status is JobStatus.COMMITTED
    assert boundary is not None
    assert receipt is not None
    assert not isinstance(receipt.frame, NotMeasured)
    assert {(claim.section, claim.text) for claim in boundary.claims} == {
        (Section.EDGES, TEXT),
        (Section.KNOWN, CLAIMS[1]),
    }
    (finding,) = receipt.frame.findings
    assert (finding.told_by, finding.action) == (("cem", "dora"), Action.REPAIR)
    assert sorted((call.member.name, call.prompt.name) for call in calls) == [(name, REVIEW) for name in sorted(names)]
    spent = next(line.usd for line in receipt.cost.by_stage if line.of == "frame_audit")
    assert not isinstance(spent, NotMeasured)
    assert spent > 0
