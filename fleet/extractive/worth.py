"""What any claim is worth keeping for, whichever method finds it: shared by all methods as a factor of their scores."""

import math
from collections.abc import Sequence

from fleet.extractive.candidates import Candidate, Reading
from fleet.extractive.sections import Kind

# Added up to log-odds. Rounded weights of a logistic regression on the planted conversations (does a candidate state
# something that holds at the end?), area under the curve 0.71 to 0.78 on the conversation left out; docs/extractive.md.
LENGTH = 0.7  # per ln(words): short sentences rarely say who and what
RESTATED = 3.0  # times the overlap with an earlier turn's statement: what is said again is common ground
TOPICAL = 1.5  # times the share of content words that other turns use
PERSONAL = -0.6  # speaks of I or you
PER_VALUE, MOST_VALUES = 0.2, 5
PER_NAME, MOST_NAMES = 0.3, 4
BY_USER = 0.4  # the person who owns the matter, where one is told apart
LATE = 0.6  # times the place in the conversation, 0..1: later statements hold longer
QUOTED = -0.5
LEANING = -1.5  # refers to something it does not name
BY_KIND = {
    Kind.STANDING: 1.0,
    Kind.RULED_OUT: 1.2,
    Kind.ROLE: 1.0,
    Kind.RULE: 0.4,
    Kind.QUESTION: 1.0,
    Kind.DECISION: 0.2,
}
CENTRE = 2.5  # log-odds of a middling candidate on this scale


def worth(reading: Reading) -> tuple[float, ...]:
    """A factor for each candidate: exp(log-odds - CENTRE), about 0.1 for chatter to 10 for a rule with names."""
    return tuple(math.exp(_log_odds(reading, candidate) - CENTRE) for candidate in reading.candidates)


def weighed(reading: Reading, scores: Sequence[float], power: float = 1.0) -> list[float]:
    """`scores` times worth to the `power` (0 ignores it)."""
    return [score * factor**power for score, factor in zip(scores, worth(reading), strict=True)]


def _log_odds(reading: Reading, candidate: Candidate) -> float:
    total = LENGTH * math.log(candidate.size) + TOPICAL * reading.topicality(candidate) + BY_KIND.get(candidate.kind, 0)
    total += RESTATED * reading.restated[candidate.ordinal] + LATE * reading.lateness(candidate)
    total += PER_VALUE * min(MOST_VALUES, len(candidate.values)) + PER_NAME * min(MOST_NAMES, len(candidate.names))
    total += BY_USER if candidate.by_user else 0.0
    total += PERSONAL if candidate.addressed else 0.0
    total += QUOTED if candidate.quoted else 0.0
    return total + (LEANING if candidate.leaning else 0.0)
