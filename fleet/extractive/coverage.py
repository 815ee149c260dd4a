"""Method "coverage": the statements whose embeddings together stand nearest to everything that was said."""

import numpy as np
from numpy.typing import NDArray

from dissolution.findings import Vectors
from dissolution.ports import Embedder
from fleet.extractive.candidates import Reading

QUOTED = 0.5  # what is passed on wants less to be stood for than what people say
DIGITS = 9  # gains are compared to this precision, so that summation order cannot decide a tie
MOST = 60  # picks; selection needs fewer than it can keep


class Coverage:
    """Greedy facility location over the embeddings of the candidates.

    Each pick adds the most to F(S) = Σ_i w_i · max_{j in S} cos(i, j), the objective of k-medoids with its
    (1 - 1/e) greedy bound (Nemhauser, Wolsey and Fisher 1978), so redundancy is removed by construction.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def __call__(self, reading: Reading) -> list[float]:
        """Scores in order of picking: the first gets 1, later ones less, those not picked 0."""
        candidates = reading.candidates
        if not candidates:
            return []
        rows = as_rows(self._embedder.embed([candidate.text for candidate in candidates]))
        fit = np.array([(0.0 if c.leaning else 1.0) for c in candidates])
        weight = np.array([reading.topicality(c) * (QUOTED if c.quoted else 1.0) for c in candidates]) + 0.05
        picks = facility_location(np.clip(rows @ rows.T, 0.0, 1.0), weight, fit, MOST)
        scores = [0.0] * len(candidates)
        for place, pick in enumerate(picks):
            scores[pick] = 1.0 - place / (len(picks) + 1)
        return scores


def as_rows(vectors: Vectors) -> NDArray[np.float32]:
    """The vectors as an array of shape (count, dimension), float32, unit rows."""
    rows = np.frombuffer(vectors.data, dtype="<f4").reshape(vectors.count, vectors.stamp.dimension)
    return rows.astype(np.float32)


def facility_location(
    similar: NDArray[np.float32], weight: NDArray[np.float64], fit: NDArray[np.float64], most: int
) -> list[int]:
    """Places of up to `most` rows in the order of their gain; ties go to the lowest place.

    Args:
        similar: (n, n), 0..1.
        weight: (n,), how much row i wants to be stood for.
        fit: (n,), 0..1, how well row j may stand for others.
        most: picks at most; 0 or more.
    """
    covered = np.zeros(len(weight))
    offered = similar.astype(np.float64) * fit[None, :]
    picks: list[int] = []
    for _ in range(min(most, len(weight))):
        gains: NDArray[np.float64] = (np.maximum(offered - covered[:, None], 0.0) * weight[:, None]).sum(axis=0)
        gains[picks] = -1.0
        best = int(gains.round(DIGITS).argmax())
        if gains[best] <= 0:
            break
        picks.append(best)
        covered = np.maximum(covered, offered[:, best])
    return picks
