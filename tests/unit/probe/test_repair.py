"""Repair asks about turns again, from train questions alone."""

import pytest

from dissolution.errors import InputError, UnknownTurn
from dissolution.probing import PairedOutcome, Question, Split
from probe.repair import MOST_TURNS, plan_repair
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


def test_held_out_questions_are_refused() -> None:
    with pytest.raises(InputError, match="held out"):
        plan_repair(SNAPSHOT, (a_question("h"),), [lost("h")])


def test_evidence_outside_the_snapshot() -> None:
    with pytest.raises(UnknownTurn):
        plan_repair(SNAPSHOT, (train("a", 31),), [lost("a")])


def test_nothing_failed() -> None:
    assert plan_repair(SNAPSHOT, (train("a", 1),), []).turns == ()
