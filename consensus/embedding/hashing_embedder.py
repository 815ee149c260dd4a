"""An embedder without a model: hashed character n-grams. The shipped double of the embedding model."""

import hashlib
import unicodedata
from collections.abc import Iterator, Sequence

import numpy as np

from consensus.embedding.vectors import FloatArray, pack
from dissolution.findings import EmbeddingStamp, Vectors

MODEL = "hashing"
DIMENSION = 384
SIZES = (3, 4, 5)  # characters; three catch word stems, five catch whole short words
DESCRIPTION = f"character {SIZES}-grams of NFKC case-folded words, signed BLAKE2b to {DIMENSION}, L2-normalised, v1"


def _grams(text: str) -> Iterator[str]:
    words = unicodedata.normalize("NFKC", text).casefold().split()
    for word in words or [""]:
        padded = f" {word} "
        for size in SIZES:
            yield from (padded[i : i + size] for i in range(max(1, len(padded) - size + 1)))


def _row(text: str) -> FloatArray:
    row = np.zeros(DIMENSION, dtype=np.float64)
    for gram in _grams(text):
        value = int.from_bytes(hashlib.blake2b(gram.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
        row[(value >> 1) % DIMENSION] += 1.0 if value & 1 else -1.0
    length = float(np.linalg.norm(row))
    if length == 0.0:  # every gram met its opposite in the same place
        row[0] = length = 1.0
    return (row / length).astype(np.float32)


class HashingEmbedder:
    """Deterministic on every machine; sees shared spelling, not meaning. For tests and machines without weights."""

    @property
    def stamp(self) -> EmbeddingStamp:
        """`hashing`, the digest of the algorithm's description, 384 dimensions."""
        return EmbeddingStamp(model=MODEL, digest=hashlib.sha256(DESCRIPTION.encode()).hexdigest(), dimension=DIMENSION)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit rows, shape (len(texts), 384), in the order given; an empty text has a row like any other."""
        rows = [_row(text) for text in texts]
        return pack(np.array(rows, dtype=np.float32).reshape(len(rows), DIMENSION), self.stamp)
