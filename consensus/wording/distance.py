"""How far two claims are apart: meaning, words and figures together.

distance = 1 - (MEANING x embedding cosine + WORDS x TF-IDF cosine + FIGURES x figure overlap), in 0..1.

Embeddings alone put "March 15" and "March 30" close together and true paraphrases far apart; the words and the figures
they share pull both right. Figure overlap is the Jaccard index of the numbers and identifiers of both claims, 0.5 when
neither has any: nothing speaks for or against.
"""

from collections.abc import Sequence

import numpy as np

from consensus.embedding.vectors import FloatArray, Matrix, Vector, cosine_matrix, settled
from consensus.wording import lexical
from consensus.wording.profile import Profile
from dissolution.policy.calibration import CALIBRATION

MEANING = CALIBRATION.consensus.distance_meaning
WORDS = CALIBRATION.consensus.distance_words
FIGURES = CALIBRATION.consensus.distance_figures
NO_FIGURES = CALIBRATION.consensus.no_figures


def joint_distances(profiles: Sequence[Profile], rows: FloatArray) -> Matrix:
    """Distances in 0..1, shape (n, n), symmetric, zero diagonal.

    Args:
        profiles: n claims.
        rows: (n, dim) float32, their unit rows.
    """
    meaning = np.clip(cosine_matrix(rows), 0.0, 1.0)
    words = lexical.cosines(lexical.tfidf_rows([sorted(profile.terms) for profile in profiles]))
    distances = 1 - (MEANING * meaning + WORDS * words + FIGURES * _figure_overlap(profiles))
    distances = settled(np.clip((distances + distances.T) / 2, 0.0, 1.0))
    same = _same_text(profiles)
    distances[same] = 0.0
    return distances


class DistanceRows:
    """The rows of `joint_distances` one by one, for many claims of which few are compared with all others.

    All distances of a ledger of thousands of claims grow with the square of their number, and so does the table of
    their words; a cycle compares what it says with what is held, and never two held claims.

    Args:
        profiles: n claims.
        rows: (n, dim) float32, their unit rows.
    """

    def __init__(self, profiles: Sequence[Profile], rows: FloatArray) -> None:
        self._rows = rows.astype(np.float64)
        self._words = lexical.sparse_tfidf([sorted(profile.terms) for profile in profiles])
        self._figures = lexical.SparseRows([dict.fromkeys(sorted(profile.figures), 1.0) for profile in profiles])
        self._counts = np.array([len(profile.figures) for profile in profiles], dtype=np.float64)
        self._texts = np.array([profile.text for profile in profiles], dtype=object)

    def row(self, place: int) -> Vector:
        """The distances of one claim to all, in 0..1, shape (n,); 0 to itself and to its own words."""
        meaning = np.clip(self._rows @ self._rows[place], 0.0, 1.0)
        words = np.clip(self._words.products(place), 0.0, 1.0)
        shared = self._figures.products(place)
        either = self._counts + self._counts[place] - shared
        figures = np.divide(shared, either, out=np.full_like(shared, NO_FIGURES), where=either > 0)
        found = settled(np.clip(1 - (MEANING * meaning + WORDS * words + FIGURES * figures), 0.0, 1.0))
        found[self._texts == self._texts[place]] = 0.0
        return found


def _figure_overlap(profiles: Sequence[Profile]) -> Matrix:
    """Jaccard index of figure sets, shape (n, n); NO_FIGURES where both are empty."""
    figures = sorted(set[str]().union(*(profile.figures for profile in profiles)))
    rows = lexical.weighted_rows([sorted(profile.figures) for profile in profiles], dict.fromkeys(figures, 1.0))
    shared = rows @ rows.T
    counts = rows.sum(axis=1)
    either = counts[:, None] + counts[None, :] - shared
    return np.divide(shared, either, out=np.full_like(shared, NO_FIGURES), where=either > 0)


def _same_text(profiles: Sequence[Profile]) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    texts = np.array([profile.text for profile in profiles], dtype=object)
    return np.asarray(texts[:, None] == texts[None, :], dtype=np.bool_).reshape(len(texts), len(texts))
