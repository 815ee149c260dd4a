"""Method "surprise"."""

import pytest

from fleet.extractive.surprise import AdaptiveModel, score
from fleet.extractive.units import read_snapshot
from tests.factories import a_snapshot


def test_what_was_said_before_surprises_less() -> None:
    reading = read_snapshot(
        a_snapshot("The boiler burns wood in hall 3.", "The boiler burns wood in hall 3.", "Steam rotates turbines.")
    )
    found = score(reading)
    assert found[0] > found[1]


def test_a_new_word_that_is_taken_up_counts_for_more_than_one_that_is_lost() -> None:
    taken = score(read_snapshot(a_snapshot("Steam rotates turbines daily.", "So turbines rotate by steam.")))
    lost = score(read_snapshot(a_snapshot("Steam rotates turbines daily.", "Coffee keeps penguins awake.")))
    assert taken[0] > lost[0]


def test_bits_by_hand() -> None:
    model = AdaptiveModel(2)
    assert model.bits("", "a") == pytest.approx(1.0)  # (0 + 0.5) / (0 + 0.5 * 2)
    model.learn(("a", "b"))
    # unigram (1 + 0.5) / (2 + 1) = 0.5; bigram after "a": 1; mixture 0.75
    assert 2 ** -model.bits("a", "b") == pytest.approx(0.75)
    assert AdaptiveModel(0).bits("", "a") == pytest.approx(0.0)


def test_nothing_to_score() -> None:
    assert score(read_snapshot(a_snapshot("ok"))) == []
