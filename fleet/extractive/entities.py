"""Method "entities": density of identifiers, quantities and names, each with its latest statement."""

import math
from collections import Counter

from fleet.extractive.candidates import Candidate, Reading
from fleet.extractive.sections import Kind

UNSURE = 0.4  # guesses and questions: their values are not facts
VALUE_WEIGHT, NAME_WEIGHT = 1.0, 0.6  # a number or code can be wrong; a name is context
STATED_LATER = 0.6  # factor for a value that a later candidate states again: the later one speaks for it


def score(reading: Reading) -> list[float]:
    """Weighted count of distinct values and names; 0 without a value (selection divides by length)."""
    latest = {value: candidate.ordinal for candidate in reading.candidates for value in candidate.values}
    counted = Counter(value for candidate in reading.candidates for value in candidate.values)
    return [_score(candidate, latest, counted) for candidate in reading.candidates]


def _score(candidate: Candidate, latest: dict[str, int], counted: Counter[str]) -> float:
    if not candidate.values:
        return 0.0
    total = 0.0
    for value in candidate.values:
        spread = 1 + 0.3 * math.log(counted[value])
        total += VALUE_WEIGHT * spread * (1.0 if latest[value] == candidate.ordinal else STATED_LATER)
    total += NAME_WEIGHT * len(candidate.names)
    return total * (UNSURE if candidate.kind in {Kind.GUESS, Kind.QUESTION, Kind.OPEN} else 1.0)
