"""Method "cues": cue and temporal wording, read as commitments, rules, roles and open points."""

from fleet.extractive import cue_words as cue
from fleet.extractive.candidates import Candidate, Reading
from fleet.extractive.sections import Kind

# How much a kind matters to whoever goes on from here: a question nobody took up is lost for
# good if it is lost here; then what binds, what is open, guesses last.
WEIGHT = {
    Kind.STANDING: 1.3,
    Kind.RULED_OUT: 1.1,
    Kind.DECISION: 1.0,
    Kind.ROLE: 1.0,
    Kind.RULE: 0.9,
    Kind.OPEN: 0.85,
    Kind.QUESTION: 2.6,
    Kind.GUESS: 0.35,
}
BINDING = frozenset({Kind.STANDING, Kind.RULED_OUT, Kind.DECISION, Kind.RULE})
RECENT = 0.15  # bonus of the last turn over the first: later wording holds longer
VALUE_BONUS = 0.1  # a commitment with a number, date or name is one that can be kept or broken
MOST_BONUS = 3  # values counted
MANY_QUESTIONS = 8  # more open questions than this are the talk's manner: each then weighs less
EXPLICIT = 0.4  # bonus of a choice that is named as one over what is only read as a decision
STRONG = 0.1  # bonus for each further kind of cue in the same sentence


def score(reading: Reading) -> list[float]:
    """Scores (0 and up) of the candidates by what their wording does; plain statements get 0."""
    questions = sum(candidate.kind is Kind.QUESTION for candidate in reading.candidates)
    thinned = min(1.0, MANY_QUESTIONS / max(1, questions))
    return [_score(reading, candidate, thinned) for candidate in reading.candidates]


def _score(reading: Reading, candidate: Candidate, thinned: float) -> float:
    weight = WEIGHT.get(candidate.kind, 0.0) * (thinned if candidate.kind is Kind.QUESTION else 1.0)
    if candidate.quoted or not weight:
        return 0.0
    bonus = VALUE_BONUS * min(MOST_BONUS, len(candidate.values | candidate.names))
    bonus += RECENT * reading.lateness(candidate)
    strong = sum(pattern.search(candidate.quote) is not None for pattern in (cue.DECISION, cue.RULED_OUT, cue.STANDING))
    bonus += EXPLICIT if candidate.kind in BINDING and cue.EXPLICIT.search(candidate.quote) else 0.0
    return weight + bonus + STRONG * strong
