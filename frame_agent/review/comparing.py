"""What the review must know of wordings and cannot read itself: it is given it, since it knows no consensus."""

from collections.abc import Callable
from dataclasses import dataclass

from dissolution.claims import Claim


@dataclass(frozen=True, slots=True)
class Comparing:
    """How texts compare.

    Attributes:
        same: Whether two texts mean the same: near each other, and no typed value keeps them apart.
        apart: Whether typed values or denials keep two texts apart.
        timed: A claim with the temporal class and instants of its words.
    """

    same: Callable[[str, str], bool]
    apart: Callable[[str, str], bool]
    timed: Callable[[Claim], Claim]
