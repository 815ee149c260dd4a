"""Topic shift: TextTiling over embeddings, turn by turn.

Hearst (1997) compares blocks of words on both sides of a gap and puts a boundary where similarity falls into a valley.
Here the blocks are weighted sums of turns' embeddings, with half of the conversation's own mean taken off, which all of
its topics share. Talk before a gap is long and talk after it is short, so that a change is found soon. A gap counts
when the distance across it stands `depth` above the least since the last change and has fallen again by half of that:
what Hearst reads off both sides of a valley afterwards, decided while the talk goes on.
"""

import struct
from dataclasses import dataclass

import numpy as np

from triggers.talk import Cell, Row, Talk, cosine, stretch

NAME = "tiling-1"
MEAN_SHARE = 0.5  # of the conversation's mean that is taken off both sides
FALL = 0.5  # share of the depth by which the distance must have fallen again
NONE = float("nan")  # inside this module alone: no gap was measured yet
_STATE = struct.Struct("<dddIQQ")


@dataclass(frozen=True)
class Shift:
    """A change of topic: the first turn of the new topic, and how far its gap stands out."""

    turn: int
    depth: float


@dataclass
class _Search:
    """Where the search for the next change stands."""

    least: float = NONE  # distance since the last change
    most: float = NONE  # after the least
    gap: float = NONE  # the newest
    turn: int = 0  # behind the gap with the most
    tokens: int = 0  # of the talk at that gap
    changed: int = 0  # tokens of the talk at the last change


class Topics:
    """Finds changes of topic.

    Args:
        before_tokens: Tokens of the stretch before a gap.
        after_tokens: Tokens of the stretch after it.
        depth: How far the distance must stand out, above 0.
        min_topic_tokens: Tokens between two changes at least.
    """

    def __init__(self, before_tokens: int, after_tokens: int, depth: float, min_topic_tokens: int) -> None:
        self._before = before_tokens
        self._after = after_tokens
        self._depth = depth
        self._min_topic = min_topic_tokens
        self._search = _Search()

    @property
    def gap(self) -> float | None:
        """The newest distance across a gap, 0..2."""
        return None if np.isnan(self._search.gap) else self._search.gap

    def after(self, talk: Talk) -> Shift | None:
        """The change that has become certain with the cell that was just closed; to be called once a cell."""
        measured = self._measure(talk)
        if measured is None:
            return None
        gap, cell, tokens = measured
        search = self._search
        search.gap = gap
        if np.isnan(search.least):
            search.least = gap
        if gap > search.least and not search.most >= gap:
            search.most, search.turn, search.tokens = gap, cell.first, tokens
        stands_out = search.most - search.least
        if stands_out >= self._depth and search.most - gap >= FALL * self._depth:
            return self._decide(gap, stands_out)
        if gap < search.least:
            search.least, search.most = gap, NONE
        return None

    def _decide(self, gap: float, stands_out: float) -> Shift | None:
        search = self._search
        far_enough = search.tokens - search.changed >= self._min_topic
        found = Shift(turn=search.turn, depth=stands_out) if far_enough else None
        if found:
            search.changed = search.tokens
        search.least, search.most = gap, NONE
        return found

    def _measure(self, talk: Talk) -> tuple[float, Cell, int] | None:
        """Distance across the newest gap with enough talk behind it, the cell behind it, and the tokens before it."""
        newest_first = list(reversed(talk.closed))
        behind = stretch(newest_first, self._after)
        before = stretch(newest_first[len(behind) :], self._before)
        after_tokens = sum(cell.tokens for cell in behind)
        if after_tokens < self._after or sum(cell.tokens for cell in before) < self._before:
            return None
        mean = talk.total * np.float32(MEAN_SHARE / max(1, talk.cells))
        found = cosine(_off(before, mean), _off(behind, mean))
        return None if found is None else (1.0 - found, behind[-1], talk.tokens - after_tokens)

    def memory(self) -> bytes:
        """Where the search stands: 44 bytes."""
        one = self._search
        return _STATE.pack(one.least, one.most, one.gap, one.turn, one.tokens, one.changed)

    def restore(self, memory: bytes) -> bytes:
        """Take over what `memory` gave, and give back what stands behind it. Raises ValueError."""
        if len(memory) < _STATE.size:
            message = f"{len(memory)} bytes hold no search for topics; begin anew"
            raise ValueError(message)
        self._search = _Search(*_STATE.unpack_from(memory))
        return memory[_STATE.size :]


def _off(cells: list[Cell], mean: Row) -> Row:
    """The sum of cells with so much of the mean taken off each."""
    total = -mean * np.float32(len(cells))
    for cell in cells:
        total += cell.total
    return total
