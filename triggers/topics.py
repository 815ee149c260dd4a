"""Topic shift: a test for a change in what the talk is about, turn by turn.

A topic is a stretch whose cells lie around one mean. After each cell the open topic is split in two at every gap among
its newest cells, and the split that explains most is tested: the generalised likelihood ratio for a change of mean
(Siegmund and Venkatraman, 1995) over embeddings, as kernel change-point detection uses it (Harchaoui and Cappé, 2007).
A change counts when what the split explains stands out from the scatter of the talk itself, so that loose talk needs
more of a change than dense talk. It is recorded where the split lies, not where it was noticed. What is older than the
newest cells is one sum: cost and memory of a turn do not grow with the topic.
"""

import struct
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dissolution.policy.calibration import CALIBRATION
from triggers.talk import Row, Talk, TalkCell

NAME = "change-1"
PER_TOKENS = 1000.0
"""A depth of 1 explains as much as the scatter of so many tokens."""
LEAST_SCATTER = CALIBRATION.triggers.least_scatter
NONE = float("nan")  # inside this module alone: no gap was measured yet
_STATE = struct.Struct("<dQQ")

Sums = NDArray[np.float64]
"""Shape (count, dimension): sums of unit rows, each weighted with the tokens of its cell."""


@dataclass(frozen=True)
class Shift:
    """A change of topic: the first turn of the new topic, and how far it stands out."""

    turn: int
    depth: float


class Topics:
    """Finds changes of topic.

    Args:
        before_tokens: Tokens of the open topic before a change at least, above 0.
        after_tokens: Tokens behind it at least, above 0.
        within_tokens: A change is looked for among so many newest tokens.
        depth: How far it must stand out, above 0.
        dimension: Of the rows.
    """

    def __init__(
        self, before_tokens: int, after_tokens: int, within_tokens: int, depth: float, *, dimension: int
    ) -> None:
        self._before = before_tokens
        self._after = after_tokens
        self._within = within_tokens
        self._depth = depth
        self._gap = NONE
        self._from = 0  # the number of cells before the first one that stands by itself
        self._tokens = 0  # of the open topic's older cells
        self._sum: Row = np.zeros(dimension, dtype=np.float32)  # of the same

    @property
    def gap(self) -> float | None:
        """How far the best split of the open topic stands out, 0 or more."""
        return None if np.isnan(self._gap) else self._gap

    def after(self, talk: Talk) -> Shift | None:
        """The change that has become certain with the cell that was just closed; to be called once a cell."""
        cells = self._newest(talk)
        found = self._best(cells)
        if found is None:
            return None
        place, self._gap, is_newest = found
        if self._gap < self._depth or is_newest:  # the best gap may be one that is too new to be tested yet
            return None
        self._from += place
        self._tokens = 0
        self._sum = np.zeros_like(self._sum)
        return Shift(turn=cells[place].first, depth=self._gap)

    def _newest(self, talk: Talk) -> list[TalkCell]:
        """The open topic's cells among which a change is looked for; those that are too old are summed up."""
        cells = list(talk.closed)[self._from - talk.cells :]
        held = sum(cell.tokens for cell in cells)
        while held - cells[0].tokens >= self._within:
            oldest = cells.pop(0)
            held -= oldest.tokens
            self._sum += _directions([oldest])[0].astype(np.float32)
            self._tokens += oldest.tokens
            self._from += 1
        return cells

    def _best(self, cells: list[TalkCell]) -> tuple[int, float, bool] | None:
        """The place of the cell with which a new topic would begin, how far it stands out, and if it is the newest.

        None where there is too little talk on both sides of any gap.

        With sums s of unit rows over t tokens on both sides, a split explains |s1|^2/t1 + |s2|^2/t2 - |s|^2/t, and the
        scatter of a token is 1 - |s|^2/t^2. By hand: 600 tokens along one axis and 400 along another explain
        600 + 400 - 520 = 480, the scatter is 0.48, and 480 / (1000 * 0.48) = 1.
        """
        sums = np.cumsum(_directions(cells), axis=0)
        tokens = np.cumsum([cell.tokens for cell in cells])
        first = self._sum.astype(np.float64) + np.vstack([np.zeros_like(sums[:1]), sums[:-1]])
        before = (self._tokens + np.concatenate([[0], tokens[:-1]])).astype(np.float64)
        whole, total = self._sum.astype(np.float64) + sums[-1], float(self._tokens + tokens[-1])
        places = np.flatnonzero((before >= self._before) & (total - before >= self._after))
        if not len(places):
            return None
        one, two = first[places], whole - first[places]
        shared = float(whole @ whole) / total
        explained = (one * one).sum(axis=1) / before[places] + (two * two).sum(axis=1) / (total - before[places])
        scatter = max(LEAST_SCATTER, 1.0 - shared / total)
        best = int(np.argmax(explained))
        depth = (float(explained[best]) - shared) / (PER_TOKENS * scatter)
        return int(places[best]), max(0.0, depth), best == len(places) - 1

    def memory(self) -> bytes:
        """Where the search stands: 24 bytes and a row."""
        return _STATE.pack(self._gap, self._from, self._tokens) + self._sum.astype("<f4").tobytes()

    def restore(self, memory: bytes) -> bytes:
        """Take over what `memory` gave, and give back what stands behind it. Raises ValueError."""
        end = _STATE.size + 4 * len(self._sum)
        if len(memory) < end:
            message = f"{len(memory)} bytes hold no search for topics; begin anew"
            raise ValueError(message)
        self._gap, self._from, self._tokens = _STATE.unpack_from(memory)
        self._sum = np.frombuffer(memory[_STATE.size : end], dtype="<f4").copy()
        return memory[end:]


def _directions(cells: list[TalkCell]) -> Sums:
    """The direction of each cell, as long as it has tokens: shape (count, dimension)."""
    rows = np.stack([cell.total for cell in cells]).astype(np.float64)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    tokens = np.array([[cell.tokens] for cell in cells], dtype=np.float64)
    return rows * np.divide(tokens, lengths, out=np.zeros_like(lengths), where=lengths > 0)
