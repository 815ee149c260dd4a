"""How near texts are to others, by any embedder: cosines of unit rows, with the standard library alone."""

import array
import sys
from collections.abc import Sequence

from dissolution.findings import Vectors
from dissolution.ports.models import Embedder

Row = Sequence[float]


def nearest(embedder: Embedder, texts: Sequence[str], others: Sequence[str]) -> tuple[float, ...]:
    """For each text the greatest cosine (-1..1) with any of `others`; 0.0 where there are none.

    Args:
        embedder: Meaning as vectors.
        texts: What is looked at; may be empty.
        others: What it is compared with; may be empty.
    """
    if not texts or not others:
        return (0.0,) * len(texts)
    found = rows(embedder, [*texts, *others])
    mine, theirs = found[: len(texts)], found[len(texts) :]
    return tuple(max(cosine(one, other) for other in theirs) for one in mine)


def cosine(one: Row, other: Row) -> float:
    """The cosine (-1..1) of two unit rows of one embedder."""
    return sum(a * b for a, b in zip(one, other, strict=True))


def rows(embedder: Embedder, texts: Sequence[str]) -> list[Row]:
    """The unit row of each text, in their order; none for no text."""
    return _unpacked(embedder.embed(list(texts))) if texts else []


def _unpacked(vectors: Vectors) -> list[Row]:
    """The rows of packed vectors: little-endian float32, row by row."""
    flat = array.array("f")
    flat.frombytes(vectors.data)
    if sys.byteorder == "big":
        flat.byteswap()
    size = vectors.stamp.dimension
    return [flat[place * size : (place + 1) * size] for place in range(vectors.count)]
