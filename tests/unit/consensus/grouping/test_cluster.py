import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consensus.embedding.vectors import BoolMatrix, Matrix
from consensus.grouping.cluster import (
    NOISE,
    AverageLinkage,
    CompleteLinkage,
    Grouping,
    Groups,
    Hdbscan,
    average_linkage,
)

METHODS: list[Grouping] = [AverageLinkage(0.4), CompleteLinkage(0.4), Hdbscan(0.4)]


def distances_of(points: list[float]) -> Matrix:
    line = np.array(points, dtype=np.float64)
    return np.abs(line[:, None] - line[None, :])


def random_distances(n: int, seed: int) -> Matrix:
    upper = np.triu(np.random.default_rng(seed).random((n, n)), 1)
    return upper + upper.T


def no_veto(n: int) -> BoolMatrix:
    return np.zeros((n, n), dtype=np.bool_)


def random_veto(n: int, seed: int, share: float) -> BoolMatrix:
    upper = np.triu(np.random.default_rng(seed + 1).random((n, n)) < share, 1)
    return upper | upper.T


def unanimous(n: int, seed: int) -> Matrix:
    """Euclidean distances of n noisy copies of one direction in 384 dimensions: about 0.27 apart."""
    generator = np.random.default_rng(seed)
    centre = generator.normal(size=384)
    rows = centre / np.linalg.norm(centre) + generator.normal(size=(n, 384)) * 0.19 / np.sqrt(384)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    apart = np.linalg.norm(rows[:, None] - rows[None, :], axis=2)
    return (apart + apart.T) / 2


@pytest.mark.parametrize("method", METHODS, ids=["average", "complete", "hdbscan"])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 5, 30])
def test_every_row_is_in_exactly_one_group(method: Grouping, n: int) -> None:
    groups = method.group(random_distances(n, n), no_veto(n))
    assert sorted(row for group in groups for row in group) == list(range(n))
    assert list(groups) == sorted(groups)


def test_unanimity_is_one_group() -> None:
    """The golden case: with the library's defaults, full agreement comes back as noise."""
    assert [
        (type(method).__name__, n, seed)
        for n, seed in itertools.product((5, 9, 20), range(20))
        for method in (Hdbscan(0.5), AverageLinkage(0.5))
        if method.group(unanimous(n, seed), no_veto(n)) != (tuple(range(n)),)
    ] == []


def test_the_library_defaults_would_call_unanimity_noise() -> None:
    import hdbscan

    library: Any = hdbscan
    labels = library.HDBSCAN(metric="precomputed", min_cluster_size=2).fit_predict(unanimous(9, 0)).tolist()
    assert len(set(labels)) > 1 or set(labels) == {NOISE}


@pytest.mark.parametrize("method", METHODS, ids=["average", "complete", "hdbscan"])
def test_two_meanings_and_a_lone_voice(method: Grouping) -> None:
    points = [0.0, 0.05, 0.1, 5.0, 5.05, 5.1, 20.0]
    assert method.group(distances_of(points), no_veto(7)) == ((0, 1, 2), (3, 4, 5), (6,))


@pytest.mark.parametrize("method", METHODS, ids=["average", "complete", "hdbscan"])
@pytest.mark.parametrize("n", [2, 6, 12])
def test_identical_claims_are_one_group(method: Grouping, n: int) -> None:
    assert method.group(np.zeros((n, n)), no_veto(n)) == (tuple(range(n)),)


def test_a_chain_does_not_pull_far_ends_together() -> None:
    groups = average_linkage(distances_of([0.0, 0.3, 0.6, 0.9, 1.2, 1.5]), no_veto(6), 0.4)
    assert all(max(group) - min(group) <= 2 for group in groups)


def test_the_forbidden_pair_is_honoured_while_merging_not_after() -> None:
    """0 and 2 may not meet; 1 is nearer to 2, so 1 joins 2 and 0 stays out."""
    veto = no_veto(3)
    veto[0, 2] = veto[2, 0] = True
    assert average_linkage(distances_of([0.0, 0.15, 0.25]), veto, 1.0) == ((0,), (1, 2))


@given(st.integers(2, 25), st.integers(0, 10_000), st.floats(0, 0.5), st.booleans())
def test_no_group_holds_a_forbidden_pair(n: int, seed: int, share: float, dense: bool) -> None:  # noqa: FBT001 - drawn
    veto = random_veto(n, seed, share)
    method = Hdbscan(0.6) if dense else AverageLinkage(0.6)
    groups = method.group(random_distances(n, seed), veto)
    assert sorted(row for group in groups for row in group) == list(range(n))
    assert not any(veto[np.ix_(group, group)].any() for group in groups)


@settings(deadline=None)  # the first example loads scikit-learn
@given(st.integers(2, 40), st.integers(0, 10_000), st.floats(0.05, 0.95))
def test_without_forbidden_pairs_it_is_scikit_learns_average_linkage(n: int, seed: int, cut: float) -> None:
    from sklearn.cluster import AgglomerativeClustering

    distances = random_distances(n, seed)
    library: Any = AgglomerativeClustering
    method = library(
        n_clusters=None, metric="precomputed", linkage="average", distance_threshold=float(np.nextafter(cut, 2))
    )
    assert average_linkage(distances, no_veto(n), cut) == groups_of(method.fit_predict(distances).tolist())


def groups_of(labels: list[int]) -> Groups:
    return tuple(sorted(tuple(row for row, other in enumerate(labels) if other == label) for label in set(labels)))


@given(st.integers(2, 20), st.integers(0, 1000))
def test_the_order_of_rows_does_not_matter(n: int, seed: int) -> None:
    distances, veto = random_distances(n, seed), random_veto(n, seed, 0.1)
    order = np.random.default_rng(seed).permutation(n)
    for method in METHODS:
        plain = method.group(distances, veto)
        mixed = method.group(distances[np.ix_(order, order)], veto[np.ix_(order, order)])
        back = tuple(sorted(tuple(sorted(int(order[row]) for row in group)) for group in mixed))
        assert back == plain


def test_what_cannot_be_grouped_is_refused() -> None:
    with pytest.raises(ValueError, match="square"):
        average_linkage(np.zeros((2, 3)), no_veto(2), 1)
    with pytest.raises(ValueError, match="square"):
        average_linkage(np.zeros((2, 2)), no_veto(3), 1)
    with pytest.raises(ValueError, match="finite and not negative"):
        average_linkage(np.array([[0, np.nan], [np.nan, 0]]), no_veto(2), 1)
    with pytest.raises(ValueError, match="finite and not negative"):
        average_linkage(np.array([[0, -1.0], [-1.0, 0]]), no_veto(2), 1)
    with pytest.raises(ValueError, match="symmetric"):
        average_linkage(np.array([[0, 1.0], [2.0, 0]]), no_veto(2), 1)
    with pytest.raises(ValueError, match="kept apart from itself"):
        average_linkage(np.zeros((2, 2)), np.eye(2, dtype=np.bool_), 1)
