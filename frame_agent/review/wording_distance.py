"""What the review must know of wordings and cannot read itself: it is given it, since it knows no consensus."""

from collections.abc import Callable
from dataclasses import dataclass

from dissolution.claims import Claim


@dataclass(frozen=True, slots=True)
class Comparing:
    """How texts compare. Typed values and denials that differ keep two texts apart, however near they are.

    Attributes:
        same: Whether two texts are one claim: as near as the consensus groups them.
        near: Whether two texts more often say the same than not, which points and decides nothing.
        retold: Whether two texts that rest on the same words of a turn may tell the same; the order of their words does
            not part them then.
        apart: Whether typed values or denials keep two texts apart.
        timed: A claim with the temporal class and instants of its words.
    """

    same: Callable[[str, str], bool]
    near: Callable[[str, str], bool]
    retold: Callable[[str, str], bool]
    apart: Callable[[str, str], bool]
    timed: Callable[[Claim], Claim]
