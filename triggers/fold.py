"""One turn at a time: what is remembered, the sensors and a new turn give an evaluation and what is remembered next."""

from dataclasses import dataclass
from datetime import datetime

from dissolution.conversation import Turn
from dissolution.policy.job_policy import Policy
from dissolution.triggering import Decision, Evaluation, SignalValue, TriggerState, TurnMark, TurnSurprise
from triggers.budget import context_tokens, expected_tokens, learned_share, new_tokens
from triggers.decision import LEVELS, Circumstances, decide, released
from triggers.sensors import Sensors
from triggers.talk import Row, Spoken
from triggers.values import measured_values, standing_values, turn_surprise


@dataclass(frozen=True, kw_only=True)
class Present:
    """What stands around an evaluation."""

    at: datetime
    policy: Policy
    counter: str  # name of the reader's tokenizer
    job_in_flight: str | None = None
    covered: bool = False
    asked_by: str = ""  # who calls for a dissolution

    @property
    def shadow(self) -> bool:
        """Whether a firing is only recorded. A person's call is no trial."""
        return self.policy.triggers.shadow and not self.asked_by


@dataclass(frozen=True)
class NewTurn:
    """A turn with what was measured of it outside: its tokens for the reader, and its row if it says something."""

    turn: Turn
    tokens: int
    said: Spoken | None
    row: Row | None


def take_in(state: TriggerState, sensors: Sensors, new: NewTurn, present: Present) -> tuple[TriggerState, Evaluation]:
    """Read the turn after `state.through` and decide. Raises ValueError for any other turn."""
    number = new.turn.number
    if number != state.through + 1:
        message = f"turn {number} does not follow turn {state.through} of {state.conversation!r}; read them in order"
        raise ValueError(message)
    here = TurnMark(turn=number, tokens=state.tokens + new.tokens, at=present.at)
    state = state.model_copy(
        update={"through": number, "tokens": here.tokens, "began": state.began or here.model_copy(update={"tokens": 0})}
    )
    readings = sensors.read(new.turn, new.said, new.row)
    values = measured_values(readings, sensors, state, present.policy.triggers)
    topic = readings.shift.turn if readings.shift else None
    return _decided(state, sensors, values, present, surprise=turn_surprise(readings, sensors), topic=topic)


def look_again(state: TriggerState, sensors: Sensors, present: Present) -> tuple[TriggerState, Evaluation]:
    """Decide once more without a new turn: somebody asks, a job has ended, or lock-in was measured.

    Raises ValueError before the first turn.
    """
    if state.through == 0:
        message = f"no turn of {state.conversation!r} was read; there is nothing to decide"
        raise ValueError(message)
    values = measured_values(sensors.now(), sensors, state, present.policy.triggers)
    return _decided(state, sensors, values, present, surprise=None, topic=None)


def committed(
    state: TriggerState,
    sensors: Sensors,
    *,
    version: int,
    boundary: TurnMark,
    held_tokens: int,
    anchors: tuple[Row, ...],
) -> TriggerState:
    """A boundary was committed: drift is measured from it, and whatever had fired is released."""
    sensors.hold(*anchors)
    before = boundary.tokens - (state.boundary.tokens if state.boundary else 0)
    return state.model_copy(
        update={
            "boundary_version": version,
            "boundary": boundary,
            "kept_share": learned_share(state, held_tokens, before),
            "held_tokens": held_tokens,
            "unreleased": (),
            "rejections": 0,
            "rejected": None,
        }
    )


def rejected(state: TriggerState, at: datetime) -> TriggerState:
    """The job that was fired here ended without a commit: from now on only new material counts."""
    mark = state.job_mark or TurnMark(turn=state.through, tokens=state.tokens, at=at)
    return state.model_copy(
        update={"rejections": state.rejections + 1, "rejected": mark, "job": None, "job_mark": None}
    )


def _decided(
    state: TriggerState,
    sensors: Sensors,
    measured: tuple[SignalValue, ...],
    present: Present,
    *,
    surprise: TurnSurprise | None,
    topic: int | None,
) -> tuple[TriggerState, Evaluation]:
    policy = present.policy
    here = TurnMark(turn=state.through, tokens=state.tokens, at=present.at)
    standing = standing_values(
        state,
        policy.triggers,
        counter=present.counter,
        at=here,
        lock_in=state.lock_in,
        asked_by=present.asked_by,
    )
    values = (*measured, *standing)
    state = state.model_copy(update={"unreleased": released(values, state, policy), "number": state.number + 1})
    decision = decide(
        Circumstances(
            state=state, values=values, policy=policy, job_in_flight=present.job_in_flight, covered=present.covered
        )
    )
    evaluation = Evaluation(
        conversation=state.conversation,
        number=state.number,
        turn=state.through,
        at=present.at,
        tokens=state.tokens,
        context_tokens=context_tokens(state),
        values=values,
        surprise=surprise,
        topic_start=topic,
        decision=decision,
        shadow=present.shadow,
        boundary_version=state.boundary_version,
        policy=policy.digest,
    )
    return (_fired(state, sensors, decision, here, present) if decision.fires else state), evaluation


def _fired(state: TriggerState, sensors: Sensors, decision: Decision, here: TurnMark, present: Present) -> TriggerState:
    """What is remembered of a firing. In shadow mode all goes on as if its boundary had been committed at once."""
    waiting = {*state.unreleased, *(signal for signal in decision.called if signal in LEVELS)}
    state = state.model_copy(
        update={"fired": here, "unreleased": tuple(sorted(waiting, key=lambda signal: signal.value))}
    )
    if not present.shadow or new_tokens(state) == 0:
        return state
    sensors.hold_here()
    return state.model_copy(
        update={"boundary": here, "held_tokens": expected_tokens(state, present.policy), "unreleased": ()}
    )
