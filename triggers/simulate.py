"""Conversations replayed under a policy: what would have fired, turn by turn, without a store."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from dissolution.policy.job_policy import Policy
from dissolution.policy.triggers import TriggerPolicy
from dissolution.surprise import Surprise, SurpriseEstimator
from dissolution.triggering import Evaluation, TriggerState
from triggers.fold import NewTurn, Present, take_in
from triggers.sensors import Sensors

STARTED = datetime(2026, 1, 1, tzinfo=UTC)
TURN_S = 20.0
"""A replayed turn takes twenty seconds: schedules by the hour need some time to pass."""


@dataclass(frozen=True)
class Trace:
    """A conversation with everything that was measured of it outside, so that it can be replayed many times."""

    name: str
    turns: tuple[NewTurn, ...]
    surprises: tuple[Surprise, ...]
    estimator: str
    embedder: str
    dimension: int

    @property
    def tokens(self) -> int:
        """Of all turns, as the reader counts them."""
        return sum(turn.tokens for turn in self.turns)


def traced(name: str, turns: Sequence[NewTurn], estimator: SurpriseEstimator, embedder: str, dimension: int) -> Trace:
    """Measure the surprise of each turn, once."""
    reader = estimator.resume(b"")
    return Trace(
        name=name,
        turns=tuple(turns),
        surprises=tuple(reader.read(new.turn.content) for new in turns),
        estimator=estimator.name,
        embedder=embedder,
        dimension=dimension,
    )


class RecordedSurprise:
    """The surprise of a trace, once more."""

    def __init__(self, trace: Trace) -> None:
        self.name = trace.estimator
        self._left = iter(trace.surprises)

    def resume(self, memory: bytes) -> "RecordedSurprise":
        """From the beginning; there is nothing to go on from."""
        if memory:
            message = f"a replay begins at its beginning, not at {len(memory)} bytes"
            raise ValueError(message)
        return self

    def read(self, text: str) -> Surprise:  # noqa: ARG002 - the port's shape: what was measured needs no text
        """As it was measured."""
        return next(self._left)

    def memory(self) -> bytes:
        """None."""
        return b""


def simulate(trace: Trace, triggers: TriggerPolicy, counter: str = "replayed") -> tuple[Evaluation, ...]:
    """Every evaluation of a conversation in shadow mode: each firing counts as committed at once."""
    policy = Policy(triggers=triggers.model_copy(update={"shadow": True}))
    sensors = Sensors(policy.triggers, trace.dimension, trace.embedder, RecordedSurprise(trace))
    state = TriggerState(conversation=trace.name)
    evaluations: list[Evaluation] = []
    for place, new in enumerate(trace.turns):
        at = STARTED + timedelta(seconds=TURN_S * place)
        state, evaluation = take_in(state, sensors, new, Present(at=at, policy=policy, counter=counter))
        evaluations.append(evaluation)
    return tuple(evaluations)


def firings(evaluations: Sequence[Evaluation]) -> tuple[int, ...]:
    """The turns after which it fired."""
    return tuple(one.turn for one in evaluations if one.decision.fires)


def topic_starts(evaluations: Sequence[Evaluation]) -> tuple[int, ...]:
    """The turns with which a topic was found to begin, in order."""
    return tuple(sorted(one.topic_start for one in evaluations if one.topic_start is not None))
