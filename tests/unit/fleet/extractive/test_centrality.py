"""Method "centrality"."""

import numpy as np
import pytest

from fleet.extractive.candidates import read_snapshot
from fleet.extractive.centrality import page_rank, score, similarity
from tests.factories import a_snapshot


def test_the_statement_that_shares_words_with_all_others_is_central() -> None:
    reading = read_snapshot(
        a_snapshot(
            "The boiler feeds the turbine hall.",
            "The turbine hall sells steam.",
            "The boiler burns wood.",
            "Penguins wear elegant jackets.",
        )
    )
    found = score(reading)
    assert int(np.argmax(found)) == 0
    assert int(np.argmin(found)) == 3
    assert sum(found) == pytest.approx(len(found), rel=1e-6)


def test_nothing_to_rank() -> None:
    assert score(read_snapshot(a_snapshot("ok"))) == []


def test_similarity_is_symmetric_with_an_empty_diagonal() -> None:
    reading = read_snapshot(a_snapshot("The boiler burns wood.", "The boiler burns wood.", "Steam is sold."))
    found = similarity(reading, reading.candidates)
    assert np.allclose(found, found.T)
    assert np.allclose(np.diag(found), 0.0)
    assert found[0, 1] == pytest.approx(1.0)
    assert found[0, 2] == pytest.approx(0.0)


def test_page_rank_of_two_nodes_by_hand() -> None:
    # a -> b only, b dangling. r_b = 0.15/2 + 0.85 (r_a + r_b/2), r_a = 0.15/2 + 0.85 r_b/2; so r_a = 0.5/1.425.
    ranks = page_rank(np.array([[0.0, 1.0], [0.0, 0.0]]), np.array([0.5, 0.5]))
    assert ranks[0] == pytest.approx(0.5 / 1.425, abs=1e-6)
    assert ranks.sum() == pytest.approx(1.0)
