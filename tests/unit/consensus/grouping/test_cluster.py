from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consensus.embedding.vectors import BoolMatrix, Matrix
from consensus.grouping.cluster import CompleteLinkage, Groups, average_linkage, complete_linkage

Linkage = Callable[[Matrix, BoolMatrix, float], Groups]
METHODS: list[Linkage] = [average_linkage, complete_linkage]


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


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 5, 30])
def test_every_row_is_in_exactly_one_group(method: Linkage, n: int) -> None:
    groups = method(random_distances(n, n), no_veto(n), 0.4)
    assert sorted(row for group in groups for row in group) == list(range(n))
    assert list(groups) == sorted(groups)


@pytest.mark.parametrize("method", METHODS)
def test_two_meanings_and_a_lone_voice(method: Linkage) -> None:
    points = [0.0, 0.05, 0.1, 5.0, 5.05, 5.1, 20.0]
    assert method(distances_of(points), no_veto(7), 0.4) == ((0, 1, 2), (3, 4, 5), (6,))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n", [2, 6, 12])
def test_identical_claims_are_one_group(method: Linkage, n: int) -> None:
    assert method(np.zeros((n, n)), no_veto(n), 0.4) == (tuple(range(n)),)


def test_a_chain_does_not_pull_far_ends_together() -> None:
    groups = average_linkage(distances_of([0.0, 0.3, 0.6, 0.9, 1.2, 1.5]), no_veto(6), 0.4)
    assert all(max(group) - min(group) <= 2 for group in groups)


def test_the_forbidden_pair_is_honoured_while_merging_not_after() -> None:
    """0 and 2 may not meet; 1 is nearer to 2, so 1 joins 2 and 0 stays out."""
    veto = no_veto(3)
    veto[0, 2] = veto[2, 0] = True
    assert average_linkage(distances_of([0.0, 0.15, 0.25]), veto, 1.0) == ((0,), (1, 2))


@given(st.integers(2, 25), st.integers(0, 10_000), st.floats(0, 0.5), st.booleans())
def test_no_group_holds_a_forbidden_pair(n: int, seed: int, share: float, complete: bool) -> None:  # noqa: FBT001 - drawn
    veto = random_veto(n, seed, share)
    method = complete_linkage if complete else average_linkage
    groups = method(random_distances(n, seed), veto, 0.6)
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
        plain = method(distances, veto, 0.4)
        mixed = method(distances[np.ix_(order, order)], veto[np.ix_(order, order)], 0.4)
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


def test_the_method_of_consensus_is_complete_linkage_at_its_cut() -> None:
    distances, veto = random_distances(20, 3), random_veto(20, 3, 0.1)
    assert CompleteLinkage(0.4).group(distances, veto) == complete_linkage(distances, veto, 0.4)
