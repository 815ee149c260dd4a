"""An embedder for these tests: one dimension a hashed word, no import from a sibling room."""

import zlib
from collections.abc import Sequence

import numpy as np

from dissolution.findings import EmbeddingStamp, Vectors
from fleet.extractive.terms import terms

DIMENSION = 64


class BagEmbedder:
    """Unit rows of word counts."""

    @property
    def stamp(self) -> EmbeddingStamp:
        return EmbeddingStamp(model="bag", digest="none", dimension=DIMENSION)

    def embed(self, texts: Sequence[str]) -> Vectors:
        rows = np.zeros((len(texts), DIMENSION), dtype="<f4")
        for place, text in enumerate(texts):
            for term in terms(text) or ("",):
                rows[place, zlib.crc32(term.encode()) % DIMENSION] += 1.0
            rows[place] /= np.linalg.norm(rows[place])
        return Vectors(stamp=self.stamp, count=len(texts), data=rows.tobytes())
