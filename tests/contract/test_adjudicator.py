"""What every adjudicator keeps to: an answer for each pair in order, none for one left out, failures as values."""

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from consensus.adjudicators import RecordedAdjudicator, ScriptedAdjudicator, both_ways
from dissolution.adjudication import ClaimPair, PairAnswer, PairVerdict, Relation
from dissolution.answers import FailureClass, MemberFailure
from dissolution.errors import MemberUnavailable
from dissolution.ports import Adjudicator
from fleet.scripted import Fail, Say
from tests.factories import a_conversation
from tests.running import a_job, a_member, running
from workers.adjudicating import MemberAdjudicator, NobodyToAsk

PAIRS = tuple(ClaimPair(first=f"The lake is {n} m deep.", second=f"Its depth is {n} m.") for n in (10, 20, 30))
ANSWERS = (both_ways(Relation.ENTAILS), None, PairAnswer(forward=Relation.NEITHER, backward=Relation.CONTRADICTS))
"""What each of the adapters below says of PAIRS: nothing about the second."""

TEXT = """{"pairs": [
 {"pair": 1, "a_to_b": "entails", "b_to_a": "entails"}, {"pair": 3, "a_to_b": "neither", "b_to_a": "contradicts"}
]}"""

Build = Callable[[Path], AbstractContextManager[Adjudicator]]


@contextmanager
def recorded(_folder: Path) -> Generator[Adjudicator]:
    told = [(pair, answer) for pair, answer in zip(PAIRS, ANSWERS, strict=True) if answer is not None]
    yield RecordedAdjudicator("judge", told)


@contextmanager
def scripted(_folder: Path) -> Generator[Adjudicator]:
    told = {pair.first: answer for pair, answer in zip(PAIRS, ANSWERS, strict=True)}
    yield ScriptedAdjudicator(lambda pair: told[pair.first], "judge")


@contextmanager
def member(folder: Path) -> Generator[Adjudicator]:
    with running(folder, []) as services:
        job = a_job(services, a_conversation("The lake is deep."))
        yield MemberAdjudicator(services, job, a_member("judge", Say(TEXT)), a_conversation("One.").snapshot())


@contextmanager
def failing_script(_folder: Path) -> Generator[Adjudicator]:
    yield ScriptedAdjudicator(MemberFailure(error_class=FailureClass.UNAVAILABLE, detail="down"), "judge")


@contextmanager
def failing_member(folder: Path) -> Generator[Adjudicator]:
    with running(folder, []) as services:
        job = a_job(services, a_conversation("The lake is deep."))
        asked = a_member("judge", Fail(MemberUnavailable))
        yield MemberAdjudicator(services, job, asked, a_conversation("One.").snapshot())


@contextmanager
def nobody(_folder: Path) -> Generator[Adjudicator]:
    yield NobodyToAsk("judge", "the fleet has no such member")


ANSWERING: list[Build] = [recorded, scripted, member]
FAILING: list[Build] = [failing_script, failing_member, nobody]


@pytest.mark.parametrize("build", ANSWERING)
def test_each_pair_has_its_own_answer_in_order(build: Build, tmp_path: Path) -> None:
    with build(tmp_path) as adjudicator:
        answers = adjudicator.adjudicate(PAIRS)
    assert answers == ANSWERS


@pytest.mark.parametrize("build", ANSWERING)
def test_asking_again_gives_the_same_answers(build: Build, tmp_path: Path) -> None:
    with build(tmp_path) as adjudicator:
        assert adjudicator.adjudicate(PAIRS) == adjudicator.adjudicate(PAIRS)


@pytest.mark.parametrize("build", [*ANSWERING, *FAILING])
def test_an_adjudicator_has_the_name_that_decisions_carry(build: Build, tmp_path: Path) -> None:
    with build(tmp_path) as adjudicator:
        assert adjudicator.name == "judge"


@pytest.mark.parametrize("build", FAILING)
def test_a_failure_is_a_value_with_a_reason(build: Build, tmp_path: Path) -> None:
    with build(tmp_path) as adjudicator:
        failure = adjudicator.adjudicate(PAIRS)
    assert isinstance(failure, MemberFailure)
    assert failure.detail


def test_the_verdicts_of_the_answers() -> None:
    assert [answer.verdict for answer in ANSWERS if answer] == [PairVerdict.SAME, PairVerdict.OPPOSED]
