"""Evaluations with defaults, so that a test names only what it is about."""

from dissolution.policy.gate import TokenPressure
from dissolution.policy.job_policy import Policy
from dissolution.triggering import (
    Decision,
    Evaluation,
    Reason,
    ReasonCode,
    Signal,
    SignalValue,
    TriggerAction,
    TurnSurprise,
)
from dissolution.values import NotMeasured
from tests.unit.store.ledgers import later

DIGEST = Policy().digest


def a_decision(*called: Signal) -> Decision:
    """To fire for these signals, or to hold without any."""
    if called:
        reasons = tuple(Reason(code=ReasonCode.CALLED, words=f"{one.value} calls", signal=one) for one in called)
        return Decision(action=TriggerAction.FIRE, reasons=reasons, called=called, pressure=TokenPressure.RISING)
    return Decision(action=TriggerAction.HOLD, reasons=(Reason(code=ReasonCode.QUIET, words="no signal calls"),))


def an_evaluation(number: int, *called: Signal, conversation: str = "talk") -> Evaluation:
    """After the turn of the same number."""
    return Evaluation(
        conversation=conversation,
        number=number,
        turn=number,
        at=later(number),
        tokens=10 * number,
        context_tokens=10 * number,
        values=(
            SignalValue(signal=Signal.DRIFT, value=0.25, estimator="centroid", threshold=0.5, score=0.5),
            SignalValue(signal=Signal.LOCK_IN, value=NotMeasured(not_measured="nobody did"), estimator="none"),
        ),
        surprise=TurnSurprise(bits_per_token=8.5, tokens=7, estimator="words", notable=number % 2 == 0),
        decision=a_decision(*called),
        shadow=True,
        boundary_version=0,
        policy=DIGEST,
    )
