"""A snapshot as what the methods choose from: sentences with their words, each read once for all methods."""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from threading import Lock

from dissolution.checking import each
from dissolution.conversation import Snapshot
from fleet.extractive.segments import Sentence, sentences

MIN_TERMS = 2  # words and values; fewer say nothing that stands alone
MIN_LETTER_SHARE = 0.75  # of the visible characters; below it is a command, a path or a table
QUOTED = 0.5  # what quoted material counts beside speech: people's own words carry their understanding
COMMON = 0.2  # share of turns from which a word is grammar or background, whatever the language
LEAST_COMMON = 3  # turns up to which no word is
CACHED = 4  # snapshots whose reading is kept, so that the members of one job read it once


@dataclass(frozen=True, eq=False)
class Reading:
    """A snapshot read: its sentences, those to choose from in order, and in how many turns each word occurs.

    `echoed` holds, for each of `units`, its greatest cosine (0..1, words weighed by rarity) with one of another turn.
    """

    sentences: tuple[Sentence, ...]
    units: tuple[Sentence, ...]
    echoed: tuple[float, ...]
    spread: dict[str, int]
    turns: int  # turns that were read
    words: int  # of those turns, as a reader counts them

    def rarity(self, term: str) -> float:
        """ln((1 + turns) / turns with the word): high for words of few turns, 0 nearly for those of every turn."""
        return math.log((1 + self.turns) / self.spread.get(term, 1))

    def substance(self, unit: Sentence) -> float:
        """What the rarity of its distinct words comes to; 0 and up. Common words weigh nothing in any language."""
        return sum(self.rarity(term) for term in sorted(set(unit.terms)))

    def topicality(self, unit: Sentence) -> float:
        """Share of its words that occur in another turn too, 0..1: low for digressions."""
        found = set(unit.terms)
        return sum(self.spread.get(term, 0) > 1 for term in found) / len(found) if found else 0.0


def voice(unit: Sentence) -> float:
    """1 for speech, QUOTED for quoted material and the output of tools."""
    return QUOTED if unit.quoted else 1.0


class _Readings:
    """The newest readings by snapshot digest and quoted spans; one thread reads, the others wait for it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: dict[tuple[object, ...], Reading] = {}

    def of(self, snapshot: Snapshot, since: int) -> Reading:
        key = (snapshot.digest, since, *(turn.quoted for turn in snapshot.turns))
        with self._lock:
            reading = self._kept.pop(key, None) or _read(snapshot, since)
            self._kept[key] = reading
            while len(self._kept) > CACHED:
                del self._kept[next(iter(self._kept))]
        return reading


_READINGS = _Readings()


def read_snapshot(snapshot: Snapshot, since: int = 0) -> Reading:
    """The reading of the turns after `since`; the same snapshot gives the same reading. Safe to call from threads."""
    return _READINGS.of(snapshot, since)


def _read(snapshot: Snapshot, since: int) -> Reading:
    found = sentences(snapshot, since)
    spread: Counter[str] = Counter()
    for _, said in groupby(found, key=lambda sentence: sentence.turn):
        spread.update({term for sentence in said for term in sentence.terms})
    units = tuple(sentence for sentence in found if _says_something(sentence))
    return Reading(
        sentences=found,
        units=units,
        echoed=_echoed(units, spread, snapshot.through - since),
        spread=dict(spread),
        turns=snapshot.through - since,
        words=sum(len(turn.content.split()) for turn in snapshot.turns[since:]),
    )


def _says_something(sentence: Sentence) -> bool:
    visible = [character for character in sentence.quote if not character.isspace()]
    letters = sum(character.isalnum() for character in visible)
    return len({*sentence.terms, *sentence.values}) >= MIN_TERMS and letters >= MIN_LETTER_SHARE * len(visible)


def _echoed(units: Sequence[Sentence], spread: Counter[str], turns: int) -> tuple[float, ...]:
    """Greatest cosine of each unit with one of another turn, by an inverted index; common words bring nothing near."""
    rows: list[dict[str, float]] = []
    holders: dict[str, list[int]] = defaultdict(list)
    for place, unit in enumerate(each(units)):
        counted = Counter(unit.terms)
        row = {term: (1 + math.log(n)) * math.log((1 + turns) / spread[term]) for term, n in sorted(counted.items())}
        norm = math.sqrt(sum(weight * weight for weight in row.values())) or 1.0
        rows.append({term: weight / norm for term, weight in row.items()})
        for term in row:
            if spread[term] <= max(LEAST_COMMON, COMMON * turns):
                holders[term].append(place)
    best: list[float] = []
    for place, unit in enumerate(each(units)):
        cosines: dict[int, float] = defaultdict(float)
        for term, weight in rows[place].items():
            for other in holders[term]:
                cosines[other] += weight * rows[other][term]
        best.append(max((value for other, value in cosines.items() if units[other].turn != unit.turn), default=0.0))
    return tuple(min(1.0, value) for value in best)
