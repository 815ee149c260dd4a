"""Topics: dense regions are found, what lies apart stays outside, and the most central statement comes first."""

import numpy as np
import pytest

from consensus.embedding.vectors import FloatArray
from consensus.topics import topics_of


def rows_around(*centres: int, each: int, seed: int = 0) -> FloatArray:
    """Unit rows, `each` of them about 0.2 from each of some axes of 64 dimensions."""
    generator = np.random.default_rng(seed)
    axes = np.repeat(np.eye(64)[list(centres)], each, axis=0)
    rows = axes + generator.normal(size=axes.shape) * 0.2 / np.sqrt(64)
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def test_what_is_dense_is_a_topic_and_what_is_alone_stays_outside() -> None:
    rows = np.concatenate((rows_around(0, each=6), rows_around(1, each=8), np.eye(64, dtype=np.float32)[[40, 50, 60]]))
    found = topics_of(rows, least=5)
    assert [sorted(group) for group in found.groups] == [list(range(6, 14)), list(range(6))]
    assert found.outside == (14, 15, 16)


@pytest.mark.parametrize("least", [2, 3, 5, 9])
def test_each_statement_stands_once_and_no_topic_is_smaller_than_asked_for(least: int) -> None:
    rows = np.concatenate((rows_around(0, each=4), rows_around(1, 2, each=8), rows_around(3, 4, 5, 6, each=2, seed=1)))
    found = topics_of(rows, least)
    assert all(len(group) >= least for group in found.groups)
    assert sorted((*found.outside, *(row for group in found.groups for row in group))) == list(range(len(rows)))


@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_of_few_statements_nothing_is_said(n: int) -> None:
    assert topics_of(rows_around(0, each=5)[:n], least=5) == ((), tuple(range(n)))


def test_the_most_central_statement_comes_first() -> None:
    rows = np.concatenate((rows_around(0, 1, each=7), np.eye(64, dtype=np.float32)[[0]]))
    (group,) = [group for group in topics_of(rows, least=5).groups if 0 in group]
    assert group[0] == 14


def test_the_order_of_statements_does_not_matter() -> None:
    rows = np.concatenate((rows_around(0, each=6), rows_around(1, 2, each=9), np.eye(64, dtype=np.float32)[[40, 50]]))
    order = np.random.default_rng(1).permutation(len(rows))
    plain, mixed = topics_of(rows, least=5), topics_of(rows[order], least=5)
    assert {frozenset(int(order[row]) for row in group) for group in mixed.groups} == set(map(frozenset, plain.groups))
    assert sorted(int(order[row]) for row in mixed.outside) == list(plain.outside)


def test_a_topic_of_one_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1 is none"):
        topics_of(rows_around(0, each=5), least=1)
