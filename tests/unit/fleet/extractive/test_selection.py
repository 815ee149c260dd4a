"""From scores to what a method would keep."""

import pytest

from fleet.extractive.selection import MOST_SHARE, ranked, select
from fleet.extractive.units import Reading, read_snapshot
from tests.factories import a_snapshot

NOUNS = ("pump", "valve", "sensor", "boiler", "turbine", "filter", "gasket", "piston", "nozzle", "rotor")


def a_reading() -> Reading:
    return read_snapshot(
        a_snapshot(*(f"The {noun} of hall {n} runs at {n}00 volts." for n, noun in enumerate(NOUNS, start=1)))
    )


def test_what_scores_nothing_is_never_chosen() -> None:
    reading = a_reading()
    scores = [0.0] * len(reading.units)
    assert ranked(reading, scores) == []
    scores[3], scores[4] = 1.0, -1.0
    assert ranked(reading, scores) == [3]


def test_ties_go_to_the_later_words() -> None:
    assert ranked(a_reading(), [1.0] * 10) == list(range(9, -1, -1))


def test_long_sentences_must_say_more() -> None:
    long = "The pump of hall 1 runs at 100 volts and the valve of hall 2 runs at 200 volts and so on and on."
    reading = read_snapshot(a_snapshot(long, "The boiler of hall 3 burns wood."))
    assert ranked(reading, [1.2, 1.0]) == [1, 0]
    assert ranked(reading, [1.2, 1.0], length_power=0) == [0, 1]


def test_a_score_is_one_less_the_share_of_words_that_stands_before_and_the_order_is_that_of_the_talk() -> None:
    reading = a_reading()  # ten sentences of eight words
    found = select(reading, [7, 2, 5])
    assert [one.turn for one in found] == [3, 6, 8]
    assert [one.score for one in found] == pytest.approx([0.9, 0.8, 1.0])


def test_a_method_says_no_more_than_half() -> None:
    reading = a_reading()
    found = select(reading, range(10))
    assert len(found) == 5
    assert min(one.score for one in found) > 1 - MOST_SHARE
