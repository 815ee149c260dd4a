"""From readings to signal values: each with its threshold, its score, and the name of what measured it."""

import math

from dissolution.policy.gate import TokenPressure
from dissolution.policy.triggers import TriggerPolicy
from dissolution.triggering import LockInValue, Signal, SignalValue, TriggerState, TurnMark, TurnSurprise
from dissolution.values import NotMeasured
from triggers.budget import context_tokens, pressure
from triggers.schedule import dueness
from triggers.sensors import Readings, Sensors
from triggers.topics import Shift

NO_GAP = NotMeasured(not_measured="too little talk on both sides of any gap")
NO_AUDIT = NotMeasured(not_measured="the frame agent has measured nothing yet")
LEAST_CHANCE = 1e-12


def measured_values(
    readings: Readings, sensors: Sensors, state: TriggerState, policy: TriggerPolicy
) -> tuple[SignalValue, ...]:
    """Drift, topic shift and falling surprise after one turn."""
    eased = ease(state, policy)
    names = sensors.names
    return (
        _drift(readings, names["drift"], policy, eased),
        _shift(readings, names["topic_shift"], policy, state),
        _fall(readings, names["fall"], policy),
    )


def standing_values(
    state: TriggerState,
    policy: TriggerPolicy,
    *,
    counter: str,
    at: TurnMark,
    lock_in: LockInValue | None,
    asked_by: str,
) -> tuple[SignalValue, ...]:
    """Budget, lock-in, schedule and a person's call: what needs no sensor.

    Args:
        state: With the turn that was just read.
        policy: Their thresholds.
        counter: Name of the reader's tokenizer.
        at: The point of the conversation that is evaluated.
        lock_in: What the frame agent measured, if it did.
        asked_by: Who calls for a dissolution; empty if nobody does.
    """
    values = [_budget(state, policy, counter), _lock_in(lock_in, policy, ease(state, policy))]
    due = dueness(policy.schedule, state, at.at)
    if due is not None:
        values.append(SignalValue(signal=Signal.SCHEDULE, value=due, estimator="clock-1", threshold=1.0, score=due))
    if asked_by:
        values.append(
            SignalValue(
                signal=Signal.MANUAL, value=1.0, estimator="person", threshold=1.0, score=1.0, note=f"by {asked_by}"
            )
        )
    return tuple(values)


def ease(state: TriggerState, policy: TriggerPolicy) -> float:
    """What thresholds are multiplied by: 1, or less while the reader's context fills up."""
    rising = pressure(context_tokens(state), policy.budget) is not TokenPressure.NONE
    return policy.budget.eased if rising else 1.0


def turn_surprise(readings: Readings, sensors: Sensors) -> TurnSurprise:
    """How unexpected the turn itself was."""
    found = readings.surprise
    return TurnSurprise(
        bits_per_token=found.bits_per_token,
        tokens=found.tokens,
        estimator=sensors.names["surprise"],
        guarded=found.guarded,
        notable=readings.notable,
    )


def _drift(readings: Readings, name: str, policy: TriggerPolicy, eased: float) -> SignalValue:
    threshold = None if policy.drift.distance is None else policy.drift.distance * eased
    value = readings.drift
    score = None if threshold is None or isinstance(value, NotMeasured) else max(0.0, value) / threshold
    return SignalValue(signal=Signal.DRIFT, value=value, estimator=name, threshold=threshold, score=score)


def _shift(readings: Readings, name: str, policy: TriggerPolicy, state: TriggerState) -> SignalValue:
    """How far the best split stands out, and the score of the last change that came after boundary and firing."""
    value = NO_GAP if readings.gap is None else readings.gap
    if policy.drift.shift_depth is None:
        return SignalValue(signal=Signal.TOPIC_SHIFT, value=value, estimator=name)
    change = open_change(readings.last_shift, state)
    score = 0.0 if change is None else change.depth / policy.drift.shift_depth
    note = "" if change is None else f"a topic began with turn {change.turn} and stands out by {change.depth:.2f}"
    shown = SignalValue(signal=Signal.TOPIC_SHIFT, value=value, estimator=name, score=score, note=note)
    return shown if policy.on_topic_change else shown.model_copy(update={"score": None})


def open_change(change: Shift | None, state: TriggerState) -> Shift | None:
    """The last change of topic, if nothing was fired or committed since."""
    marks = [mark.turn for mark in (state.boundary, state.fired) if mark is not None]
    return None if change is None or change.turn <= max(marks, default=0) else change


def _fall(readings: Readings, name: str, policy: TriggerPolicy) -> SignalValue:
    value, alpha = readings.fall.bits, policy.surprise.alpha
    if alpha is None or isinstance(value, NotMeasured):
        return SignalValue(signal=Signal.SURPRISE, value=value, estimator=name)
    chance = max(readings.fall.chance, LEAST_CHANCE)
    certainty = math.log(chance) / math.log(alpha)
    least = policy.surprise.min_drop_bits
    size = max(0.0, value) / least if least else float(value > 0)
    return SignalValue(
        signal=Signal.SURPRISE,
        value=value,
        estimator=name,
        threshold=least,
        score=max(0.0, min(certainty, size)),
        note=f"chance of such ranks {readings.fall.chance:.2g}, calls up to {alpha:.2g}",
    )


def _budget(state: TriggerState, policy: TriggerPolicy, counter: str) -> SignalValue:
    share = context_tokens(state) / policy.budget.context_tokens
    return SignalValue(
        signal=Signal.BUDGET,
        value=share,
        estimator=counter,
        threshold=policy.budget.soft_share,
        score=share / policy.budget.soft_share,
        note=f"{context_tokens(state)} of {policy.budget.context_tokens} tokens",
    )


def _lock_in(lock_in: LockInValue | None, policy: TriggerPolicy, eased: float) -> SignalValue:
    value = NO_AUDIT if lock_in is None else lock_in.value
    name = "none" if lock_in is None else lock_in.estimator
    threshold = None if policy.lock_in is None else policy.lock_in * eased
    score = None if threshold is None or isinstance(value, NotMeasured) else max(0.0, value) / threshold
    return SignalValue(signal=Signal.LOCK_IN, value=value, estimator=name, threshold=threshold, score=score)
