"""The fleet asked again about a few turns: with their own numbers, by whoever can, and told nothing else."""

from pathlib import Path

from dissolution.answers import MemberKind
from dissolution.errors import MemberTimeout
from tests.factories import a_conversation
from tests.running import a_job, running
from tests.unit.workers.probing_members import FACTS, TURNS, ProbingMember
from workers.asking_again import ask_about

TALK = a_conversation(*TURNS)


def test_whoever_can_state_something_is_asked_and_nobody_else(tmp_path: Path) -> None:
    model, method = ProbingMember("ann"), ProbingMember("extractive-x", kind=MemberKind.EXTRACTIVE)
    silent = ProbingMember("cem", says={"repair": MemberTimeout("cem", "slow")})
    recorded = ProbingMember("ben", kind=MemberKind.RECORDED)
    with running(tmp_path, [model, method, silent, recorded]) as services:
        job = a_job(services, TALK)
        heard = ask_about(services, job, TALK.snapshot(), (3, 7))
        again = ask_about(services, job, TALK.snapshot(), (3, 7))
    assert again == heard
    assert heard.answered == 1
    assert len(model.prompts) == len(silent.prompts) == 1
    assert recorded.prompts == method.prompts == []
    assert "[turn 3]" in model.prompts[0][1]
    assert "[turn 4]" not in model.prompts[0][1]
    assert [one.claim.turns for one in heard.statements] == [(3,)] * 4 + [(7,)] * 4
    assert FACTS[8][0] in heard.statements[0].claim.text


def test_a_fleet_of_recordings_says_nothing_more(tmp_path: Path) -> None:
    with running(tmp_path, [ProbingMember("ben", kind=MemberKind.RECORDED)]) as services:
        heard = ask_about(services, a_job(services, TALK), TALK.snapshot(), (1,))
    assert (heard.statements, heard.answered) == ((), 0)
