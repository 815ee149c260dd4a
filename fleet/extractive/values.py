"""Method "values": numbers, codes and names, each with its latest statement."""

import math
from collections import Counter

from fleet.extractive.segments import Sentence
from fleet.extractive.units import Reading, voice

NAME_WEIGHT = 0.6  # of 1 for a value: a number or code can be wrong, a name is context
STATED_LATER = 0.6  # factor for a value that a later sentence states again: the later one speaks for it
SPREAD = 0.3  # what each e-fold of its statements adds to a value


def score(reading: Reading) -> list[float]:
    """Weighted count of distinct values and names; 0 without any."""
    latest = {value: place for place, unit in enumerate(reading.units) for value in unit.values}
    counted = Counter(value for unit in reading.units for value in unit.values)
    return [_score(place, unit, latest, counted) for place, unit in enumerate(reading.units)]


def _score(place: int, unit: Sentence, latest: dict[str, int], counted: Counter[str]) -> float:
    total = NAME_WEIGHT * len(unit.names)
    for value in sorted(unit.values):
        total += (1 + SPREAD * math.log(counted[value])) * (1.0 if latest[value] == place else STATED_LATER)
    return total * voice(unit)
