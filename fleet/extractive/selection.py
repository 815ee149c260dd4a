"""From scores to what a method would keep: its order, and at which share of the words each sentence comes in."""

from collections.abc import Sequence

from dissolution.excerpts import Chosen
from fleet.extractive.units import Reading

LENGTH_POWER = 0.6
"""Scores are divided by words to this power: a budget of words is spent where a word says most. docs/extractive.md."""

LEAST_WORDS = 7
"""Words below which a sentence is no cheaper."""

MOST_SHARE = 0.5
"""Share of the words up to which a method says what it would keep; a policy asks for no more."""


def ranked(reading: Reading, scores: Sequence[float], length_power: float = LENGTH_POWER) -> list[int]:
    """Places of the units, best first by score for length; 0 or less never. Ties go to the later words."""
    priced = [
        score / max(LEAST_WORDS, unit.size) ** length_power for score, unit in zip(scores, reading.units, strict=True)
    ]
    return sorted(
        (place for place, score in enumerate(scores) if score > 0), key=lambda place: (-priced[place], -place)
    )


def select(reading: Reading, order: Sequence[int]) -> tuple[Chosen, ...]:
    """The best units in the order they were said, each with 1 less the share of the words that stand before it."""
    chosen: list[Chosen] = []
    used = 0
    for place in order:
        share = used / max(1, reading.words)
        if share >= MOST_SHARE:
            break
        unit = reading.units[place]
        chosen.append(Chosen(turn=unit.turn, start=unit.start, end=unit.end, score=1 - share))
        used += unit.size
    return tuple(sorted(chosen, key=lambda one: (one.turn, one.start)))
