"""Surprise without a language model: a back-off model of words that adapts to the conversation.

Deterministic, exact and proper: the probabilities of all next words sum to 1. What was said in the last few thousand
words is known by word and by pair of words; what was not, by the background; what the background lacks, by spelling.

A model of words calls "we use X" and "we do not use X" nearly equal. So sentences that repeat an earlier one with
another polarity, number, choice or opposite are marked (`language.surprise.repeats`); nobody may call them redundant.
"""

import hashlib
import math
import struct
from array import array
from collections import Counter, deque
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from dissolution.surprise import NO_TOKENS, Surprise
from language.surprise.repeats import RepeatMemory
from language.surprise.words import KEPT_WORDS, background_probability, tokens_of

NAME = "backoff-words-1"

WINDOW_TOKENS = 4000
"""Tokens that are remembered, about three thousand words: older ones leave exactly as newer ones come."""

BREAK = 0
"""Stands between two texts in place of a word's number, so that a pair never reaches over a change of speaker."""

WIDTH = 32
"""Bits of a word's number."""

_HEAD = struct.Struct("<4sI")
_MAGIC = b"bow1"


@lru_cache(maxsize=KEPT_WORDS)
def number_of(token: str) -> int:
    """A word's number, 1 to 2**32 - 1: what is remembered holds no words. Two of 4000 share one with chance 0.002."""
    return int.from_bytes(hashlib.blake2b(token.encode("utf-8", "surrogatepass"), digest_size=4).digest(), "big") or 1


class WindowCounts:
    """Words and pairs of words among the last `WINDOW_TOKENS`, exact at any time."""

    def __init__(self) -> None:
        self.numbers: deque[int] = deque()
        self._words: Counter[int] = Counter()
        self._total = 0
        # Pairs lie flat, since a window is counted anew for every turn that another process appends.
        self._pairs: Counter[int] = Counter()  # by the number of the first word, shifted, and that of the second
        self._followed: Counter[int] = Counter()  # how many words followed each
        self._kinds: Counter[int] = Counter()  # how many different ones

    def probability(self, before: int, number: int, base: float) -> float:
        """Of the word with `number` after the one with `before`, when `base` is its probability in the background.

        Witten and Bell (1991), twice: p0 = (n(w) + T b) / (N + T) over the window, then
        p = (n(v w) + T(v) p0) / (N(v) + T(v)) over what followed v in it. By hand: "a b a" with N = 3, T = 2 gives
        p0(a) = (2 + 2 b) / 5, and after "b", which one "a" has followed, p = (1 + p0) / 2.
        """
        kinds = len(self._words)
        probability = (self._words[number] + kinds * base) / (self._total + kinds) if kinds else base
        kinds = self._kinds[before]
        if kinds:
            seen = self._pairs[_pair(before, number)]
            probability = (seen + kinds * probability) / (self._followed[before] + kinds)
        return probability

    def fill(self, numbers: Sequence[int]) -> None:
        """Remember a whole window at once, as if added one by one to an empty one."""
        self.numbers = deque(numbers)
        self._words = Counter(numbers)
        self._followed = self._words.copy()  # each is followed, but for the last and those before a break
        for before, number in pairwise([*numbers, BREAK]):
            if number == BREAK:
                _less(self._followed, before)
        del self._words[BREAK]
        self._total = len(numbers) - numbers.count(BREAK)
        self._pairs = Counter([before << WIDTH | number for before, number in pairwise(numbers) if number != BREAK])
        self._kinds = Counter([pair >> WIDTH for pair in self._pairs])

    def add(self, number: int) -> None:
        """Remember one more token, and forget the oldest beyond the window."""
        if self.numbers and number != BREAK:
            before = self.numbers[-1]
            pair = _pair(before, number)
            self._kinds[before] += pair not in self._pairs
            self._pairs[pair] += 1
            self._followed[before] += 1
        self.numbers.append(number)
        if number != BREAK:
            self._words[number] += 1
            self._total += 1
        if len(self.numbers) > WINDOW_TOKENS:
            self._forget()

    def _forget(self) -> None:
        oldest = self.numbers.popleft()
        following = self.numbers[0]
        if oldest != BREAK:
            _less(self._words, oldest)
            self._total -= 1
        if following != BREAK:
            pair = _pair(oldest, following)
            _less(self._pairs, pair)
            _less(self._followed, oldest)
            if pair not in self._pairs:
                _less(self._kinds, oldest)


def _pair(before: int, number: int) -> int:
    return before << WIDTH | number


def _less(counts: Counter[int], number: int) -> None:
    counts[number] -= 1
    if counts[number] == 0:
        del counts[number]


class BackoffReader:
    """Reads one conversation."""

    def __init__(self, counts: WindowCounts, repeats: RepeatMemory) -> None:
        self._counts = counts
        self._repeats = repeats

    def read(self, text: str) -> Surprise:
        """Bits of the text's tokens (at most 2000) after all that was read; then it belongs to that."""
        guarded = self._repeats.read(text)
        tokens = tokens_of(text)
        if not tokens:
            return Surprise(bits=NO_TOKENS, tokens=0)
        bits = 0.0
        before = BREAK
        self._counts.add(BREAK)
        for token in tokens:
            number = number_of(token)
            bits -= math.log2(self._counts.probability(before, number, background_probability(token)))
            self._counts.add(number)
            before = number
        return Surprise(bits=max(0.0, bits), tokens=len(tokens), guarded=guarded)

    def memory(self) -> bytes:
        """The window's numbers and the sentences for the guard: at most 40 kB."""
        numbers = array("I", self._counts.numbers).tobytes()
        return _HEAD.pack(_MAGIC, len(self._counts.numbers)) + numbers + self._repeats.memory()


class BackoffEstimator:
    """The default estimator: needs no model, no key and no network, and gives the same bits on every machine."""

    @property
    def name(self) -> str:
        """`backoff-words-1`."""
        return NAME

    def resume(self, memory: bytes) -> BackoffReader:
        """Go on where a reader stopped; b"" begins. Raises ValueError for what is no memory of this estimator."""
        counts = WindowCounts()
        if not memory:
            return BackoffReader(counts, RepeatMemory())
        magic, length = _HEAD.unpack_from(memory) if len(memory) >= _HEAD.size else (b"", 0)
        end = _HEAD.size + 4 * length
        if magic != _MAGIC or length > WINDOW_TOKENS or len(memory) < end:
            message = f"{len(memory)} bytes that begin {memory[:4]!r} are no memory of {NAME!r}; begin with b''"
            raise ValueError(message)
        numbers = array("I")
        numbers.frombytes(memory[_HEAD.size : end])
        counts.fill(numbers.tolist())
        return BackoffReader(counts, RepeatMemory.of(memory[end:]))
