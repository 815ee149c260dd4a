"""Several rankings as one: reciprocal rank fusion. Pure.

Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning Methods"
(SIGIR 2009): a text scores the sum of 1 / (k + rank) over the rankings it stands in, with k = 60. Ranks alone count, so
the scores of different rankings need not be comparable. The weights are not of the paper: a ranking's shares are
multiplied by its weight.
"""

from collections.abc import Sequence

K = 60
"""How little it counts to be first rather than second."""


def fused(rankings: Sequence[tuple[float, Sequence[int]]], k: int = K) -> dict[int, float]:
    """The score of each text that stands in a ranking, each with its weight; ranks count from 1."""
    scores: dict[int, float] = {}
    for weight, ranking in rankings:
        for rank, text in enumerate(ranking, start=1):
            scores[text] = scores.get(text, 0.0) + weight / (k + rank)
    return scores
