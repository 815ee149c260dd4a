"""Method "surprise": how much a sentence tells that nothing before it told, by an adaptive n-gram model."""

import math
from collections import Counter, defaultdict

from dissolution.checking import each
from fleet.extractive.segments import Sentence
from fleet.extractive.units import Reading, voice
from language.words import stem

KEPT = 1.0  # weight of a new word that comes back in a later turn: it was taken up
LOST = 0.35  # weight of a new word that never comes back
BIGRAM = 0.5  # share of the bigram estimate in the mixture once its context was seen


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
    """Bits that the words of each unit carry, given every earlier sentence.

    Words that are taken up in a later turn count in full, words that nobody repeats count for `LOST`.
    """
    model = AdaptiveModel(len({word for sentence in reading.sentences for word in sentence.words}))
    last_turn = {term: sentence.turn for sentence in reading.sentences for term in sentence.terms}
    bits: dict[tuple[int, int], float] = {}
    for sentence in each(reading.sentences):
        bits[sentence.turn, sentence.index] = _carried(sentence, model, last_turn)
        model.learn(sentence.words)
    return [bits[unit.turn, unit.index] * voice(unit) for unit in reading.units]


def _carried(sentence: Sentence, model: AdaptiveModel, last_turn: dict[str, int]) -> float:
    carried = 0.0
    for previous, word in zip(("", *sentence.words), sentence.words, strict=False):
        taken_up = last_turn.get(stem(word), sentence.turn) > sentence.turn
        carried += model.bits(previous, word) * (KEPT if taken_up else LOST)
    return carried
