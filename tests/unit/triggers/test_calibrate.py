import tomllib
from pathlib import Path

import pytest

from dissolution.errors import InputError
from dissolution.policy.file import load_policy
from dissolution.policy.triggers import BALANCED, EAGER, PATIENT, PRESETS, DriftPolicy, TriggerPolicy
from language.surprise.backoff import BackoffEstimator
from tests.unit.triggers.worlds import DIMENSION, axis, new_turn
from triggers.calibrate import Calibrated, Rate, agreement, calibrate, policy_toml
from triggers.simulate import Trace, firings, simulate, topic_starts, traced

BASE = TriggerPolicy(
    drift=DriftPolicy(window_tokens=200, shift_before_tokens=200, shift_after_tokens=120, min_topic_tokens=200),
    cooldown_tokens=300,
    cooldown_turns=2,
    min_new_tokens=100,
    min_gain=0.0,
)


def a_trace(name: str, length: int = 20, topics: int = 4) -> Trace:
    turns = [new_turn(number, axis((number - 1) // length)) for number in range(1, length * topics + 1)]
    return traced(name, turns, BackoffEstimator(), "axes", DIMENSION)


def test_agreement_by_hand() -> None:
    assert agreement((10, 50), (12, 80), 100) == pytest.approx(0.5)
    assert agreement((), (), 100) == 1.0
    assert agreement((), (5,), 100) == 0.0
    assert agreement((10, 11), (10,), 100) == pytest.approx(2 / 3)  # a second one meets nothing
    assert agreement((100,), (120,), 1000) == 1.0  # 3 % of a long talk


def test_with_labels_the_depth_is_the_one_that_agrees_best() -> None:
    traces = [a_trace("a"), a_trace("b", 25)]
    found = calibrate(traces, BASE, {"a": [1, 21, 41, 61], "b": [26, 51, 76]})
    assert found.agreement == pytest.approx(1.0)
    assert (found.conversations, found.labelled) == (2, 2)
    assert topic_starts(simulate(traces[0], found.policy)) == (21, 41, 61)


def test_without_labels_firings_come_as_often_as_asked_for() -> None:
    traces = [a_trace("a"), a_trace("b", 25)]
    rare, often = calibrate(traces, BASE, per_tokens=0.05), calibrate(traces, BASE, per_tokens=20)
    assert rare.rate.firings <= often.rate.firings
    assert rare.policy.drift.shift_depth is not None
    assert often.policy.drift.shift_depth is not None
    assert rare.policy.drift.shift_depth >= often.policy.drift.shift_depth
    assert often.agreement is None
    assert often.rate.firings == sum(len(firings(simulate(trace, often.policy))) for trace in traces)


def test_what_cannot_be_fitted_is_refused() -> None:
    with pytest.raises(InputError, match="no conversation"):
        calibrate([], BASE)
    with pytest.raises(InputError, match=r"other: .*'a'"):
        calibrate([a_trace("a")], BASE, {"other": [5]})


def test_the_rate_has_an_interval_by_hand() -> None:
    low, high = Rate(firings=16, tokens=10_000).interval
    assert (round(low, 1), round(high, 1)) == (9.1, 26.0)
    assert Rate(firings=0, tokens=0).mean == 0.0
    assert Rate(firings=0, tokens=10_000).interval[0] == 0.0


@pytest.mark.parametrize("policy", [BALANCED, EAGER, PATIENT, BASE], ids=lambda one: one.name)
def test_a_policy_survives_its_file(policy: TriggerPolicy, tmp_path: Path) -> None:
    found = Calibrated(policy=policy, rate=Rate(3, 10_000), agreement=0.5, conversations=1, labelled=1)
    file = tmp_path / "mine.toml"
    file.write_text(policy_toml(found), encoding="utf-8")
    assert load_policy(file).triggers == policy
    assert "# Expected: 3.00 firings for every 10000 tokens" in file.read_text(encoding="utf-8")


def test_what_is_off_stays_off_in_a_file(tmp_path: Path) -> None:
    off = BASE.model_copy(
        update={"lock_in": None, "drift": DriftPolicy(distance=None, shift_depth=None), "name": 'a "b"'}
    )
    text = policy_toml(Calibrated(policy=off, rate=Rate(0, 1), agreement=None, conversations=1, labelled=0))
    triggers = tomllib.loads(text)["triggers"]
    assert (triggers["name"], triggers["drift"]["distance"], triggers["drift"]["shift_depth"]) == ('a "b"', 2.0, 2.0)
    file = tmp_path / "off.toml"
    file.write_text(text, encoding="utf-8")
    assert load_policy(file).triggers.lock_in == 1.0


def test_a_replay_is_the_same_each_time_and_begins_at_its_beginning() -> None:
    trace = a_trace("a")
    assert simulate(trace, BASE) == simulate(trace, BASE)
    assert trace.tokens == 80 * 40
    from triggers.simulate import RecordedSurprise

    with pytest.raises(ValueError, match="beginning"):
        RecordedSurprise(trace).resume(b"later")
    assert RecordedSurprise(trace).memory() == b""


def test_presets_are_ordered_by_how_soon_they_fire() -> None:
    distances = [preset.drift.distance or 0 for preset in PRESETS.values()]
    assert list(PRESETS) == ["eager", "balanced", "patient"]
    assert distances == sorted(distances)
