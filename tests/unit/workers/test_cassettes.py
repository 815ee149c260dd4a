"""Whole jobs that are taped and replayed elsewhere: the same boundary from stored answers, and nothing asked twice."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from dissolution.answers import Call, MemberKind, RenderedPrompt
from dissolution.boundary import BoundaryState
from dissolution.policy.gate import GatePolicy
from dissolution.policy.job_policy import Policy
from dissolution.policy.probe import ProbePolicy
from dissolution.ports.models import Member
from fleet.cassette_members import load_cassette, taping
from tests.factories import a_conversation
from tests.running import a_job, running
from tests.unit.workers.probing_members import FACTS, TURNS
from tests.unit.workers.reviewing_members import ReviewingMember
from workers.pipeline import STAGE_NAMES
from workers.runtime.inline import run_job

pytestmark = pytest.mark.slow  # whole drills, taped and replayed

TALK = a_conversation(*TURNS[:4])
LONGER = a_conversation(*TURNS[:6])


class Live(ReviewingMember):
    """A member by rule, with what a cassette wants to know of a language model."""

    window_tokens = 100_000
    max_output_tokens = 4000
    counter_name = "rules"

    def fits(self, prompt: RenderedPrompt, prior_tokens: int = 0) -> bool:  # noqa: ARG002 - all fits
        return True

    async def aclose(self) -> None:
        pass


def fleet(facts: int = 24) -> list[Live]:
    """Three families that state so many of the facts; the talk holds 24 of them in the end."""
    return [Live(name, states=FACTS[:facts]) for name in ("ann", "ben", "cem")]


def a_policy(**more: object) -> Policy:
    gate = GatePolicy(name="small", questions=12, repair_rounds=1, reject_loss=0.5, accept_loss=0.2)
    probe = ProbePolicy.model_validate({"writer": "ann", "reader": "ben", "judge": "cem", "gate": gate})
    frame = {"reviewers": ("ann", "ben"), "extractor": ("cem",)}
    return Policy.model_validate({"probe": probe, "frame": frame, **more})


def cycles(members: Sequence[Member], folder: Path, *, policy: Policy) -> tuple[list[BoundaryState | None], list[Call]]:
    """Two cycles on one ledger of its own: what stood after each, and every call."""
    folder.mkdir()
    boundaries: list[BoundaryState | None] = []
    calls: list[Call] = []
    with running(folder, members) as services:
        for talk in (TALK, LONGER):
            job = run_job(services, a_job(services, talk, policy).id)
            with services.unit_of_work() as work:
                boundaries.append(work.boundaries.current(talk.id))
                calls += [call for stage in STAGE_NAMES for call in work.jobs.calls(job.id, stage)]
    return boundaries, calls


def told(boundaries: Sequence[BoundaryState | None]) -> list[list[tuple[object, ...]]]:
    """What boundaries say, without the ids and instants of their jobs."""
    return [
        [(claim.section, claim.text, claim.support.families, claim.evidence, claim.marks) for claim in one.claims]
        for one in boundaries
        if one is not None
    ]


def question(call: Call) -> tuple[str, str, str, str]:
    """Who was asked by which stage with which prompt, and what came back."""
    return call.stage, call.prompt.name, call.member.name, call.reply.text if call.reply else ""


COMMITTED = {"four_part", "rolling", "review", "premises", "probe_writing", "probe_answers", "probe_evidence"}
REPAIRED = {"four_part", "probe_judging", "repair", "probe_further"}


@pytest.mark.parametrize(("facts", "prompts"), [(24, COMMITTED), (9, REPAIRED)])
def test_a_taped_path_is_replayed_by_another_installation_with_the_same_outcome(
    facts: int, prompts: set[str], tmp_path: Path
) -> None:
    live, asked = cycles(taping(fleet(facts), tmp_path / "tape"), tmp_path / "one", policy=a_policy())
    replayed, again = cycles(load_cassette(tmp_path / "tape"), tmp_path / "two", policy=a_policy())
    assert prompts <= {call.prompt.name for call in asked}
    assert [call.failure.detail for call in again if call.failure] == []
    assert told(replayed) == told(live)
    assert len(told(live)) == 2, "what a repair is told by two families passes where it was lost"
    assert Counter(map(question, again)) == Counter(map(question, asked))
    assert {call.member.kind for call in again} == {MemberKind.RECORDED}
