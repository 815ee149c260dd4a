"""Parts shared by the measurements of benchmarks/supersession.py: remembered vectors, boundaries, intervals."""

import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from consensus.embedding.vectors import FloatArray, pack, unpack
from dissolution.boundary import BoundaryState
from dissolution.conversation import Snapshot
from dissolution.findings import Consensus, EmbeddingStamp, GateDecision, Vectors, Verdict
from dissolution.ports.models import Embedder

RESAMPLES = 2000
SEED = 7
DECISION = GateDecision(verdict=Verdict.COMMIT_DEGRADED, reasons=("measured, not probed",))


class Remembering:
    """An embedder that embeds each text once."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self._rows: dict[str, FloatArray] = {}

    @property
    def stamp(self) -> EmbeddingStamp:
        """The inner embedder's."""
        return self._inner.stamp

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit rows in the order given."""
        new = sorted(set(texts) - self._rows.keys())
        if new:
            self._rows.update(zip(new, unpack(self._inner.embed(new)), strict=True))
        rows = np.array([self._rows[text] for text in texts], dtype=np.float32)
        return pack(rows.reshape(len(texts), self.stamp.dimension), self.stamp)


def committed(consensus: Consensus, snapshot: Snapshot, version: int) -> BoundaryState:
    """What a store gives back after committing a reconciled consensus."""
    return BoundaryState(
        conversation=snapshot.conversation,
        job=f"job-{version}",
        through=snapshot.through,
        snapshot_digest=snapshot.digest,
        decision=DECISION,
        claims=consensus.claims,
        dissent=consensus.dissent,
        closed=consensus.closed,
        changes=consensus.changes,
        version=version,
    )


def interval(rows: Sequence[Any], share: Callable[[Sequence[Any]], float]) -> tuple[float, float]:
    """The 95 % bootstrap interval of a share, resampling whole rows (dialogues or conversations)."""
    draw = random.Random(SEED)  # noqa: S311 - resampling
    found = sorted(share([draw.choice(rows) for _ in rows]) for _ in range(RESAMPLES))
    return round(found[round(0.025 * RESAMPLES)], 4), round(found[round(0.975 * RESAMPLES) - 1], 4)


def part(count: int, of: int) -> float:
    """A share; 0 of nothing is 0."""
    return round(count / of, 4) if of else 0.0
