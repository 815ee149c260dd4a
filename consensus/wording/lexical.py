"""Words as vectors: TF-IDF, and how much of one text's weight another covers."""

import math
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

import numpy as np

from consensus.embedding.vectors import FloatArray, Matrix, Vector
from dissolution.checking import each

ENDINGS = re.compile(
    r"(?:ification|isation|ization|ations?|itions?|ions?|ments?|ness|ances?|ences?|ities|ity|ives?|ically|ally|ly|ers?|ors?|ate|ed|ing|e|y)$"
)
"""Endings that turn a verb into a noun or an adverb and leave what it is about: "eviction", "evict"."""

JOINTS = re.compile(r"[\W_]+")
LEAST_ROOT = 4  # letters that must be left


@lru_cache(maxsize=16384)  # a conversation says few words often
def root(term: str) -> str:
    """The part that the forms of a word share: "deletion" and "delet" are "delet"; figures and short words stay."""
    if not term.isalpha() or len(term) <= LEAST_ROOT:
        return term
    bare = ENDINGS.sub("", term)
    return bare if len(bare) >= LEAST_ROOT else term


@lru_cache(maxsize=16384)  # a conversation says few words often
def parts(term: str) -> tuple[str, ...]:
    """The parts of a joined word that are longer than one character: "ll_session" is "ll" and "session"."""
    return tuple(part for part in JOINTS.split(term) if len(part) > 1)


def inverse_frequencies(documents: Sequence[Sequence[str]]) -> dict[str, float]:
    """Smoothed inverse document frequency of each term: ln((1 + n) / (1 + df)) + 1, at least 1.

    Source: Sparck Jones 1972 in the smoothed form of scikit-learn's TfidfTransformer.
    """
    n = len(documents)
    seen = Counter(term for document in documents for term in set(document))
    return {term: math.log((1 + n) / (1 + count)) + 1 for term, count in sorted(seen.items())}


def weighted_rows(
    documents: Sequence[Collection[str]], weights: Mapping[str, float], *, binary: bool = False
) -> Matrix:
    """Term weights, shape (n, len(weights)), columns in the order of `weights`; terms without a weight are left out.

    A cell is count times weight, or the weight alone when `binary`.
    """
    column = {term: place for place, term in enumerate(weights)}
    rows = np.zeros((len(documents), len(column)), dtype=np.float64)
    for place, document in enumerate(each(documents)):
        for term, count in Counter(document).items():
            if term in column:
                rows[place, column[term]] = weights[term] * (1 if binary else count)
    return rows


def holding_rows(documents: Sequence[Collection[str]], terms: Collection[str]) -> FloatArray:
    """Which of the terms each document holds, 1 or 0, shape (n, len(terms)) in their order; float32, as n is large."""
    column = {term: place for place, term in enumerate(terms)}
    rows = np.zeros((len(documents), len(column)), dtype=np.float32)
    for place, document in enumerate(each(documents)):
        rows[place, [column[term] for term in document if term in column]] = 1.0
    return rows


def normalised(rows: Matrix) -> Matrix:
    """Rows scaled to length 1; rows of zeros stay zeros."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)


def tfidf_rows(documents: Sequence[Sequence[str]]) -> Matrix:
    """TF-IDF unit rows, shape (n, terms); a document without terms is a row of zeros."""
    return normalised(weighted_rows(documents, inverse_frequencies(documents)))


class SparseRows:
    """Rows of term weights of which few cells are not zero: one row against all, without a table of all terms.

    Args:
        rows: The weights of each row, by term.
    """

    def __init__(self, rows: Sequence[Mapping[str, float]]) -> None:
        self._rows = rows
        places: dict[str, list[int]] = {}
        for place, row in enumerate(each(rows)):
            for term in row:
                places.setdefault(term, []).append(place)
        self._places = {term: np.array(found, dtype=np.intp) for term, found in places.items()}
        self._weights = {
            term: np.array([rows[place][term] for place in found], dtype=np.float64) for term, found in places.items()
        }

    def products(self, place: int) -> Vector:
        """The dot products of one row with every row, shape (n,)."""
        found = np.zeros(len(self._rows), dtype=np.float64)
        for term, weight in self._rows[place].items():
            found[self._places[term]] += weight * self._weights[term]
        return found


def sparse_tfidf(documents: Sequence[Sequence[str]]) -> SparseRows:
    """The rows of `tfidf_rows` for documents that hold each term once; a document without terms is an empty row."""
    weights = inverse_frequencies(documents)
    rows: list[dict[str, float]] = []
    for document in each(documents):
        length = math.sqrt(sum(weights[term] ** 2 for term in document))
        rows.append({term: weights[term] / length for term in document})
    return SparseRows(rows)


def cosines(rows: Matrix, others: Matrix | None = None) -> Matrix:
    """Cosines of unit (or zero) rows, shape (n, m), clipped to 0..1; symmetric to the last bit against themselves."""
    if others is not None:
        return np.clip(rows @ others.T, 0.0, 1.0)
    product = np.clip(rows @ rows.T, 0.0, 1.0)
    return (product + product.T) / 2
