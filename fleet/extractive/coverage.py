"""Method "coverage": the sentences whose embeddings together stand nearest to everything that was said."""

from heapq import heapify, heappop, heappush

import numpy as np
from numpy.typing import NDArray

from dissolution.checking import check, each
from dissolution.findings import Vectors
from dissolution.ports.models import Embedder
from fleet.extractive.units import Reading, voice

BASE = 0.05  # what a sentence wants to be stood for though no other turn uses its words
DIGITS = 6  # gains are compared to this precision, so that summation order cannot decide a tie
BLOCK = 256  # rows whose first gain is computed at once: memory grows with the sentences, not with their square
MOST = 400  # picks; what is left then stands near one of them
LEAST_WORDS = 7  # below these a sentence is no cheaper
LENGTH_POWER = 0.6  # gains are divided by words to this power: a budget of words is spent where a word stands for most


class Coverage:
    """Greedy facility location over the embeddings of the sentences.

    Each pick adds the most to F(S) = Σ_i w_i · max_{j in S} cos(i, j), the objective of k-medoids with its
    (1 - 1/e) greedy bound (Nemhauser, Wolsey and Fisher 1978), so redundancy is removed by construction.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def __call__(self, reading: Reading) -> list[float]:
        """Scores in order of picking: the first gets 1, later ones less, those not picked 0."""
        units = reading.units
        if not units:
            return []
        rows = as_rows(self._embedder.embed([unit.quote for unit in units]))
        weight = np.array([reading.topicality(unit) * voice(unit) for unit in units]) + BASE
        price = np.array([max(LEAST_WORDS, unit.size) ** LENGTH_POWER for unit in units])
        picks = facility_location(rows, weight, price, MOST)
        scores = [0.0] * len(units)
        for place, pick in enumerate(picks):
            scores[pick] = 1.0 - place / (len(picks) + 1)
        return scores


def as_rows(vectors: Vectors) -> NDArray[np.float32]:
    """The vectors as an array of shape (count, dimension), float32, unit rows."""
    rows = np.frombuffer(vectors.data, dtype="<f4").reshape(vectors.count, vectors.stamp.dimension)
    return rows.astype(np.float32)


def facility_location(
    rows: NDArray[np.float32], weight: NDArray[np.float64], price: NDArray[np.float64], most: int
) -> list[int]:
    """Places of up to `most` rows in the order of their gain for their price; ties go to the lowest place.

    What a row gains never grows as others are picked, so only rows whose old gain still leads are looked at again
    (Minoux 1978).

    Args:
        rows: (n, dimension), unit rows; how well one stands for another is their cosine, at least 0.
        weight: (n,), how much row i wants to be stood for.
        price: (n,), above 0: what row j costs.
        most: picks at most; 0 or more.
    """
    covered = np.zeros(len(weight))

    def gain(first: int, last: int) -> NDArray[np.float64]:
        offered = np.clip(rows @ rows[first:last].T, 0.0, 1.0).astype(np.float64)
        gained: NDArray[np.float64] = np.maximum(offered - covered[:, None], 0.0).T @ weight
        return (gained / price[first:last]).round(DIGITS)

    blocks = (gain(start, start + BLOCK) for start in each(range(0, len(weight), BLOCK)))
    queue = [(-float(value), place) for place, value in enumerate(value for block in blocks for value in block)]
    heapify(queue)
    picks: list[int] = []
    while queue and len(picks) < most:
        check()
        _, place = heappop(queue)
        found = float(gain(place, place + 1)[0])
        if queue and (-found, place) > queue[0]:
            heappush(queue, (-found, place))
        elif found <= 0:
            break
        else:
            picks.append(place)
            covered = np.maximum(covered, np.clip(rows @ rows[place], 0.0, 1.0))
    return picks
