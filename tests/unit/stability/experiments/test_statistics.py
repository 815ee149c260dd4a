"""Figures worked out by hand, and what each does where there is nothing to measure."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dissolution.values import Measured, NotMeasured
from stability.experiments.statistics import Z, of_means, over_pairs, ranks, resampled, spearman, wilson
from stability.statistics import bootstrap, mean

PAIRS = st.lists(st.tuples(st.floats(-100, 100), st.floats(-100, 100)), min_size=3, max_size=12)


def figure(value: Measured) -> float:
    assert not isinstance(value, NotMeasured)
    return value


def test_wilson_by_hand() -> None:
    # 8 of 10, z² = 3.8415: the middle is (0.8 + 0.19207) / 1.38415 = 0.71674,
    # the reach sqrt(0.8 * 0.2 / 10 + 3.8415 / 400) * 1.959964 / 1.38415 = 0.22657.
    found = wilson(8, 10)
    assert found.estimate == 0.8
    assert figure(found.low) == pytest.approx(0.4902, abs=1e-4)
    assert figure(found.high) == pytest.approx(0.9433, abs=1e-4)
    assert found.units == 10


def test_wilson_at_the_ends_stays_within_nought_and_one() -> None:
    # Of n hits in n the lower end is n / (n + z²).
    assert figure(wilson(20, 20).low) == pytest.approx(20 / (20 + Z * Z))
    assert wilson(20, 20).high == 1.0
    assert wilson(0, 20).low == 0.0
    nothing = wilson(0, 0)
    assert isinstance(nothing.estimate, NotMeasured)
    assert isinstance(nothing.low, NotMeasured)


def test_ranks_share_what_is_equal() -> None:
    assert ranks([10.0, 30.0, 20.0]) == [1.0, 3.0, 2.0]
    assert ranks([5.0, 1.0, 5.0, 5.0]) == [3.0, 1.0, 3.0, 3.0]  # places 2, 3 and 4
    assert ranks([]) == []


def test_spearman_by_hand() -> None:
    # Ranks 1 2 3 4 5 against 2 1 4 3 5: differences squared sum to 4, so rho = 1 - 6 * 4 / (5 * 24) = 0.8.
    assert spearman([(1, 20), (2, 10), (3, 40), (4, 30), (5, 50)]) == pytest.approx(0.8)
    # With ties: ranks 1 2 3 4 against 1.5 1.5 3.5 3.5: covariance sum 4, spread sqrt(5 * 4): 4 / 4.4721 = 0.8944.
    assert spearman([(1, 0), (2, 0), (3, 1), (4, 1)]) == pytest.approx(4 / math.sqrt(20))


def test_spearman_of_what_does_not_vary_is_not_measured() -> None:
    assert isinstance(spearman([(1, 1), (2, 1), (3, 1)]), NotMeasured)
    assert isinstance(spearman([(1, 1), (2, 2)]), NotMeasured)


@given(PAIRS)
def test_spearman_lies_within_its_bounds_and_turns_with_its_sign(pairs: list[tuple[float, float]]) -> None:
    found = spearman(pairs)
    turned = spearman([(left, -right) for left, right in pairs])
    if isinstance(found, NotMeasured):
        assert isinstance(turned, NotMeasured)
    else:
        assert -1.0 <= found <= 1.0
        assert figure(turned) == pytest.approx(-found, abs=1e-9)


def test_resampling_items_is_the_bootstrap_of_numbers() -> None:
    groups = [[1.0, 2.0], [5.0], [3.0, 3.0, 9.0]]
    assert resampled(groups, mean, seed=3) == bootstrap(groups, seed=3)


def test_whole_groups_are_drawn() -> None:
    """Within each group the correlation is 1, between them -1: draws hold one group, the other, or both."""
    rising = [[(1.0, 9.0), (2.0, 10.0), (3.0, 11.0)], [(7.0, 1.0), (8.0, 2.0), (9.0, 3.0)]]
    found = resampled(rising, spearman)
    assert figure(found.estimate) < 0
    assert found.high == 1.0
    assert found.units == 2


def test_every_conversation_counts_the_same() -> None:
    found = of_means([[1.0] * 100, [0.0], []])
    assert (found.estimate, found.units) == (0.5, 2)
    assert isinstance(of_means([]).estimate, NotMeasured)


def test_over_pairs_by_hand() -> None:
    # Three members. A draw of a, a, b has the pair ab alone (weight 2); of a, b, c all three; of a, a, a none.
    values = {("a", "b"): 0.0, ("a", "c"): 0.3, ("b", "c"): 0.9}
    found = over_pairs(values)
    assert figure(found.estimate) == pytest.approx(0.4)
    assert (found.low, found.high) == (0.0, pytest.approx(0.9))
    assert found.units == 3
    assert over_pairs(values) == found


def test_one_pair_has_no_interval() -> None:
    found = over_pairs({("a", "b"): 0.25})
    assert found.estimate == 0.25
    assert isinstance(found.low, NotMeasured)
    assert isinstance(over_pairs({}).estimate, NotMeasured)


def test_pairs_that_are_all_alike_have_an_interval_of_no_width() -> None:
    names = "abcd"
    found = over_pairs({(a, b): 0.5 for a in names for b in names if a < b})
    assert (figure(found.low), figure(found.high)) == (pytest.approx(0.5), pytest.approx(0.5))
