"""How near texts are to others, by any embedder: cosines of unit rows, with the standard library alone."""

import array
import sys
from collections.abc import Sequence

from dissolution.findings import Vectors
from dissolution.ports import Embedder


def nearest(embedder: Embedder, texts: Sequence[str], others: Sequence[str]) -> tuple[float, ...]:
    """For each text the greatest cosine (-1..1) with any of `others`; 0.0 where there are none.

    Args:
        embedder: Meaning as vectors.
        texts: What is looked at; may be empty.
        others: What it is compared with; may be empty.
    """
    if not texts or not others:
        return (0.0,) * len(texts)
    rows = _rows(embedder.embed([*texts, *others]))
    mine, theirs = rows[: len(texts)], rows[len(texts) :]
    return tuple(max(sum(a * b for a, b in zip(one, other, strict=True)) for other in theirs) for one in mine)


def _rows(vectors: Vectors) -> "list[array.array[float]]":
    """The rows of packed vectors: little-endian float32, row by row."""
    flat = array.array("f")
    flat.frombytes(vectors.data)
    if sys.byteorder == "big":
        flat.byteswap()
    size = vectors.stamp.dimension
    return [flat[place * size : (place + 1) * size] for place in range(vectors.count)]
