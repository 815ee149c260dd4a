"""What the gate says where its questions are too few: how many losses they bear, and what was checked all the same."""

import pytest

from dissolution.policy.gate import BALANCED
from dissolution.probing import GateState
from dissolution.values import NotMeasured
from probe.gate import decide, least_questions, most_losses, read_gate
from tests.unit.probe.test_gate import LOST, SAME, masked, outcomes


@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.parametrize("questions", [5, 20, 27, 40, 90])
@pytest.mark.parametrize("share", [1.0, 0.5])
def test_so_many_losses_and_no_more_are_borne(questions: int, share: float, *, hidden: bool) -> None:
    def state(lost: int) -> GateState:
        # The losses come first, so that nothing is accepted before them.
        told = outcomes(*[LOST] * lost, *[SAME] * (questions - lost))
        policy = BALANCED.model_copy(update={"false_reject": 1e-9})
        return read_gate([one.model_copy(update={"masked": hidden}) for one in told], policy, share=share).state

    most = most_losses(questions, BALANCED, masked=hidden, share=share)
    if most is None:
        assert questions < least_questions(BALANCED, masked=hidden, share=share)
        assert state(0) is GateState.OPEN
    else:
        assert state(most) is GateState.ACCEPT
        assert state(most + 1) is GateState.OPEN


def test_a_short_conversation_is_told_in_plain_words_with_what_was_checked() -> None:
    reasons = decide(read_gate(masked(0, 1, 0, 0, 1, 0, 0), BALANCED), BALANCED, history_share=1.0).reasons
    assert reasons[1].startswith(
        "the conversation is too short for a statistical verdict: 7 questions were asked and pass with 1 lost at "
        "most, where a good context needs about 21 "
    )
    assert reasons[2] == "checked all the same: 5 of 7 are answered as well as from the history"


def test_a_bank_too_small_to_pass_says_so() -> None:
    small = decide(read_gate(outcomes(*[SAME] * 20), BALANCED), BALANCED, history_share=1.0).reasons
    assert any(one.startswith("there are too few questions for a statistical verdict: 20 questions") for one in small)
    assert any("cannot pass however they are answered" in one for one in small)
    half = decide(read_gate(outcomes(*[SAME] * 30), BALANCED, share=0.5), BALANCED, history_share=1.0).reasons
    assert any("30 questions were asked and cannot pass" in one for one in half)


def test_a_large_bank_that_settles_nothing_only_ended() -> None:
    told = decide(
        read_gate(outcomes(*[SAME, SAME, SAME, SAME, SAME, SAME, SAME, SAME, LOST] * 10), BALANCED),
        BALANCED,
        history_share=1.0,
    )
    assert any(one.startswith("the bank ended before the evidence was clear") for one in told.reasons)
    assert not any("too few" in one for one in told.reasons)
    unread = decide(read_gate((), BALANCED), BALANCED, history_share=NotMeasured(not_measured="nobody read"))
    assert any("the bank ended" in one for one in unread.reasons)
