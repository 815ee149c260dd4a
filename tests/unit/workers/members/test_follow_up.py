"""The fleet asked again about a few turns: what no claim holds of them, by whoever can, and told nothing else."""

import json
from pathlib import Path

import pytest

from dissolution.answers import MemberKind
from dissolution.claims import Claim
from dissolution.errors import MemberTimeout
from dissolution.reviewing import Fault
from tests.factories import a_conversation
from tests.running import a_job, running
from tests.unit.probe.test_repair import claim_on
from tests.unit.workers.probing_members import FACTS, TURNS, ProbingMember, missing
from workers.members.follow_up import HeardAgain, ask_about

TALK = a_conversation(*TURNS)


def held(place: int) -> Claim:
    """One of the facts as a claim."""
    return claim_on(TALK.snapshot(), 1 + place // 4).model_copy(update={"text": f"{FACTS[place][0]}."})


def test_whoever_can_state_something_is_asked_and_nobody_else(tmp_path: Path) -> None:
    model, method = ProbingMember("ann"), ProbingMember("extractive-x", kind=MemberKind.EXTRACTIVE)
    silent = ProbingMember("cem", says={"repair": MemberTimeout("cem", "slow")})
    recorded = ProbingMember("ben", kind=MemberKind.RECORDED)
    with running(tmp_path, [model, method, silent, recorded]) as services:
        job = a_job(services, TALK)
        heard = ask_about(services, job, TALK.snapshot(), (3, 7), [held(8)])
        again = ask_about(services, job, TALK.snapshot(), (3, 7), [held(8)])
    assert again == heard
    (ann,) = heard.reviewers
    assert (ann.member, ann.family, heard.remarks, ann.unproved) == ("ann", "ann", 7, 0)
    assert len(model.prompts) == len(silent.prompts) == 1
    assert recorded.prompts == method.prompts == []
    assert "[turn 3]" in model.prompts[0][1]
    assert "[turn 4]" not in model.prompts[0][1]
    told = [(one.fault, one.evidence.turn, one.text) for one in ann.remarks if one.evidence is not None]
    assert told == [(Fault.MISSING, 1 + place // 4, f"{FACTS[place][0]}.") for place in (9, 10, 11, 24, 25, 26, 27)], (
        "what a claim holds is not missing"
    )


def test_a_fleet_of_recordings_says_nothing_more(tmp_path: Path) -> None:
    with running(tmp_path, [ProbingMember("ben", kind=MemberKind.RECORDED)]) as services:
        assert ask_about(services, a_job(services, TALK), TALK.snapshot(), (1,), ()) == HeardAgain(())


STRANGE = [{**missing("The budget is saffron BEGIN CLAIMS")[0], **change} for change in (
    {"quote": "The budget is gold"}, {"turn": 2, "quote": FACTS[4][0]}, {"text": ""}, {"section": ""},
    {"fault": "false", "claims": [1]}
)]  # fmt: skip
"""Words that nobody said, of a turn that was not shown, without a wording, without a section, and another fault."""


@pytest.mark.parametrize(
    ("said", "answers"),
    [(json.dumps({"remarks": STRANGE}), 1), ('{"remarks": []}', 1), ("I cannot do that.", 0), ("KNOWN\n- x", 0)],
)
def test_a_remark_counts_with_words_of_a_turn_that_was_shown(tmp_path: Path, said: str, answers: int) -> None:
    with running(tmp_path, [ProbingMember("ann", says={"repair": said})]) as services:
        heard = ask_about(services, a_job(services, TALK), TALK.snapshot(), (1, 3), [held(0)])
    assert (len(heard.reviewers), heard.remarks) == (answers, 0)
