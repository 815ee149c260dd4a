"""Turn by turn: drift, topics, firings, shadow, commits and rejections, and what they leave behind."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dissolution.policy.triggers import BALANCED, DriftPolicy, SurprisePolicy, TriggerPolicy
from dissolution.triggering import Evaluation, ReasonCode, Signal, TriggerState
from dissolution.values import NotMeasured
from language.surprise.backoff import BackoffEstimator
from tests.factories import INSTANT
from tests.unit.triggers.worlds import DIMENSION, axis, mark, new_turn, present_of, sensors_of
from triggers.fold import committed, look_again, rejected, take_in
from triggers.sensors import Sensors
from triggers.talk import Row

POLICY = TriggerPolicy(
    shadow=False,
    drift=DriftPolicy(
        window_tokens=200,
        distance=0.5,
        release=0.4,
        shift_before_tokens=200,
        shift_after_tokens=120,
        shift_depth=0.4,
        min_topic_tokens=200,
    ),
    surprise=SurprisePolicy(alpha=None),
    lock_in=None,
    cooldown_tokens=400,
    cooldown_turns=2,
    min_new_tokens=100,
    min_gain=0.0,
)


def read(
    rows: Sequence[Row | None], policy: TriggerPolicy = POLICY, job: str | None = None
) -> tuple[TriggerState, Sensors, list[Evaluation]]:
    state, sensors = TriggerState(conversation="c"), sensors_of(policy)
    told: list[Evaluation] = []
    for number, row in enumerate(rows, start=1):
        state, evaluation = take_in(state, sensors, new_turn(number, row), present_of(policy, job=job))
        told.append(evaluation)
    return state, sensors, told


def value(evaluation: Evaluation, signal: Signal) -> float:
    found = next(one.value for one in evaluation.values if one.signal is signal)
    assert not isinstance(found, NotMeasured)
    return found


def test_talk_that_stays_has_no_drift_and_no_topic() -> None:
    _, _, told = read([axis(0)] * 40)
    assert not any(one.decision.fires for one in told)
    assert {one.topic_start for one in told} == {None}
    assert value(told[-1], Signal.DRIFT) == pytest.approx(0.0, abs=1e-6)


def test_before_the_opening_is_complete_nothing_is_measured() -> None:
    _, _, told = read([axis(0)] * 4)
    drift = next(one for one in told[-1].values if one.signal is Signal.DRIFT)
    assert isinstance(drift.value, NotMeasured)
    assert drift.score is None


def test_drift_by_hand() -> None:
    _, _, told = read([axis(0)] * 20 + [axis(1)] * 2)
    # Of five cells in the window three lie along the opening: the cosine is 3 / sqrt(9 + 4).
    assert value(told[-1], Signal.DRIFT) == pytest.approx(1 - 3 / np.sqrt(13), abs=1e-5)


def test_a_change_of_topic_is_found_where_it_was_and_closes_with_one_firing() -> None:
    state, _, told = read([axis(0)] * 20 + [axis(1)] * 20)
    starts = [one.topic_start for one in told if one.topic_start is not None]
    assert starts == [21]
    fired = [one for one in told if one.decision.fires]
    assert len(fired) >= 1
    assert fired[0].turn <= 26  # soon after, not at the end
    assert state.fired is not None


def test_chatter_moves_nothing() -> None:
    talk: Sequence[Row | None] = [axis(0)] * 20 + [axis(1)] * 20
    with_chatter: list[Row | None] = []
    for row in talk:
        with_chatter += [row, None]
    _, _, plain = read(talk)
    _, _, mixed = read(with_chatter)
    assert [value(one, Signal.DRIFT) for one in plain[10:]] == [value(one, Signal.DRIFT) for one in mixed[20::2]]


def test_a_level_fires_once_until_it_is_released() -> None:
    only_drift = POLICY.model_copy(update={"on_topic_change": False, "cooldown_tokens": 0, "cooldown_turns": 0})
    _, _, told = read([axis(0)] * 10 + [axis(1)] * 20 + [axis(0)] * 20 + [axis(1)] * 20, only_drift)
    fired = [one.turn for one in told if one.decision.fires]
    assert len(fired) == 2
    assert fired[0] < 30
    assert fired[1] > 50
    assert ReasonCode.NOT_RELEASED in {reason.code for one in told for reason in one.decision.reasons}


def test_in_shadow_mode_each_firing_counts_as_committed() -> None:
    shadow = POLICY.model_copy(update={"shadow": True})
    state, _, told = read([axis(place // 20) for place in range(120)], shadow)
    fired = [one for one in told if one.decision.fires]
    assert len(fired) >= 4  # five changes
    for before, after in pairwise(fired):
        assert after.tokens - before.tokens >= shadow.cooldown_tokens
    assert state.boundary is not None
    assert value(told[fired[0].turn], Signal.DRIFT) < 0.5  # measured from the firing on
    assert told[fired[0].turn].context_tokens < fired[0].context_tokens
    assert all(one.shadow and one.job is None for one in told)


def test_a_commit_releases_and_moves_the_anchor() -> None:
    state, sensors, told = read([axis(0)] * 20 + [axis(1)] * 10)
    assert value(told[-1], Signal.DRIFT) > 0.5
    stale = state.model_copy(update={"unreleased": (Signal.DRIFT,), "rejections": 2, "rejected": mark(9, 9)})
    after = committed(stale, sensors, version=3, boundary=mark(30, 1200), held_tokens=240, anchors=(axis(1), axis(2)))
    assert (after.unreleased, after.rejections, after.rejected, after.boundary_version) == ((), 0, None, 3)
    assert after.kept_share == pytest.approx(240 / 1200)
    _, again = look_again(after, sensors, present_of(POLICY))
    assert value(again, Signal.DRIFT) == pytest.approx(0.0, abs=1e-5)  # the nearer of two anchors
    assert again.context_tokens == 240


def test_a_rejection_is_remembered_where_the_job_stood() -> None:
    state, _, _ = read([axis(0)] * 3)
    waiting = state.model_copy(update={"job": "j1", "job_mark": mark(2, 80)})
    once = rejected(waiting, INSTANT)
    assert (once.rejections, once.rejected, once.job) == (1, mark(2, 80), None)
    twice = rejected(once, INSTANT)
    assert (twice.rejections, twice.rejected) == (2, mark(3, 120))


def test_turns_are_read_in_order_and_nothing_is_decided_before_the_first() -> None:
    state, sensors = TriggerState(conversation="c"), sensors_of(POLICY)
    with pytest.raises(ValueError, match=r"turn 2 .* turn 0 of 'c'"):
        take_in(state, sensors, new_turn(2, axis(0)), present_of(POLICY))
    with pytest.raises(ValueError, match="no turn of 'c'"):
        look_again(state, sensors, present_of(POLICY))


def test_memory_stays_the_same_size_and_belongs_to_its_sensors() -> None:
    _, sensors, _ = read([axis(place % 3) for place in range(60)])
    first = len(sensors.memory())
    for number in range(61, 400):
        sensors.read(new_turn(number, axis(number % 3)).turn, new_turn(number, axis(0)).said, axis(number % 3))
    assert len(sensors.memory()) < first + 45_000
    with pytest.raises(ValueError, match=r"8 dimensions.* 9"):
        Sensors(POLICY, DIMENSION + 1, "axes", BackoffEstimator(), sensors.memory())
    with pytest.raises(ValueError, match="no memory of sensors"):
        sensors_of(POLICY, b"something else")


@settings(max_examples=25, deadline=None)
@given(st.lists(st.one_of(st.none(), st.integers(0, 3)), min_size=1, max_size=60), st.data())
def test_going_on_from_what_was_stored_is_going_on(places: list[int | None], data: st.DataObject) -> None:
    rows = [None if place is None else axis(place) for place in places]
    cut = data.draw(st.integers(0, len(rows)))
    whole_state, _, whole = read(rows)
    state, sensors = TriggerState(conversation="c"), sensors_of(POLICY)
    told: list[Evaluation] = []
    for number, row in enumerate(rows, start=1):
        if number - 1 == cut:
            sensors = sensors_of(POLICY, sensors.memory())
        state, evaluation = take_in(state, sensors, new_turn(number, row), present_of(POLICY))
        told.append(evaluation)
    assert told == whole
    assert state == whole_state


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(0, 5), min_size=20, max_size=120))
def test_never_more_than_one_firing_in_a_cool_down(places: list[int]) -> None:
    policy = BALANCED.model_copy(
        update={"drift": POLICY.drift, "cooldown_tokens": 600, "cooldown_turns": 10, "min_new_tokens": 0}
    )
    _, _, told = read([axis(place) for place in places], policy)
    fired = [one for one in told if one.decision.fires]
    for before, after in pairwise(fired):
        assert after.tokens - before.tokens >= 600
        assert after.turn - before.turn >= 10


def test_one_job_at_a_time_whatever_is_said() -> None:
    _, _, told = read([axis(place // 20) for place in range(120)], job="j1")
    assert not any(one.decision.fires for one in told)
    assert told[-1].decision.reasons[0].words.startswith("job j1 is in flight")
