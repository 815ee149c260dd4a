"""Premises with the agent and without it, on a small talk and on made-up cycles."""

import pytest

from consensus.embedding.hashing_embedder import HashingEmbedder
from dissolution.framing import Action, Finding
from dissolution.reviewing import Fault
from dissolution.values import NotMeasured
from frame_agent.register.fold import register_of
from frame_agent.register.lock_in import lock_in
from stability.experiments.data import HERE, Planted, RawAnswer
from stability.experiments.faults import Faults
from stability.experiments.frame_accumulation import (
    MEASURES,
    _hypotheses,
    _rows,
    _table,
    difference,
    place_of,
)
from stability.experiments.framing import ARMS, Cycle, audited, challenged, taken_down
from stability.experiments.report import Conclusion
from tests.factories import a_conversation

TALK = a_conversation(
    "I guess the boiler serves 40 flats.",
    "We decided to replace the pump of the boiler for the 40 flats.",
    "The chimney is twelve metres high.",
    "Thanks.",
)
SAID = "KNOWN:\n- The invoice goes to the controller.\nDECIDED:\n- none\nEDGES:\n- none\nIDENTITY:\n- none\n"
ONE = Planted(HERE / "planted" / "op-flask-sessions.json")
PROMOTED = MEASURES[0][3]


def test_without_a_reviewer_the_audit_leaves_recorded_answers_as_they_are() -> None:
    snapshot = TALK.snapshot()
    said = [RawAnswer(name, name, SAID) for name in ("a", "b")]
    before, after, findings = audited(HashingEmbedder(), said, snapshot, register_of(snapshot))
    assert (list(after), list(findings)) == (list(before), [])


def test_premises_whose_words_reviewers_showed_count_as_asked_about() -> None:
    register = register_of(TALK.snapshot())
    guess = next(one for one in register.premises if one.turn == 1)
    told = Finding(fault=Fault.GUESS, evidence=(guess.evidence,), told_by=("ann",), action=Action.REPAIR)
    assert guess.id in taken_down(register, [told])
    assert taken_down(register, [told.model_copy(update={"action": Action.ANNOTATE})]) == []


def test_a_question_loosens_what_rests_on_a_guess() -> None:
    register = register_of(TALK.snapshot())
    loose = next(one for one in register.premises if one.open_dependants)
    asked = challenged(register, [(3, loose.id)])
    before, after = lock_in(register), lock_in(asked)
    assert not isinstance(before, NotMeasured)
    assert not isinstance(after, NotMeasured)
    assert after < before
    assert next(one for one in asked.premises if one.id == loose.id).challenged == 3


def test_what_cannot_be_asked_about_changes_nothing() -> None:
    register = register_of(TALK.snapshot())
    last = register.premises[-1]
    assert challenged(register, []) == register
    assert challenged(register, [(1, "unknown"), (last.turn - 1, last.id), (99, last.id)]) == register


def a_cycle(fleet: str, cycle: int, without: int, with_agent: int, *, found: bool = True) -> Cycle:
    made = [Faults(hedged=count, one_off=0, injected=0, dropped_found=found) for count in (without, with_agent)]
    return Cycle(
        fleet,
        ONE,
        cycle,
        10 * cycle,
        dropped_at=15,
        faults=dict(zip(ARMS, made, strict=True)),
        edges=dict(zip(ARMS, (3, 5), strict=True)),
        lock_in=dict(zip(ARMS, (0.4, 0.3), strict=True)),
    )


def test_a_difference_by_hand() -> None:
    # One conversation: (2 - 1 + 1 - 1) / 2 = 0.5; a single conversation has no interval.
    found = difference([a_cycle("f", 1, 2, 1), a_cycle("f", 2, 1, 1)], PROMOTED, seed=0)
    assert found.estimate == 0.5
    assert isinstance(found.low, NotMeasured)


def test_where_nothing_is_promoted_without_the_agent_nothing_can_be_said() -> None:
    first, second, _third = _hypotheses([a_cycle("f", 1, 0, 0), a_cycle("f", 2, 0, 0, found=False)], ["f"], 0)
    assert first.conclusion is Conclusion.CANNOT_BE_SAID
    assert first.reason == "f: nothing was promoted without the agent either"
    assert (second.conclusion, second.reason) == (Conclusion.NOT_SUPPORTED, "0 of 1 boundaries")


def test_without_boundaries_nothing_can_be_said() -> None:
    empty = Cycle("f", ONE, 1, 10, dropped_at=15, lock_in=dict.fromkeys(ARMS, NotMeasured(not_measured="none")))
    found = _hypotheses([empty], ["f"], 0)
    assert {one.conclusion for one in found} == {Conclusion.CANNOT_BE_SAID}
    assert isinstance(_rows([empty], "f").rows[0][4], NotMeasured)


def test_the_dropped_question_is_not_looked_for_before_it_was_asked() -> None:
    table = _table([a_cycle("f", 1, 0, 0), a_cycle("f", 2, 0, 0)], ["f"], MEASURES[1], 0)
    early, late = table.lines[0].cells
    assert not isinstance(early, str)
    assert not isinstance(late, str)
    assert isinstance(early.value.estimate, NotMeasured)
    assert late.value.estimate == 1.0


@pytest.mark.parametrize(
    ("fleet", "place"),
    [("the two weak writers", "cycles-the-two-weak-writers"), ("/etc/My Fleet.toml", "cycles-etc-my-fleet-toml")],
)
def test_a_fleet_has_a_place_for_its_rows(fleet: str, place: str) -> None:
    assert place_of(fleet) == place
