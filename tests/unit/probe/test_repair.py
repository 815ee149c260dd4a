"""Repair asks about turns again: from train questions, and from held-out ones that were put to a candidate."""

import pytest

from dissolution.claims import Claim, Evidence, Section, StatedClaim, Statement, Support
from dissolution.conversation import Snapshot
from dissolution.errors import InputError, UnknownTurn
from dissolution.intervals import TurnInterval
from dissolution.probing import PairedOutcome, Question, Split
from probe.repair import MOST_TURNS, least_told, plan_repair
from tests.factories import a_snapshot
from tests.unit.probe.asking import a_question

SNAPSHOT = a_snapshot(*(f"turn {n}" for n in range(1, 31)))


def train(name: str, *turns: int) -> Question:
    return a_question(name, split=Split.TRAIN, evidence_turns=turns)


def lost(name: str) -> PairedOutcome:
    return PairedOutcome(question=name, history_right=True, candidate_right=False)


def test_failed_questions_point_to_their_turns() -> None:
    questions = (train("a", 4, 2), train("b", 9), train("c", 5))
    kept = PairedOutcome(question="b", history_right=True, candidate_right=True)
    neither = PairedOutcome(question="c", history_right=False, candidate_right=False)
    plan = plan_repair(SNAPSHOT, questions, [lost("a"), kept, neither, lost("unknown")])
    assert (plan.turns, plan.spent) == ((2, 4), ("a",))


def test_spent_questions_are_not_used_again() -> None:
    plan = plan_repair(SNAPSHOT, (train("a", 4), train("b", 9)), [lost("a"), lost("b")], spent=("a",))
    assert (plan.turns, plan.spent) == ((9,), ("b",))


def test_the_heaviest_turns_come_first() -> None:
    questions = [train(f"q{n}", n) for n in range(1, 26)] + [train("again", 25)]
    plan = plan_repair(SNAPSHOT, questions, [lost(question.id) for question in questions])
    assert len(plan.turns) == MOST_TURNS
    assert 25 in plan.turns
    assert "q24" not in plan.spent


def test_held_out_questions_are_refused_until_they_were_put_to_a_candidate() -> None:
    fresh = a_question("h", evidence_turns=(7,))
    for put in ((), ("other",)):
        with pytest.raises(InputError, match="held out"):
            plan_repair(SNAPSHOT, (fresh, train("a", 4)), [lost("h")], put=put)
    plan = plan_repair(SNAPSHOT, (fresh, train("a", 4)), [lost("h")], put=("h",))
    assert (plan.turns, plan.spent) == ((7,), ("h",))


def test_where_no_question_points_the_turns_least_told_of_are_asked_about() -> None:
    many = a_snapshot(*(f"turn {number}{' and more' * (number == 30)}" for number in range(1, 41)))
    first = least_told(many, [claim_on(many, *range(1, 25))])
    assert len(first.turns) == MOST_TURNS
    assert set(range(25, 41)) <= set(first.turns), "turns on which nothing rests come first"
    assert first.spent == ()
    assert 30 in least_told(many, [claim_on(many, *range(1, 41))]).turns, "of turns that are told of, the longest"


def claim_on(snapshot: Snapshot, *turns: int) -> Claim:
    """A claim that rests on all words of these turns."""
    said = Statement(member="a", family="a", ordinal=0, claim=StatedClaim(section=Section.KNOWN, text="It holds."))
    words = [(turn, snapshot.turn(turn).content) for turn in turns]
    return Claim(
        id="c1",
        section=Section.KNOWN,
        text="It holds.",
        evidence=tuple(Evidence(turn=turn, start=0, end=len(text), text=text) for turn, text in words),
        support=Support.of((said,)),
        valid=TurnInterval(start=1),
        statements=(said,),
        reason="test",
    )


def test_evidence_outside_the_snapshot() -> None:
    with pytest.raises(UnknownTurn):
        plan_repair(SNAPSHOT, (train("a", 31),), [lost("a")])


def test_nothing_failed() -> None:
    assert plan_repair(SNAPSHOT, (train("a", 1),), []).turns == ()
