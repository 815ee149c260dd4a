"""Which pairs of claims rules cannot tell: those near the grouping threshold, and those a guard is not sure about.

A pair far inside the threshold with no veto is the same claim, one far outside is another, and one whose veto says
that the two are opposed stays apart. What is left is the ambiguous band: it may be put to an adjudicator, and where
there is none the grouping decides as it would anyway.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from consensus.guards import same_subject, vetoes
from consensus.profile import Profile
from consensus.vectors import Matrix

BAND = 0.06
"""Joint distance (0..1) on either side of the threshold in which one word more or less decides."""


class Doubt(StrEnum):
    """Why a pair is not clear."""

    THRESHOLD = "threshold"
    """No guard objects, and the distance is about the one at which claims begin to differ."""

    GUARD = "guard"
    """Near enough to be one claim, and a guard keeps them apart that does not find them opposed."""


@dataclass(frozen=True, slots=True)
class AmbiguousPair:
    """Two claims that rules cannot tell.

    Attributes:
        left: Place of the one, the lower.
        right: Place of the other.
        distance: Their joint distance (0..1).
        doubt: Which doubt it is.
        detail: What they differ in, in words; empty for a threshold.
    """

    left: int
    right: int
    distance: float
    doubt: Doubt
    detail: str = ""


def ambiguous_pairs(
    profiles: Sequence[Profile],
    distances: Matrix,
    cut: float,
    *,
    band: float = BAND,
    most: int | None = None,
    members: Sequence[str] | None = None,
) -> tuple[AmbiguousPair, ...]:
    """The pairs worth a question, the least clear (nearest to the threshold) first; each pair of texts once.

    Args:
        profiles: n claims.
        distances: (n, n) joint distances in 0..1, symmetric.
        cut: The threshold of the grouping (`Calibration.same_claim` or the policy's own).
        band: Distance on either side of the threshold that counts as near it; 0 or more.
        most: Pairs returned at most; all when None.
        members: Who said each claim; pairs of one member are left out, since it tells them apart. None: all are kept.

    Raises:
        ValueError: A negative band.
    """
    if band < 0:
        message = f"band {band!r} must be 0 or more"
        raise ValueError(message)
    reach = np.triu(distances <= cut + band, 1)
    found: dict[tuple[str, ...], AmbiguousPair] = {}
    for left, right in np.argwhere(reach).tolist():
        if members is not None and members[left] == members[right]:
            continue
        pair = _pair(profiles, left, right, float(distances[left, right]), cut - band)
        if pair is not None:
            found.setdefault(tuple(sorted((profiles[left].text, profiles[right].text))), pair)
    ordered = sorted(found.values(), key=lambda pair: (abs(pair.distance - cut), pair.left, pair.right))
    return tuple(ordered[:most])


def _pair(profiles: Sequence[Profile], left: int, right: int, distance: float, low: float) -> AmbiguousPair | None:
    """This pair if it is not clear. `low` is the distance from which on a pair without veto is unclear."""
    a, b = profiles[left], profiles[right]
    if a.text == b.text:
        return None
    against = vetoes(a, b)
    if not against:
        return AmbiguousPair(left, right, distance, Doubt.THRESHOLD) if distance >= low else None
    if any(veto.opposed for veto in against) and same_subject(a, b):
        return None  # opposed about one thing: nothing to ask
    detail = "; ".join(f"{veto.guard}: {veto.detail}" for veto in against)
    return AmbiguousPair(left, right, distance, Doubt.GUARD, detail)
