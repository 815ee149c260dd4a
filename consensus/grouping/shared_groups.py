"""Which statements may share a group: what the typed floor keeps apart, and what two members say best of each other.

Two statements of one member never share a group: of the labelled pairs that mean the same, one in two thousand comes
from a single answer, and who says two alike things one after the other tells them apart. Of two members each statement
may meet only the one of the other that is nearest to it, and only where the choice is mutual: where a member says a
thing and its neighbour, the neighbour is not taken for it.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from consensus.embedding.vectors import BoolMatrix, Matrix
from consensus.grouping.cluster import CompleteLinkage, Groups
from consensus.wording.profile import Profile
from consensus.wording.typed_floor import SLOTS, Slot, vetoed

FAR = 9.0  # farther than any distance


def kept_apart(
    distances: Matrix, profiles: Sequence[Profile], members: Sequence[str], cut: float, slots: Iterable[Slot] = SLOTS
) -> BoolMatrix:
    """Pairs of n statements that must not share a group, shape (n, n); the same words of any members may.

    Args:
        distances: (n, n) joint distances.
        profiles: The n statements.
        members: Who said each.
        cut: Distance above which no pair is joined anyway, and none is looked at.
        slots: What the typed floor looks at.
    """
    slots = frozenset(slots)
    forbidden = np.zeros(distances.shape, dtype=np.bool_)
    for left, right in np.argwhere(np.triu(distances <= cut, 1)).tolist():
        if vetoed(profiles[left], profiles[right], slots):
            forbidden[left, right] = forbidden[right, left] = True
    said = np.array(list(members), dtype=object)
    own = np.asarray(said[:, None] == said[None, :], dtype=np.bool_).reshape(distances.shape)
    apart = forbidden | own | ~_mutual(np.where(forbidden, FAR, distances), said)
    apart[distances == 0] = False
    return apart


def grouped(
    distances: Matrix, profiles: Sequence[Profile], members: Sequence[str], cut: float, slots: Iterable[Slot] = SLOTS
) -> Groups:
    """Groups of n statements by meaning: no two of a group are farther apart than `cut` or kept apart."""
    return CompleteLinkage(cut).group(distances, kept_apart(distances, profiles, members, cut, slots))


def _mutual(distances: Matrix, members: "np.ndarray[tuple[int], np.dtype[np.object_]]") -> BoolMatrix:
    """Whether each of two statements is the nearest of its member's to the other, shape (n, n)."""
    least = np.full(distances.shape, FAR)
    for member in sorted(set(members.tolist())):
        rows = np.flatnonzero(members == member)
        least[:, rows] = distances[:, rows].min(axis=1)[:, None]
    best = distances <= least
    return np.asarray(best & best.T, dtype=np.bool_)
