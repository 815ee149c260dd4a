"""From scores to claims within the budget."""

import pytest

from fleet.extractive.candidates import Reading, read_snapshot
from fleet.extractive.selection import DEFAULT, ExtractionPolicy, select
from tests.factories import a_snapshot

NOUNS = ("pump", "valve", "sensor", "boiler", "turbine", "filter", "gasket", "piston", "nozzle", "rotor")


def a_reading(count: int = 10) -> Reading:
    return read_snapshot(
        a_snapshot(*(f"The {noun} of hall {n} runs at {n}00 volts." for n, noun in enumerate(NOUNS[:count], start=1)))
    )


def test_what_scores_nothing_is_never_chosen() -> None:
    reading = a_reading()
    scores = [0.0] * len(reading.candidates)
    assert select(reading, scores) == ()
    scores[3] = 1.0
    scores[4] = -1.0
    assert select(reading, scores) == (reading.candidates[3],)


def test_the_best_come_first_and_the_answer_is_in_the_order_of_the_talk() -> None:
    reading = a_reading()
    scores = [1.0 + n for n in range(len(reading.candidates))]
    policy = ExtractionPolicy(max_claims=2, worth_power=0.0)
    assert [c.ordinal for c in select(reading, scores, policy)] == [8, 9]
    assert [c.ordinal for c in select(reading, scores[::-1], policy)] == [0, 1]


def test_ties_go_to_the_later_statement() -> None:
    reading = a_reading()
    policy = ExtractionPolicy(max_claims=1, worth_power=0.0)
    assert select(reading, [1.0] * len(reading.candidates), policy)[0].ordinal == len(reading.candidates) - 1


def test_words_are_bounded() -> None:
    reading = a_reading()
    policy = ExtractionPolicy(min_words=20, max_share=0.0, short_share=0.0)
    chosen = select(reading, [1.0] * len(reading.candidates), policy)
    assert len(chosen) == 2
    assert sum(candidate.size for candidate in chosen) <= 20


def test_a_share_of_a_long_conversation_is_allowed() -> None:
    reading = a_reading()
    assert len(select(reading, [1.0] * len(reading.candidates), DEFAULT)) > 2


@pytest.mark.parametrize(("words", "allowed"), [(0, 60), (240, 60), (300, 75), (640, 160), (1000, 160), (5000, 400)])
def test_a_short_conversation_may_keep_more_of_its_words(words: int, allowed: int) -> None:
    assert DEFAULT.allowed(words) == allowed


def test_the_same_is_said_once() -> None:
    reading = read_snapshot(
        a_snapshot("The boiler of hall 3 runs at 300 volts.", "Right, the boiler of hall 3 runs at 300 volts.")
    )
    assert len(reading.candidates) == 2
    assert len(select(reading, [1.0, 1.0])) == 1
