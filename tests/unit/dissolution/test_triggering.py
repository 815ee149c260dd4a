import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from dissolution.surprise import NO_TOKENS, Surprise
from dissolution.triggering import Decision, Evaluation, Signal, SignalValue, TriggerAction, TriggerState
from dissolution.values import NotMeasured
from tests.unit.store.evaluations import a_decision, an_evaluation


@given(st.binary(max_size=300))
def test_state_survives_json_with_any_memory(memory: bytes) -> None:
    state = TriggerState(conversation="c", memory=memory)
    assert TriggerState.model_validate_json(state.model_dump_json()) == state


def test_an_evaluation_survives_json_and_absence_stays_absence() -> None:
    one = an_evaluation(3, Signal.DRIFT)
    again = Evaluation.model_validate_json(one.model_dump_json())
    assert again == one
    assert isinstance(again.values[1].value, NotMeasured)


def test_a_decision_has_a_reason() -> None:
    with pytest.raises(ValidationError):
        Decision(action=TriggerAction.HOLD, reasons=())
    assert a_decision(Signal.BUDGET).fires
    assert not a_decision().fires


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_no_value_is_nan_or_infinite(value: float) -> None:
    with pytest.raises(ValidationError):
        SignalValue(signal=Signal.DRIFT, value=value, estimator="x")


def test_bits_per_token() -> None:
    assert Surprise(bits=12.0, tokens=4).bits_per_token == 3.0
    assert Surprise(bits=12.0, tokens=0).bits_per_token == NO_TOKENS
    why = NotMeasured(not_measured="no model")
    assert Surprise(bits=why, tokens=4).bits_per_token == why
