import pytest

from dissolution.policy.triggers import DriftPolicy, TriggerPolicy
from dissolution.triggering import Signal
from reports.trigger_chart import trigger_chart, trigger_panels
from tests.unit.store.evaluations import an_evaluation

EVALUATIONS = [
    an_evaluation(1),
    an_evaluation(2).model_copy(update={"topic_start": 2}),
    an_evaluation(3, Signal.DRIFT),
    an_evaluation(4, Signal.DRIFT).model_copy(update={"shadow": False, "surprise": None}),
]


def test_signals_thresholds_firings_and_topics_are_drawn() -> None:
    drawn = trigger_chart(EVALUATIONS, TriggerPolicy())
    assert drawn.startswith("<?xml")
    for words in ("Drift from the last boundary", "calls from 0.45", "released below 0.38", "topic begins"):
        assert words in drawn
    for words in ("would have fired", "fired", "bits per token", "notable turn", "soft level 9600", "hard level 14400"):
        assert words in drawn


def test_points_are_where_the_values_are_and_absence_is_no_point() -> None:
    drift, gaps, surprise, context = trigger_panels(EVALUATIONS, TriggerPolicy())
    assert drift.series[0].x == (1.0, 2.0, 3.0, 4.0)
    assert drift.series[0].y == (0.25,) * 4
    assert gaps.series[0].x == ()  # no evaluation measured a gap
    assert [(one.name, one.x) for one in surprise.series] == [("turn", (1.0, 2.0, 3.0)), ("notable turn", (2.0,))]
    assert context.series[0].y == (10.0, 20.0, 30.0, 40.0)
    assert [(one.name, one.at) for one in drift.markers if one.axis == "x"] == [
        ("would have fired", 3.0),
        ("fired", 4.0),
        ("topic begins", 2.0),
    ]


def test_signals_that_are_off_have_no_threshold() -> None:
    off = TriggerPolicy(drift=DriftPolicy(distance=None, shift_depth=None))
    drift, gaps, _, _ = trigger_panels(EVALUATIONS, off)
    assert not [one for one in drift.markers if one.axis == "y"]
    assert gaps.title == "Topic shift"


def test_nothing_is_drawn_of_nothing() -> None:
    with pytest.raises(ValueError, match="no evaluation to draw"):
        trigger_chart([], TriggerPolicy())
