"""Method "last-word": subjects that come back turn after turn; the last statement about each one wins."""

import math
from collections import defaultdict

from fleet.extractive.candidates import Candidate, Reading
from fleet.extractive.sections import Kind

MIN_TURNS = 3  # turns a word must occur in to be a subject of the talk
MAX_SHARE = 0.4  # share of turns from which a word is background, not a subject
SECOND = 0.3  # weight of the statement before the last
# Only these can be the last word on something; a guess or question leaves it as it was.
FIRM = frozenset({Kind.STATEMENT, Kind.DECISION, Kind.RULED_OUT, Kind.STANDING, Kind.RULE, Kind.ROLE, Kind.OPEN})
SETTLES = {Kind.DECISION: 1.5, Kind.RULED_OUT: 1.5, Kind.STANDING: 1.3, Kind.RULE: 1.2}


def score(reading: Reading) -> list[float]:
    """For each recurring subject its last statement gets ln(turns with it) · rarity; sums over subjects."""
    scores = [0.0] * len(reading.candidates)
    for term, found in _subjects(reading).items():
        worth = math.log(reading.spread[term]) * reading.rarity(term)
        scores[found[-1].ordinal] += worth
        if len(found) > 1:
            scores[found[-2].ordinal] += SECOND * worth
    return [_weighed(candidate, scores[candidate.ordinal]) for candidate in reading.candidates]


def _subjects(reading: Reading) -> dict[str, list[Candidate]]:
    """The firm spoken statements about each recurring word, in order."""
    most = max(MIN_TURNS, MAX_SHARE * reading.turns)
    found: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in reading.candidates:
        if candidate.quoted or candidate.kind not in FIRM:
            continue
        for term in set(candidate.terms):
            if MIN_TURNS <= reading.spread.get(term, 0) <= most:
                found[term].append(candidate)
    return found


def _weighed(candidate: Candidate, total: float) -> float:
    settled = SETTLES.get(candidate.kind, 1.0) * (1.0 + 0.2 * min(2, len(candidate.values)))
    return total * settled
