"""A challenger asked over real HTTP, in both wire formats, of a provider in and out of order."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from devtools.loopback import LoopbackProvider
from devtools.loopback_spec import LoopbackAct, LoopbackStep, ModelScript
from devtools.scripted import Say
from dissolution.answers import FailureClass
from dissolution.claims import Section
from dissolution.framing import Challenge, FramePolicy
from dissolution.policy.job_policy import Policy
from dissolution.values import NotMeasured
from frame_agent.challenge.adoption import challenge_id
from frame_agent.challenge.challenger import targets
from frame_agent.register.fold import register_of
from tests.factories import a_conversation
from tests.integration.fleet.parts import DIALECTS
from tests.integration.providing import a_frame_member, providing
from tests.running import a_job, a_member, running
from workers.bootstrap import close_all
from workers.members.frame_members import challenged
from workers.results.adopted_challenges import adopt_challenge
from workers.runtime.inline import run_job

TALK = (
    "Help me move the archive. I guess the inter-rack link is shared with backup traffic.",
    "Then the copy goes over the link at night, because it is shared with backup traffic. So the night shift stays.",
    "Fine, then we plan the night, since the link is shared. Suppose the disks are slow. Then we need two nights.",
)
SNAPSHOT = a_conversation(*TALK).snapshot()
REGISTER = register_of(SNAPSHOT)
GOOD = "KNOWN\n- The archive moves. [turn 1]\n\nDECIDED\nnone\n\nEDGES\nnone\n\nIDENTITY\nnone"
WAYS = (
    "Lorries carry tapes between the towns.",
    "A courier brings printed pages on Monday.",
    "Nobody reads those files, so they can be burnt.",
    "The museum keeps a second set of everything.",
    "Pigeons would be faster than fibre.",
)


def framings(count: int, premises: int = 1) -> str:
    """Framings in the form, many more than policy shows, the last premises first."""
    found = [
        {"premise": 1 + (premises - 1 - place) % premises, "alternative": way, "leads_to": "No night.", "test": "Ask."}
        for place, way in enumerate(WAYS[:count])
    ]
    return json.dumps({"framings": found})


MANY = framings(len(WAYS), min(2, len(targets(REGISTER))))
ONE = framings(1)
MODELS = {
    "many": ModelScript(template=MANY),
    "twice": ModelScript(template=ONE[:-2] + ", " + ONE[len('{"framings": [') :]),
    "busy": ModelScript(template=ONE, steps=(LoopbackStep(act=LoopbackAct.RATE_LIMIT, retry_after="0.01"),)),
    "closed": ModelScript(
        template=ONE, steps=(LoopbackStep(act=LoopbackAct.RATE_LIMIT, times=99, retry_after="0.01"),)
    ),
    "shy": ModelScript(template=ONE, steps=(LoopbackStep(act=LoopbackAct.REFUSAL, times=99),)),
    "cut": ModelScript(template=ONE, steps=(LoopbackStep(act=LoopbackAct.LENGTH, times=99),)),
    "html": ModelScript(template=ONE, steps=(LoopbackStep(act=LoopbackAct.HTML, times=99),)),
    "broke": ModelScript(template=ONE, steps=(LoopbackStep(act=LoopbackAct.BILLING, times=99),)),
    "garbled": ModelScript(template="There is much that one could ask, I believe."),
    "elsewhere": ModelScript(template=ONE.replace('"premise": 1', '"premise": 4000')),
    "part": ModelScript(template=ONE),
}


@pytest.fixture(scope="module")
def provider() -> Iterator[LoopbackProvider]:
    """A provider in a thread of its own, for all tests of the module."""
    both = {f"{name}-{dialect}": script for name, script in MODELS.items() for dialect in DIALECTS}
    with providing(both) as serving:
        yield serving


def asked(
    provider: LoopbackProvider, folder: Path, model: str, dialect: str, **policy: object
) -> tuple[tuple[Challenge, ...] | NotMeasured, int]:
    """What the challenger comes to, and how many requests it took."""
    critic = a_frame_member(provider, "critic", model, dialect)
    before = provider.served[f"{model}-{dialect}"].requests
    frame = FramePolicy.model_validate({"challenger": "critic", "challenger_calls": 1, **policy})
    with running(folder, [critic]) as services:
        try:
            job = a_job(services, a_conversation(*TALK), Policy(frame=frame))
            found = challenged(services, job, SNAPSHOT, REGISTER)
        finally:
            services.run_async(close_all([critic]))
    return found, provider.served[f"{model}-{dialect}"].requests - before


@pytest.mark.parametrize("dialect", DIALECTS)
def test_too_many_framings_are_ranked_by_leverage_and_cut_to_what_policy_shows(
    provider: LoopbackProvider, dialect: str, tmp_path: Path
) -> None:
    found, requests = asked(provider, tmp_path, "many", dialect, challenges_shown=2, challenger_calls=5)
    assert isinstance(found, tuple)
    assert len(found) == 2
    assert requests == 1, "there are fewer premises than one question shows: nothing is left to ask a second time"
    most = targets(REGISTER)[0]
    assert (found[0].premise, found[0].leverage) == (most.premise.id, most.leverage)
    assert found[0].leverage >= found[1].leverage > 0
    assert {one.member for one in found} == {"critic"}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_busy_provider_is_asked_again_and_the_same_framing_counts_once(
    provider: LoopbackProvider, dialect: str, tmp_path: Path
) -> None:
    found, requests = asked(provider, tmp_path, "busy", dialect)
    assert isinstance(found, tuple)
    assert [one.alternative for one in found] == [WAYS[0]]
    assert requests == 2
    (tmp_path / "again").mkdir()
    twice, _ = asked(provider, tmp_path / "again", "twice", dialect)
    assert isinstance(twice, tuple)
    assert [one.alternative for one in twice] == [WAYS[0]]


BAD: dict[str, tuple[set[str], int]] = {
    "closed": ({FailureClass.RATE_LIMIT.value}, 2),
    "broke": ({FailureClass.BILLING.value}, 1),
    "shy": ({FailureClass.REFUSAL.value, FailureClass.CONTENT_FILTER.value}, 1),  # the formats tell it differently
    "cut": ({FailureClass.UNPARSABLE.value}, 1),
    "html": ({one.value for one in FailureClass}, 2),
    "garbled": ({FailureClass.UNPARSABLE.value}, 1),
    "elsewhere": ({FailureClass.UNPARSABLE.value}, 1),
}
"""Models that fail, with the classes that tell it and the requests it may take."""


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("model", BAD)
def test_a_challenger_that_fails_is_told_and_asked_no_more_than_policy_allows(
    provider: LoopbackProvider, model: str, dialect: str, tmp_path: Path
) -> None:
    found, requests = asked(provider, tmp_path, model, dialect, challenger_calls=3)
    classes, most = BAD[model]
    assert isinstance(found, NotMeasured)
    told = found.not_measured.removeprefix("challenger 'critic': ")
    assert told.split(",")[0] in classes
    assert 1 <= requests <= most


def test_a_challenge_stands_in_no_boundary_until_a_person_takes_it_up(
    provider: LoopbackProvider, tmp_path: Path
) -> None:
    critic = a_frame_member(provider, "critic", "part", "openai")
    policy = Policy(frame=FramePolicy(challenger="critic", challenger_calls=1))
    with running(tmp_path, [a_member("a", Say(GOOD)), a_member("b", Say(GOOD)), critic]) as services:
        try:
            job = run_job(services, a_job(services, a_conversation(*TALK), policy).id)
        finally:
            services.run_async(close_all([critic]))
        with services.unit_of_work() as work:
            boundary, receipt = work.boundaries.by_job(job.id), work.boundaries.receipt(job.id)
        assert boundary is not None
        assert receipt is not None
        assert not isinstance(receipt.frame, NotMeasured)
        assert isinstance(receipt.frame.challenges, tuple)
        (challenge,) = receipt.frame.challenges
        assert not [claim for claim in boundary.claims if challenge.alternative in claim.text]
        with services.unit_of_work() as work:
            adopt_challenge(work, services, job, challenge_id(challenge), actor="ann", why="worth asking")
            work.commit()
        with services.unit_of_work() as work:
            standing = work.boundaries.current("conv-1")
    assert standing is not None
    (edge,) = [claim for claim in standing.section(Section.EDGES) if challenge.alternative in claim.text]
    assert edge.id == challenge_id(challenge)
