"""Method "surprise": how much a statement tells that nothing before it told, by an adaptive n-gram model."""

import math
from collections import Counter, defaultdict

from fleet.extractive.candidates import Candidate, Reading
from fleet.extractive.terms import IGNORED
from wording.words import stem

KEPT = 1.0  # weight of a new word that comes back in a later turn: it was taken up
LOST = 0.35  # weight of a new word that never comes back
BIGRAM = 0.5  # share of the bigram estimate in the mixture once its context was seen
HALF_LENGTH = 10  # words; below it the mean over few words is not trusted in full


class AdaptiveModel:
    """Word probabilities learnt from what was read so far: unigrams (add-half) mixed with bigrams."""

    def __init__(self, vocabulary: int) -> None:
        self._vocabulary = max(1, vocabulary)
        self._single: Counter[str] = Counter()
        self._pairs: dict[str, Counter[str]] = defaultdict(Counter)
        self._total = 0

    def bits(self, previous: str, word: str) -> float:
        """-log2 of the probability of `word` after `previous`: 0 and up."""
        single = (self._single[word] + 0.5) / (self._total + 0.5 * self._vocabulary)
        after = self._pairs[previous].total() if previous in self._pairs else 0
        if not after:
            return -math.log2(single)
        pair = self._pairs[previous][word] / after
        return -math.log2(BIGRAM * pair + (1 - BIGRAM) * single)

    def learn(self, found: tuple[str, ...]) -> None:
        """Count a sentence."""
        for previous, word in zip(("", *found), found, strict=False):
            self._single[word] += 1
            self._pairs[previous][word] += 1
            self._total += 1


def score(reading: Reading) -> list[float]:
    """Mean bits a content word of each candidate carries, given every earlier sentence.

    Words that are taken up in a later turn count in full, words that nobody repeats count for `LOST`.
    """
    model = AdaptiveModel(len({word for sentence in reading.sentences for word in sentence.words}))
    last_turn = _last_turns(reading)
    bits: dict[int, dict[int, float]] = defaultdict(dict)
    for sentence in reading.sentences:
        carried = 0.0
        counted = 0
        for previous, word in zip(("", *sentence.words), sentence.words, strict=False):
            if word in IGNORED:
                continue
            taken_up = last_turn.get(stem(word), sentence.turn) > sentence.turn
            carried += model.bits(previous, word) * (KEPT if taken_up else LOST)
            counted += 1
        bits[sentence.turn][sentence.start] = carried / (counted + HALF_LENGTH) if counted else 0.0
        model.learn(sentence.words)
    return [_of(candidate, bits[candidate.turn]) for candidate in reading.candidates]


def _last_turns(reading: Reading) -> dict[str, int]:
    return {term: sentence.turn for sentence in reading.sentences for term in sentence.terms}


def _of(candidate: Candidate, bits: dict[int, float]) -> float:
    """Mean over the sentences the candidate is made of; `bits` is by where they start in its turn."""
    inside = [value for start, value in bits.items() if candidate.start <= start < candidate.end]
    return sum(inside) / len(inside) if inside else 0.0
