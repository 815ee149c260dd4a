"""Drift: the cosine distance between recent talk and the last committed boundary.

Before the first boundary the opening of the conversation stands in its place. A boundary is met in two forms: the talk
it was cut from, and its claims; the nearer one counts, so that going on with either is no drift. Cost and memory of a
turn do not grow with the conversation.
"""

import struct
from collections.abc import Sequence

import numpy as np

from dissolution.values import Measured, NotMeasured
from triggers.talk import Row, Talk, cosine

NAME = "centroid-1"
MOST_ANCHORS = 2
NO_OPENING = NotMeasured(not_measured="the opening of the conversation is not complete")
_HEAD = struct.Struct("<B")


class Drift:
    """How far the talk is from where it was last held fast.

    Args:
        window_tokens: Tokens of recent talk, and of the opening.
    """

    def __init__(self, window_tokens: int) -> None:
        self._window = window_tokens
        self._anchors: tuple[Row, ...] = ()

    def after(self, talk: Talk) -> Measured:
        """The distance, 0..2, after a turn was taken in."""
        if not self._anchors:
            if talk.tokens < self._window:
                return NO_OPENING
            self.hold((talk.recent(self._window),))
        recent = talk.recent(self._window)
        found = [value for anchor in self._anchors if (value := cosine(recent, anchor)) is not None]
        return 1.0 - max(found) if found else NO_OPENING

    def hold(self, anchors: Sequence[Row]) -> None:
        """Measure from here on against these rows (any length, at most two): a boundary was committed."""
        self._anchors = tuple(row.astype(np.float32) for row in anchors if bool(np.any(row)))[:MOST_ANCHORS]

    def memory(self) -> bytes:
        """The anchors."""
        return _HEAD.pack(len(self._anchors)) + b"".join(row.astype("<f4").tobytes() for row in self._anchors)

    def restore(self, memory: bytes, dimension: int) -> bytes:
        """Take over what `memory` gave, and give back what stands behind it. Raises ValueError."""
        width = 4 * dimension
        count = memory[0] if memory else 0
        end = _HEAD.size + count * width
        if not memory or len(memory) < end:
            message = f"{len(memory)} bytes hold no anchors; begin anew"
            raise ValueError(message)
        starts = range(_HEAD.size, end, width)
        self._anchors = tuple(np.frombuffer(memory[at : at + width], dtype="<f4").copy() for at in starts)
        return memory[end:]
