"""Topics of many statements: dense regions of their vectors. What lies in no dense region stays outside."""

from typing import Any, NamedTuple

import numpy as np

from consensus.embedding.vectors import FloatArray, Vector, settled

NOISE = -1
"""hdbscan's label for points in no dense region."""

FEWEST = 2
"""Points of a region at least, for the method to have a meaning."""


class Topics(NamedTuple):
    """Rows by topic. Each row stands in one topic or outside."""

    groups: tuple[tuple[int, ...], ...]  # the largest topic first; in each the most central row first
    outside: tuple[int, ...]  # ascending


def topics_of(rows: FloatArray, least: int) -> Topics:
    """HDBSCAN (Campello, Moulavi and Sander 2013) over unit vectors: Euclidean distance, excess of mass.

    It needs no distance at which topics end, and keeps apart what is dense from what is not: statements without others
    of their kind are in no topic. One region that holds everything is no topic, as it would tell nothing apart.
    `min_samples` is 1: a higher one calls more statements noise (docs/adr/0018).

    Args:
        rows: Unit vectors, shape (n, dimension); n may be 0.
        least: Statements of a topic at least, 2 or more.

    Raises:
        ValueError: `least` is below 2.
    """
    if least < FEWEST:
        message = f"a topic of at least {least} is none; give {FEWEST} or more"
        raise ValueError(message)
    if len(rows) <= least:
        return Topics((), tuple(range(len(rows))))
    import hdbscan

    library: Any = hdbscan  # the library is untyped
    method = library.HDBSCAN(min_cluster_size=least, min_samples=1, core_dist_n_jobs=1)
    labels: list[int] = method.fit_predict(rows.astype(np.float64)).tolist()
    regions: dict[int, list[int]] = {}
    for row, label in enumerate(labels):
        regions.setdefault(label, []).append(row)
    outside = tuple(regions.pop(NOISE, ()))
    groups = sorted((_central_first(rows, region) for region in regions.values()), key=lambda one: (-len(one), one))
    return Topics(tuple(groups), outside)


def _central_first(rows: FloatArray, region: list[int]) -> tuple[int, ...]:
    """The rows of a region by their cosine with its mean, the highest first."""
    inside = rows[region].astype(np.float64)
    cosines: Vector = settled(inside @ inside.mean(axis=0))
    order: list[int] = np.argsort(-cosines, kind="stable").tolist()
    return tuple(region[place] for place in order)
