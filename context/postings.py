"""An inverted index that grows by one text at a time, and BM25 over it. Pure.

Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with the usual k1 and b, and
the inverse document frequency ln(1 + (N - n + 0.5) / (n + 0.5)), which is never negative. A query reads the postings of
its own terms alone, so its time grows with how often they occur, not with all that was ever said.
"""

import math
from array import array
from collections import Counter

import numpy as np
from numpy.typing import NDArray

from context.terms import terms

Scores = NDArray[np.float64]

K1 = 1.2
"""How soon repeats of a term stop counting."""
B = 0.75
"""How much a long text is held against it."""

TERM_BYTES = 300
"""What one more term costs besides its postings: its word, two arrays and their places in the table."""
POSTING_BYTES = 8
TEXT_BYTES = 4
MOST_REPEATS = 2**32 - 1


class Postings:
    """Texts by number, from 0 in the order they were added, and which terms each has.

    For one thread at a time.
    """

    def __init__(self) -> None:
        self._texts: dict[str, array[int]] = {}  # by term: the texts that have it, rising
        self._counts: dict[str, array[int]] = {}  # by term: how often each of them has it
        self._lengths = array("I")  # in terms
        self._total = 0
        self._postings = 0

    def __len__(self) -> int:
        """How many texts."""
        return len(self._lengths)

    @property
    def nbytes(self) -> int:
        """About how much memory it takes (bytes)."""
        return TERM_BYTES * len(self._texts) + POSTING_BYTES * self._postings + TEXT_BYTES * len(self._lengths)

    def add(self, text: str) -> int:
        """Add a text; returns its number."""
        number = len(self._lengths)
        found = Counter(terms(text))
        for term, count in found.items():
            if term not in self._texts:
                self._texts[term], self._counts[term] = array("I"), array("I")
            self._texts[term].append(number)
            self._counts[term].append(min(count, MOST_REPEATS))
        length = found.total()
        self._lengths.append(length)
        self._total += length
        self._postings += len(found)
        return number

    def scores(self, query: str) -> Scores:
        """BM25 of every text for a query, shape (texts,); 0 for a text with none of its terms."""
        scores = np.zeros(len(self), dtype=np.float64)
        if not self._total:
            return scores
        mean = self._total / len(self)
        lengths = np.array(self._lengths, dtype=np.float64)
        for term in sorted(set(terms(query)) & self._texts.keys()):
            texts = np.array(self._texts[term], dtype=np.intp)
            counts = np.array(self._counts[term], dtype=np.float64)
            weight = math.log(1 + (len(self) - len(texts) + 0.5) / (len(texts) + 0.5))
            norm = K1 * (1 - B + B * lengths[texts] / mean)
            scores[texts] += weight * counts * (K1 + 1) / (counts + norm)
        return scores
