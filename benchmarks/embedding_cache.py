"""Vectors kept on disk between runs of a benchmark: thirty thousand turns take minutes to embed and never change."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from consensus.embedding.vectors import FloatArray, pack, unpack
from dissolution.findings import EmbeddingStamp, Vectors
from dissolution.ports.models import Embedder

CHUNK = 2000  # texts embedded between two writes: an interrupted run loses no more than that


class CachedEmbedder:
    """An embedder that asks another one only for texts it has not kept.

    Args:
        inner: Who embeds.
        folder: Where vectors are kept, one file for each stamp and each piece of work.
    """

    def __init__(self, inner: Embedder, folder: Path) -> None:
        self._inner = inner
        self._folder = folder / f"{inner.stamp.model}-{inner.stamp.digest[:12]}"
        self._kept: dict[str, FloatArray] = {}
        for file in sorted(self._folder.glob("*.npz")):
            with np.load(file) as held:
                self._kept.update(zip(held["keys"].tolist(), held["rows"], strict=True))

    @property
    def stamp(self) -> EmbeddingStamp:
        """The stamp of who embeds."""
        return self._inner.stamp

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit rows in the order given, from disk where they are kept."""
        keys = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
        missing = sorted(
            {(len(text), text, key) for text, key in zip(texts, keys, strict=True) if key not in self._kept}
        )
        for start in range(0, len(missing), CHUNK):
            self._keep(missing[start : start + CHUNK])
        rows = [self._kept[key] for key in keys]
        stacked = np.stack(rows) if rows else np.zeros((0, self.stamp.dimension), dtype=np.float32)
        return pack(np.asarray(stacked, dtype=np.float32), self.stamp)

    def _keep(self, work: Sequence[tuple[int, str, str]]) -> None:
        rows = unpack(self._inner.embed([text for _, text, _ in work]))
        names = [key for _, _, key in work]
        self._folder.mkdir(parents=True, exist_ok=True)
        place = self._folder / f"{hashlib.sha256(''.join(names).encode()).hexdigest()[:16]}.npz"
        np.savez(place, keys=np.array(names), rows=rows)
        self._kept.update(zip(names, rows, strict=True))
