"""Method "centrality": PageRank over TF-IDF similarity of sentences (TextRank), biased to speech."""

import math

import numpy as np
from numpy.typing import NDArray

from fleet.extractive.candidates import Candidate, Reading

DAMPING = 0.85  # Brin and Page 1998; Mihalcea and Tarau 2004 keep it
ROUNDS = 60  # of power iteration: 0.85^60 < 1e-4
SPEECH, QUOTED = 1.0, 0.4  # restart weight: what people say themselves carries their understanding
SELF_SIMILAR = 0.9  # cosine from which two sentences are the same one repeated and lend each other nothing


def score(reading: Reading) -> list[float]:
    """PageRank of each candidate among all candidates, times its count, so that 1 is average."""
    candidates = reading.candidates
    if not candidates:
        return []
    similar = similarity(reading, candidates)
    similar[similar >= SELF_SIMILAR] = 0.0
    restart = np.array([QUOTED if candidate.quoted else SPEECH for candidate in candidates])
    ranks = page_rank(similar, restart / restart.sum()) * len(candidates)
    return [float(rank) for rank in ranks]


def similarity(reading: Reading, candidates: tuple[Candidate, ...]) -> NDArray[np.float64]:
    """Cosine of TF-IDF rows, shape (n, n), diagonal 0; a weight is (1 + ln tf) · rarity of the word."""
    columns = {term: place for place, term in enumerate(sorted({t for c in candidates for t in c.terms}))}
    rows = np.zeros((len(candidates), max(1, len(columns))))
    for place, candidate in enumerate(candidates):
        for term in set(candidate.terms):
            count = candidate.terms.count(term)
            rows[place, columns[term]] = (1 + math.log(count)) * reading.rarity(term)
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    rows /= np.where(norms > 0, norms, 1.0)
    similar: NDArray[np.float64] = rows @ rows.T
    np.fill_diagonal(similar, 0.0)
    return similar


def page_rank(weights: NDArray[np.float64], restart: NDArray[np.float64]) -> NDArray[np.float64]:
    """Stationary distribution, shape (n,), sum 1: r = (1 - d)·restart + d·(Wᵀr + dangling mass·restart).

    Args:
        weights: (n, n), not negative; row i says where node i sends its rank.
        restart: (n,), sum 1.
    """
    sums = weights.sum(axis=1)
    moves = weights / np.where(sums > 0, sums, 1.0)[:, None]
    rank = restart.copy()
    for _ in range(ROUNDS):
        lost = float(rank[sums == 0].sum())
        rank = (1 - DAMPING) * restart + DAMPING * (moves.T @ rank + lost * restart)
    return rank
