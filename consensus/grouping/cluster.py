"""Grouping claims by distance, under pairs that must never share a group.

Both methods honour the cannot-link pairs: no group they return contains one. Groups are tuples of row numbers in
ascending order, ordered by their first row; every row is in exactly one group.
"""

from collections.abc import Callable

import numpy as np

from consensus.embedding.vectors import BoolMatrix, Matrix, settled

Groups = tuple[tuple[int, ...], ...]

FORBIDDEN = np.inf


def _checked(distances: Matrix, cannot_link: BoolMatrix) -> None:
    n = len(distances)
    if distances.shape != (n, n) or cannot_link.shape != (n, n):
        message = f"distances {distances.shape} and cannot_link {cannot_link.shape} must be square and of one size"
        raise ValueError(message)
    if not np.all(np.isfinite(distances)) or bool((distances < 0).any()):
        message = "distances must be finite and not negative"
        raise ValueError(message)
    if not (np.array_equal(distances, distances.T) and np.array_equal(cannot_link, cannot_link.T)):
        message = "distances and cannot_link must be symmetric"
        raise ValueError(message)
    if bool(np.diagonal(cannot_link).any()):
        message = "a row cannot be kept apart from itself; clear the diagonal of cannot_link"
        raise ValueError(message)


def average_linkage(distances: Matrix, cannot_link: BoolMatrix, cut: float) -> Groups:
    """Constrained average linkage (UPGMA): merge the two nearest groups until none are closer than `cut`.

    The distance of two groups is the mean over their pairs (Sokal and Michener 1958), kept up to date by the
    Lance-Williams recurrence d(k, i+j) = (n_i d(k, i) + n_j d(k, j)) / (n_i + n_j). A forbidden pair is at infinite
    distance, and a mean with an infinite term is infinite, so a merge that would join one is never considered.
    Ties are broken by the lowest row numbers. Time O(n^2) a merge at worst, memory O(n^2).
    """
    return _linkage(distances, cannot_link, cut, _mean)


def complete_linkage(distances: Matrix, cannot_link: BoolMatrix, cut: float) -> Groups:
    """Constrained complete linkage: as average linkage, but no pair of a group is farther apart than `cut`.

    The distance of two groups is the greatest over their pairs: d(k, i+j) = max(d(k, i), d(k, j)).
    """
    return _linkage(distances, cannot_link, cut, _greatest)


_Merged = Callable[[Matrix, Matrix, int, int], Matrix]


def _mean(left: Matrix, right: Matrix, many: int, others: int) -> Matrix:
    return settled((many * left + others * right) / (many + others))


def _greatest(left: Matrix, right: Matrix, _many: int, _others: int) -> Matrix:
    return np.maximum(left, right)


def _linkage(distances: Matrix, cannot_link: BoolMatrix, cut: float, merge: _Merged) -> Groups:
    _checked(distances, cannot_link)
    n = len(distances)
    if n == 0:
        return ()
    between = np.where(cannot_link, FORBIDDEN, distances).astype(np.float64)
    np.fill_diagonal(between, FORBIDDEN)
    members: list[list[int]] = [[row] for row in range(n)]
    nearest = np.argmin(between, axis=1)
    lowest = between[np.arange(n), nearest]
    while n > 1:
        left = int(np.argmin(lowest))
        if not lowest[left] <= cut:
            break
        right = int(nearest[left])
        left, right = min(left, right), max(left, right)
        merged = merge(between[left], between[right], len(members[left]), len(members[right]))
        merged[[left, right]] = FORBIDDEN
        between[left], between[:, left] = merged, merged
        between[right], between[:, right] = FORBIDDEN, FORBIDDEN
        members[left] += members[right]
        members[right] = []
        # Rows whose nearest was touched can have a farther nearest now.
        stale = np.flatnonzero((nearest == left) | (nearest == right))
        for row in {left, right, *stale.tolist()}:
            nearest[row] = np.argmin(between[row])
            lowest[row] = between[row, nearest[row]]
        closer = merged < lowest
        nearest[closer], lowest[closer] = left, merged[closer]
    return _ordered([sorted(rows) for rows in members if rows])


def _ordered(groups: list[list[int]]) -> Groups:
    return tuple(tuple(rows) for rows in sorted(groups))


class CompleteLinkage:
    """Complete linkage with a calibrated cut: how claims are grouped (docs/adr/0018).

    Args:
        cut: Distance up to which any two members of a group may be apart.
    """

    def __init__(self, cut: float) -> None:
        self._cut = cut

    @property
    def name(self) -> str:
        """Method, cut and version."""
        return f"complete-linkage/1 cut={self._cut:g}"

    def group(self, distances: Matrix, cannot_link: BoolMatrix) -> Groups:
        """Groups of the rows of a symmetric (n, n) distance matrix with zero diagonal; n may be 0.

        Args:
            distances: Distances, 0 or more.
            cannot_link: Symmetric (n, n); True where two rows must not share a group.
        """
        return complete_linkage(distances, cannot_link, self._cut)
