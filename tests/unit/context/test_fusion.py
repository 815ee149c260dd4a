"""Rankings become one by their ranks alone."""

import pytest

from context.fusion import fused


def test_a_text_scores_the_sum_of_its_shares() -> None:
    scores = fused([(1.0, [1, 2]), (0.5, [2, 3])])

    assert scores == pytest.approx({1: 1 / 61, 2: 1 / 62 + 0.5 / 61, 3: 0.5 / 62})
    assert fused([]) == {}
    assert fused([(1.0, [])]) == {}
