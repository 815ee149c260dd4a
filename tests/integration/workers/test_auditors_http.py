"""Auditors asked over real HTTP, in both wire formats, of a provider in and out of order."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from dissolution.answers import FailureClass
from dissolution.claim_audit import Assessment, Auditor
from dissolution.claims import Section
from dissolution.framing import Action, FramePolicy
from dissolution.job import JobStatus
from dissolution.policy import Policy
from dissolution.values import NotMeasured
from fleet.loopback import LoopbackProvider
from fleet.loopback_spec import Act, ModelScript, Step
from fleet.scripted import Say
from prompts.claim_auditing import CLAIM_AUDIT
from tests.factories import a_conversation
from tests.integration.fleet.parts import DIALECTS
from tests.integration.providing import a_frame_member, providing
from tests.running import a_job, a_member, running
from tests.unit.frame_agent.framed import a_candidate, a_claim
from tests.unit.workers.auditing_members import SOUND, Fault, assessed
from workers import claim_auditors
from workers.bootstrap import close_all
from workers.claim_auditors import audited_by_members
from workers.inline import run_job

TALK = a_conversation(
    "We repair the house. The cellar is four metres deep, says a man in the pub who has never been there.",
    "The gutters are zinc. The roof leaks. The order of the work is my task.",
)
SNAPSHOT = TALK.snapshot()
PUB = "The cellar is four metres deep."
CLAIMS = (PUB, "The gutters are zinc.", "The roof leaks.", "The assistant orders the work.")
CANDIDATE = a_candidate(*(a_claim(Section.KNOWN, text, SNAPSHOT, 1, f"c{n}") for n, text in enumerate(CLAIMS, 1)))
PARTS = f"KNOWN\n- {PUB} [turn 1]\n- {CLAIMS[1]} [turn 2]\n\nDECIDED\nnone\n\nEDGES\nnone\n\nIDENTITY\nnone"
HEARSAY: Fault = (Assessment.HEDGED, 1, "says a man in the pub")
GOOD = assessed(HEARSAY, SOUND, SOUND, SOUND)

MODELS = {
    "good": ModelScript(template=GOOD),
    "busy": ModelScript(template=GOOD, steps=(Step(act=Act.RATE_LIMIT, retry_after="0.01"),)),
    "closed": ModelScript(template=GOOD, steps=(Step(act=Act.RATE_LIMIT, times=99, retry_after="0.01"),)),
    "shy": ModelScript(template=GOOD, steps=(Step(act=Act.REFUSAL, times=99),)),
    "filtered": ModelScript(template=GOOD, steps=(Step(act=Act.CONTENT_FILTER, times=99),)),
    "declines": ModelScript(template="I'm sorry, but I can't help with that request."),
    "limit": ModelScript(template=GOOD, steps=(Step(act=Act.LENGTH, times=99),)),
    "cut": ModelScript(template=GOOD, steps=(Step(act=Act.CUT, times=99),)),
    "html": ModelScript(template=GOOD, steps=(Step(act=Act.HTML, times=99),)),
    "broke": ModelScript(template=GOOD, steps=(Step(act=Act.BILLING, times=99),)),
    "garbled": ModelScript(template="The first three look fine to me, the last I would not sign."),
    "elsewhere": ModelScript(template=GOOD.replace('"claim": ', '"claim": 4000')),
    "flagging": ModelScript(template=GOOD, steps=(Step(act=Act.ANSWER), Step(act=Act.BILLING, times=99))),
    "part": ModelScript(template=GOOD),
}


@pytest.fixture(scope="module")
def provider() -> Iterator[LoopbackProvider]:
    """A provider in a thread of its own, for all tests of the module; no two tests ask the same model."""
    both = {f"{name}-{dialect}": script for name, script in MODELS.items() for dialect in DIALECTS}
    with providing(both) as serving:
        yield serving


def asked(provider: LoopbackProvider, folder: Path, model: str, dialect: str) -> tuple[Auditor, int]:
    """What comes of an auditor, and how many requests it took."""
    member = a_frame_member(provider, "cem", model, dialect)
    before = provider.served[f"{model}-{dialect}"].requests
    with running(folder, [member]) as services:
        try:
            job = a_job(services, TALK, Policy(frame=FramePolicy(auditor=("cem",))))
            (found,) = audited_by_members(services, job, SNAPSHOT, CANDIDATE)
        finally:
            services.run_async(close_all([member]))
    return found, provider.served[f"{model}-{dialect}"].requests - before


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(("model", "requests"), [("good", 1), ("busy", 2)])
def test_assessments_come_over_the_wire_and_a_busy_provider_is_asked_again(
    provider: LoopbackProvider, model: str, requests: int, dialect: str, tmp_path: Path
) -> None:
    found, took = asked(provider, tmp_path, model, dialect)
    assert {one.text: one.assessment for one in found.assessed} == {
        PUB: Assessment.HEDGED,
        **dict.fromkeys(CLAIMS[1:], Assessment.SOUND),
    }
    assert (found.family, found.failure, found.unread, found.unproved) == ("of-cem", None, 0, 0)
    assert took == requests


@pytest.mark.parametrize("dialect", DIALECTS)
def test_of_an_answer_cut_at_the_limit_whole_entries_count_and_the_rest_is_unread(
    provider: LoopbackProvider, dialect: str, tmp_path: Path
) -> None:
    found, took = asked(provider, tmp_path, "limit", dialect)
    assert [one.text for one in found.assessed] == list(CLAIMS[:1])
    assert (found.unread, found.failure, took) == (len(CLAIMS) - 1, None, 1)


BAD: dict[str, tuple[set[FailureClass], int]] = {
    "closed": ({FailureClass.RATE_LIMIT}, 2),
    "broke": ({FailureClass.BILLING}, 1),
    "shy": ({FailureClass.REFUSAL, FailureClass.CONTENT_FILTER}, 1),  # the formats tell it differently
    "filtered": ({FailureClass.REFUSAL, FailureClass.CONTENT_FILTER}, 1),
    "declines": ({FailureClass.REFUSAL}, 1),
    "cut": ({FailureClass.UNAVAILABLE}, 2),
    "html": ({FailureClass.UNPARSABLE, FailureClass.UNAVAILABLE}, 2),
    "garbled": ({FailureClass.UNPARSABLE}, 1),
    "elsewhere": ({FailureClass.UNPARSABLE}, 1),
}
"""Models that fail, with the classes that tell it and the requests it may take."""


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("model", BAD)
def test_an_auditor_that_fails_is_told_as_a_value_and_has_said_nothing(
    provider: LoopbackProvider, model: str, dialect: str, tmp_path: Path
) -> None:
    found, requests = asked(provider, tmp_path, model, dialect)
    classes, most = BAD[model]
    assert found.failure in classes
    assert found.detail
    assert (found.assessed, found.unread) == ((), len(CLAIMS))
    assert 1 <= requests <= most


@pytest.mark.parametrize("dialect", DIALECTS)
def test_what_was_said_before_the_credit_ran_out_counts(
    provider: LoopbackProvider, dialect: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claim_auditors, "AT_ONCE", 3)
    found, requests = asked(provider, tmp_path, "flagging", dialect)
    assert [one.text for one in found.assessed] == list(CLAIMS[:3])
    assert (found.failure, found.unread, requests) == (FailureClass.BILLING, 1, 2)


def test_auditors_of_two_providers_move_a_guess_and_are_paid_for(provider: LoopbackProvider, tmp_path: Path) -> None:
    names = dict(zip(("cem", "dora"), DIALECTS, strict=True))
    auditors = [a_frame_member(provider, name, "part", dialect) for name, dialect in names.items()]
    policy = Policy(frame=FramePolicy(auditor=tuple(names)))
    with running(tmp_path, [a_member("a", Say(PARTS)), a_member("b", Say(PARTS)), *auditors]) as services:
        try:
            job = run_job(services, a_job(services, TALK, policy).id)
        finally:
            services.run_async(close_all(auditors))
        with services.unit_of_work() as work:
            boundary, receipt = work.boundaries.by_job(job.id), work.boundaries.receipt(job.id)
            calls = work.jobs.calls(job.id, "frame_audit")
    assert job.status is JobStatus.COMMITTED
    assert boundary is not None
    assert receipt is not None
    assert not isinstance(receipt.frame, NotMeasured)
    assert {(claim.section, claim.text) for claim in boundary.claims} == {
        (Section.EDGES, f"Assumed, not confirmed: {PUB}"),
        (Section.KNOWN, CLAIMS[1]),
    }
    (finding,) = receipt.frame.findings
    assert (finding.told_by, finding.action) == (("cem", "dora"), Action.REPAIR)
    assert [(one.member, one.family, one.read, one.faults) for one in receipt.frame.auditors] == [
        ("cem", "of-cem", 2, 1),
        ("dora", "of-dora", 2, 1),
    ]
    assert sorted((call.member.name, call.prompt.name) for call in calls) == [
        (name, CLAIM_AUDIT) for name in sorted(names)
    ]
    spent = next(line.usd for line in receipt.cost.by_stage if line.of == "frame_audit")
    assert not isinstance(spent, NotMeasured)
    assert spent > 0
