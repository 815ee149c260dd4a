"""How many questions a gate needs is its own arithmetic, and a bank is written for as many as the talk bears."""

import pytest

from dissolution.conversation import Snapshot
from dissolution.policy.gate import BALANCED, LENIENT, PRESETS, GatePolicy
from dissolution.policy.probe import ProbePolicy
from dissolution.probing import GateState
from probe.gate import error_share, expected_questions, most_losses, read_gate
from probe.need import WORDS_EACH, bank_need, borne_by, whole_bank
from tests.factories import a_snapshot
from tests.unit.probe.test_gate import LOST, SAME, outcomes

DRILL = LENIENT.model_copy(update={"questions": 28, "repair_rounds": 0})
"""Bounds with which one loss of 28 decides nothing."""


def a_talk(words: int) -> Snapshot:
    return a_snapshot(" ".join(["word"] * words))


def judged(gate: GatePolicy) -> ProbePolicy:
    return ProbePolicy(writer="ann", reader="ben", judge="cem", gate=gate)


def test_a_bank_that_can_decide_nothing_after_a_loss_is_enlarged_to_what_its_bounds_need() -> None:
    need = bank_need(judged(DRILL), a_talk(10_000))
    assert (need.asked_for, need.needed, need.written) == (28, 55, 55)
    assert (most_losses(28, DRILL, masked=False), need.most_lost) == (0, 4)
    assert (
        need.words
        == "the policy asks for 28 questions, and 55 would be enough to be sure: 55 are written, which prove it "
        "where at most 4 are lost"
    )
    told = outcomes(*[SAME] * (need.written - 4), *[LOST] * 4)
    assert read_gate(told[::-1], DRILL.model_copy(update={"false_reject": 1e-9})).state is GateState.ACCEPT


def test_repairs_that_share_the_error_need_more() -> None:
    repairing = judged(DRILL.model_copy(update={"repair_rounds": 1}))
    share = error_share(0, 1)
    assert bank_need(repairing, a_talk(10_000)).needed == expected_questions(DRILL, masked=False, share=share) > 55
    reported = repairing.model_copy(update={"judge": None})
    assert bank_need(reported, a_talk(10_000)).needed == 55, "where no verdict holds nothing is repaired"


@pytest.mark.parametrize("words", [1, WORDS_EACH, 700, 1500, 1900, 5000])
def test_a_short_conversation_is_asked_for_what_it_bears_and_never_for_less_than_policy_says(words: int) -> None:
    talk = a_talk(words)
    need = bank_need(judged(DRILL), talk)
    assert need.written == max(28, min(55, borne_by(talk)))
    assert need.written * WORDS_EACH <= max(words, 28 * WORDS_EACH)
    assert ("the conversation is long enough for" in need.words) == (need.written < 55)


def test_a_policy_may_keep_to_its_number() -> None:
    need = bank_need(judged(DRILL.model_copy(update={"enlarge": False})), a_talk(10_000))
    assert (need.written, need.short, need.most_lost) == (28, True, 0)
    assert "28 are written" in need.words


@pytest.mark.parametrize("preset", list(PRESETS.values()), ids=list(PRESETS))
def test_presets_ask_for_enough(preset: GatePolicy) -> None:
    for policy in (judged(preset), ProbePolicy(gate=preset)):
        need = bank_need(policy, a_talk(50_000))
        assert not need.short
        assert need.written == preset.questions


def test_every_fourth_question_is_for_repair() -> None:
    assert whole_bank(BALANCED.questions) == 160
    assert whole_bank(28) == 37
