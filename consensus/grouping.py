"""Grouping under guards: no group holds a pair that a guard vetoes, and no two groups say the same."""

from collections.abc import Sequence

import numpy as np

from consensus.cluster import Grouping, Groups
from consensus.guards import GuardRule, vetoed
from consensus.profile import Profile
from consensus.vectors import BoolMatrix, Matrix

REACH = 0.6
"""Joint distance (0..1) up to which all pairs are checked at once; farther pairs only when they meet in a group."""


def group_under_guards(
    grouping: Grouping, distances: Matrix, profiles: Sequence[Profile], guards: Sequence[GuardRule] | None = None
) -> Groups:
    """Groups of n claims in which no pair is vetoed.

    Checking every pair would cost more than it helps, since most claims are far apart: near pairs are checked first,
    then every pair that shares a group, until nothing new is forbidden. Each round forbids at least one pair more, so
    it ends.

    Args:
        grouping: The method.
        distances: (n, n) joint distances.
        profiles: The n claims' profiles.
        guards: The guards asked; all when None.
    """
    n = len(profiles)
    checked = np.eye(n, dtype=np.bool_)
    forbidden = np.zeros((n, n), dtype=np.bool_)
    _check(np.argwhere(np.triu(distances < REACH, 1)).tolist(), profiles, checked, forbidden, guards)
    while True:
        groups = grouping.group(distances, forbidden)
        together = [
            [left, right]
            for group in groups
            for place, left in enumerate(group)
            for right in group[place + 1 :]
            if not checked[left, right]
        ]
        if not _check(together, profiles, checked, forbidden, guards):
            return groups


def _check(
    pairs: Sequence[Sequence[int]],
    profiles: Sequence[Profile],
    checked: BoolMatrix,
    forbidden: BoolMatrix,
    guards: Sequence[GuardRule] | None,
) -> bool:
    """Mark these pairs as checked and the vetoed ones as forbidden; whether any was vetoed."""
    any_vetoed = False
    for left, right in pairs:
        checked[left, right] = checked[right, left] = True
        if vetoed(profiles[left], profiles[right], guards):
            forbidden[left, right] = forbidden[right, left] = any_vetoed = True
    return any_vetoed
