"""Vectors of the kernel (bytes) to and from numpy arrays, and the cosines between them."""

import numpy as np
from numpy.typing import NDArray

from dissolution.findings import EmbeddingStamp, Vectors

FloatArray = NDArray[np.float32]
Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]
BoolMatrix = NDArray[np.bool_]
IntArray = NDArray[np.intp]

UNIT_TOLERANCE = 1e-3  # how far a row's length may be from 1 in float32

DIGITS = 9
"""Decimals that scores and distances keep before anything is compared.

A matrix product has other last bits on another processor or with another number of threads, and a threshold or a tie
must not turn on them.
"""


def pack(rows: FloatArray, stamp: EmbeddingStamp) -> Vectors:
    """Unit rows of shape (n, stamp.dimension) as Vectors. Raises ValueError for another shape or length."""
    if rows.ndim != 2 or rows.shape[1] != stamp.dimension:  # noqa: PLR2004 - rows and columns
        message = f"rows have shape {rows.shape}; {stamp.model!r} makes (n, {stamp.dimension})"
        raise ValueError(message)
    lengths = np.linalg.norm(rows, axis=1)
    if not np.all(np.abs(lengths - 1) <= UNIT_TOLERANCE):
        message = f"rows are not unit vectors: lengths {lengths.min():.4f} to {lengths.max():.4f}; normalise them"
        raise ValueError(message)
    return Vectors(stamp=stamp, count=rows.shape[0], data=np.ascontiguousarray(rows, dtype="<f4").tobytes())


def unpack(vectors: Vectors) -> FloatArray:
    """The rows, shape (count, dimension), float32. Raises ValueError when the bytes do not fit the count."""
    expected = vectors.count * vectors.stamp.dimension * 4
    if len(vectors.data) != expected:
        message = f"vectors hold {len(vectors.data)} bytes; {vectors.count} rows need {expected}"
        raise ValueError(message)
    flat = np.frombuffer(vectors.data, dtype="<f4")
    return flat.reshape(vectors.count, vectors.stamp.dimension).astype(np.float32)


def settled(values: Matrix) -> Matrix:
    """The values with as many decimals as may be compared, of the same shape."""
    return np.asarray(np.round(values, DIGITS), dtype=np.float64)


def cosine_matrix(rows: FloatArray, others: FloatArray | None = None) -> Matrix:
    """Cosines of unit rows, shape (n, m), float64, clipped to -1..1; against themselves when `others` is None.

    Against themselves the matrix is symmetric with ones on the diagonal, to the last bit.
    """
    left = rows.astype(np.float64)
    if others is not None:
        return np.clip(left @ others.astype(np.float64).T, -1.0, 1.0)
    cosines = np.clip(left @ left.T, -1.0, 1.0)
    cosines = (cosines + cosines.T) / 2
    np.fill_diagonal(cosines, 1.0)
    return cosines
