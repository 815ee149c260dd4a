"""A few sentences that somebody says in one go: what bears a claim by itself, when one sentence does not."""

from typing import NamedTuple

import numpy as np

from consensus.vectors import BoolMatrix, Matrix

SENTENCES = 3
"""Stretches of a passage: people say a thing in one sentence, and its figure or its reason in the next."""


class Rows(NamedTuple):
    """Where m stretches stand.

    Attributes:
        spoken: Whether each is somebody's own words, shape (m,).
        turns: The turn of each, shape (m,).
    """

    spoken: BoolMatrix
    turns: np.ndarray[tuple[int], np.dtype[np.int64]]

    def of(self, place: int) -> list[int]:
        """The rows of the passage that begins at a row."""
        rows = range(place, min(place + SENTENCES, len(self.turns)))
        return [row for row in rows if self.spoken[row] and self.turns[row] == self.turns[place]]

    def gathered(self, values: Matrix) -> Matrix:
        """The best of each value over the passage that begins at each row; 0 where nothing is spoken.

        Args:
            values: One row of values 0 or more for each stretch, shape (m, k).
        """
        own = np.where(self.spoken[:, None], values, 0.0)
        found = own.copy()
        for ahead in range(1, min(SENTENCES, len(own))):
            same = (self.turns[ahead:] == self.turns[:-ahead])[:, None]
            found[:-ahead] = np.maximum(found[:-ahead], np.where(same, own[ahead:], 0.0))
        return found
