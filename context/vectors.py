"""The vectors of a conversation's texts in memory: float16 rows that grow, and the cosines of a query with them.

Up to EXACT rows every cosine is computed. Above, the signs of the coordinates (one bit each) choose the LOOKED_AT rows
that differ least, and cosines are computed of those alone: float16 takes a processor longest to unfold. Charikar,
"Similarity Estimation Techniques from Rounding Algorithms" (2002): signs that agree estimate the angle.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

EXACT = 8192
"""Rows up to which every cosine is computed."""
LOOKED_AT = 2048
"""Rows whose cosines are computed where there are more."""
LEAST_ROOM = 64
"""Rows there is room for at first; the room doubles."""

Rows = NDArray[np.float32]


class Near(NamedTuple):
    """Texts by number with the cosine of their nearest passage, shape (n,) each; a text stands once."""

    texts: NDArray[np.intp]
    cosines: NDArray[np.float32]


def halved(rows: Rows) -> list[bytes]:
    """Unit rows as they are stored: little-endian float16."""
    return [row.tobytes() for row in rows.astype("<f2")]


class VectorRows:
    """Rows of one embedder, each the vector of a text or of one of its passages.

    Args:
        dimension: Of every row.
    """

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension
        self._count = 0
        self._rows = np.zeros((LEAST_ROOM, dimension), dtype=np.float16)
        self._signs = np.zeros((LEAST_ROOM, -(-dimension // 64)), dtype=np.uint64)
        self._texts = np.zeros(LEAST_ROOM, dtype=np.intp)

    def __len__(self) -> int:
        """How many rows."""
        return self._count

    @property
    def nbytes(self) -> int:
        """How much memory it takes (bytes)."""
        return self._rows.nbytes + self._signs.nbytes + self._texts.nbytes

    def add(self, texts: Sequence[int], data: Sequence[bytes]) -> None:
        """Add rows and whose they are. Raises ValueError for bytes that are no row of this dimension."""
        if not data:
            return
        if any(len(one) != 2 * self.dimension for one in data):
            message = f"a stored vector has not the {2 * self.dimension} bytes of {self.dimension} float16 numbers"
            raise ValueError(message)
        self._make_room(self._count + len(data))
        end = self._count + len(data)
        rows = np.frombuffer(b"".join(data), dtype="<f2").reshape(len(data), self.dimension)
        self._rows[self._count : end] = rows
        self._signs[self._count : end] = self._signs_of(rows)
        self._texts[self._count : end] = texts
        self._count = end

    def near(self, query: Rows, least: float) -> Near:
        """The texts whose cosine with a unit vector, shape (dimension,), is at least `least`, the nearest first."""
        looked_at = self._candidates(query)
        cosines = self._rows[looked_at].astype(np.float32) @ query.astype(np.float32)
        order = np.argsort(-cosines, kind="stable")
        order = order[cosines[order] >= least]
        texts = self._texts[looked_at[order]]
        _, first = np.unique(texts, return_index=True)
        first.sort()
        return Near(texts[first], cosines[order][first])

    def _candidates(self, query: Rows) -> NDArray[np.intp]:
        if self._count <= EXACT:
            return np.arange(self._count, dtype=np.intp)
        differing = np.bitwise_xor(self._signs[: self._count], self._signs_of(query[np.newaxis]))
        distances = np.bitwise_count(differing).sum(axis=1, dtype=np.uint16)
        return np.sort(np.argpartition(distances, LOOKED_AT)[:LOOKED_AT])

    def _signs_of(self, rows: NDArray[np.floating[Any]]) -> NDArray[np.uint64]:
        """One bit a coordinate, whether it is above zero, in words of 64."""
        bits = np.zeros((len(rows), 64 * self._signs.shape[1]), dtype=np.bool_)
        bits[:, : self.dimension] = rows > 0
        return np.packbits(bits, axis=1).view(np.uint64)

    def _make_room(self, wanted: int) -> None:
        room = len(self._texts)
        if wanted <= room:
            return
        more = max(wanted, 2 * room) - room
        self._rows = np.concatenate((self._rows, np.zeros((more, self.dimension), dtype=np.float16)))
        self._signs = np.concatenate((self._signs, np.zeros((more, self._signs.shape[1]), dtype=np.uint64)))
        self._texts = np.concatenate((self._texts, np.zeros(more, dtype=np.intp)))
