"""Turns with rows that a test chooses, and states to decide from."""

import numpy as np

from dissolution.policy.job_policy import Policy
from dissolution.policy.triggers import TriggerPolicy
from dissolution.triggering import Signal, SignalValue, TriggerState, TurnMark
from language.surprise.backoff import BackoffEstimator
from tests.factories import INSTANT, a_turn
from triggers.fold import NewTurn, Present
from triggers.sensors import Sensors
from triggers.talk import Row, Spoken

DIMENSION = 8


def axis(place: int) -> Row:
    """A unit row along one axis."""
    row = np.zeros(DIMENSION, dtype=np.float32)
    row[place] = 1.0
    return row


def new_turn(number: int, row: Row | None, *, tokens: int = 40, content: str = "") -> NewTurn:
    """A turn of 40 tokens, a whole cell, that lies along `row`; chatter without one."""
    said = None if row is None else Spoken(text="t", weight=10.0, tokens=tokens)
    words = content or f"Turn {number} says something about subject{number % 17} and matter{number % 13}."
    return NewTurn(turn=a_turn(number, words), tokens=tokens, said=said, row=row)


def sensors_of(policy: TriggerPolicy, memory: bytes = b"") -> Sensors:
    return Sensors(policy, DIMENSION, "axes", BackoffEstimator(), memory)


def present_of(policy: TriggerPolicy, *, job: str | None = None, asked_by: str = "") -> Present:
    return Present(at=INSTANT, policy=Policy(triggers=policy), counter="test", job_in_flight=job, asked_by=asked_by)


def mark(turn: int, tokens: int) -> TurnMark:
    return TurnMark(turn=turn, tokens=tokens, at=INSTANT)


def a_state(**fields: object) -> TriggerState:
    """After turn 100 of 10,000 tokens, with no boundary yet."""
    given = {"conversation": "c", "through": 100, "tokens": 10_000, "began": mark(1, 0), **fields}
    return TriggerState.model_validate(given)


def calling(signal: Signal, score: float = 1.0, value: float = 1.0) -> SignalValue:
    return SignalValue(signal=signal, value=value, estimator="test", threshold=1.0, score=score)
