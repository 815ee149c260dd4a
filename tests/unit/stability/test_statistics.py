"""Figures worked out by hand, and what each does where there is nothing to measure."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dissolution.values import Measured, NotMeasured
from stability.statistics import (
    bootstrap,
    half_life,
    mann_kendall,
    mean,
    paired,
    spread,
    theil_sen,
    theil_sen_interval,
    trend,
    variance_ratio,
)

NUMBERS = st.lists(st.floats(-100, 100), min_size=1, max_size=12)


def figure(value: Measured) -> float:
    assert not isinstance(value, NotMeasured)
    return value


def test_theil_and_sen_take_the_median_slope() -> None:
    assert theil_sen([1.0, 2.0, 3.0, 4.0]) == 1.0
    assert theil_sen([0.0, 0.0, 9.0]) == 4.5  # slopes 0, 9, 4.5
    assert isinstance(theil_sen([1.0]), NotMeasured)


def test_one_outlier_does_not_make_a_trend() -> None:
    assert theil_sen([1.0, 1.0, 1.0, 50.0, 1.0, 1.0]) == 0.0


def test_mann_and_kendall_by_hand() -> None:
    # Five rising values: S = 10, variance = 5 * 4 * 15 / 18, z = 9 / sqrt(16.67) = 2.2045, p = 0.0275.
    assert figure(mann_kendall([1, 2, 3, 4, 5])) == pytest.approx(0.02749, abs=1e-4)
    # One tie: S = 9, the variance loses 2 * 1 * 9 / 18 = 1.
    assert figure(mann_kendall([1, 2, 2, 4, 5])) == pytest.approx(math.erfc(8 / math.sqrt(300 / 18 - 1) / math.sqrt(2)))
    assert mann_kendall([3, 3, 3, 3]) == 1.0
    assert isinstance(mann_kendall([1, 2, 3]), NotMeasured)


@given(NUMBERS)
def test_a_trend_reversed_is_as_probable(values: list[float]) -> None:
    assert mann_kendall(values) == mann_kendall(values[::-1])


def test_looking_often_is_paid_for() -> None:
    rising = [[1.0, 2.0, 3.0, 4.0, 5.0]]
    once, often = trend(rising), trend(rising, looks=10)
    assert figure(often.p_corrected) == pytest.approx(10 * figure(once.p))
    assert trend(rising, looks=10_000).p_corrected == 1.0


def test_the_interval_of_a_slope_comes_from_replicates() -> None:
    found = trend([[1.0, 2.0, 3.0, 4.0], [1.0, 1.0, 1.0, 1.0]])
    assert found.slope == 0.5
    assert (found.low, found.high) == (0.0, 1.0)
    assert isinstance(trend([[1.0, 2.0, 3.0, 4.0]]).low, NotMeasured)
    assert trend([]).cycles == 0


def test_one_group_has_no_interval() -> None:
    found = bootstrap([[1.0, 3.0]])
    assert found.estimate == 2.0
    assert isinstance(found.low, NotMeasured)
    assert isinstance(bootstrap([]).estimate, NotMeasured)


def test_groups_are_drawn_whole() -> None:
    """Two groups of equal values: the mean of a draw is 0, 0.5 or 1, so the ends are the groups themselves."""
    found = bootstrap([[0.0] * 50, [1.0] * 50])
    assert (found.low, found.high) == (0.0, 1.0)


def test_the_same_seed_gives_the_same_ends() -> None:
    groups = [[0.1, 0.4], [0.9], [0.3, 0.2]]
    assert bootstrap(groups, seed=3) == bootstrap(groups, seed=3)


@given(st.lists(NUMBERS, min_size=2, max_size=5))
def test_the_ends_lie_on_both_sides_of_the_middle(groups: list[list[float]]) -> None:
    found = bootstrap(groups, resamples=100)
    assert figure(found.low) <= figure(found.high)


def test_half_life_by_hand() -> None:
    assert figure(half_life([0.5, 0.5])) == pytest.approx(1.0)
    assert figure(half_life([0.9])) == pytest.approx(math.log(2) / -math.log(0.9))
    assert half_life([1.0, 0.0]) == 0.0
    assert isinstance(half_life([1.0, 1.0]), NotMeasured)
    assert isinstance(half_life([]), NotMeasured)


def test_replicates_apart() -> None:
    assert variance_ratio({1: [1.0, 1.0], 2: [14.0]}) == 14.0
    assert isinstance(variance_ratio({1: [1.0]}), NotMeasured)
    assert isinstance(variance_ratio({1: [0.0], 2: [1.0]}), NotMeasured)
    assert spread([1.0, 3.0]) == pytest.approx(math.sqrt(2))
    assert isinstance(spread([1.0]), NotMeasured)
    assert isinstance(mean([]), NotMeasured)


def test_pairs_are_held_against_each_other_cell_by_cell() -> None:
    """Differences by hand: replicate 1: 0.1, 0.3; replicate 2: 0.2. Their mean is 0.6 / 3; cycle 9 has no like."""
    left = {(1, 1): 0.5, (1, 2): 0.5, (2, 1): 0.7, (2, 9): 1.0}
    right = {(1, 1): 0.6, (1, 2): 0.8, (2, 1): 0.9}
    found = paired(left, right)
    assert not isinstance(found, NotMeasured)
    assert found.pairs == 3
    assert found.difference.estimate == pytest.approx(0.2)
    assert (found.difference.low, found.difference.high) == (pytest.approx(0.2), pytest.approx(0.2))  # 0.2 in each
    assert found.last.estimate == pytest.approx(0.3)  # cycle 2, replicate 1 alone
    assert isinstance(found.last.low, NotMeasured)


def test_what_has_no_like_has_no_difference() -> None:
    assert isinstance(paired({(1, 1): 0.5}, {(1, 2): 0.5}), NotMeasured)


def test_the_interval_of_a_slope_is_read_off_its_slopes() -> None:
    """Five values 1, 2, 3, 4, 6: ten slopes, 1 six times, 5/4, 4/3, 3/2 and 2; Var S = 5 * 4 * 15 / 18 = 16.67.

    C = 1.96 * 4.082 = 8.00, so the ends are the (10 - 8) / 2 = 1st and the (10 + 8) / 2 + 1 = 10th slope.
    """
    assert theil_sen_interval([1, 2, 3, 4, 6]) == (1, 2)
    low, high = theil_sen_interval([0.5] * 12)
    assert (figure(low), figure(high)) == (0, 0)
    assert all(isinstance(end, NotMeasured) for end in theil_sen_interval([1, 2, 3]))


@given(st.lists(st.floats(-100, 100), min_size=4, max_size=12))
def test_a_slope_lies_within_its_interval(values: list[float]) -> None:
    low, high = theil_sen_interval(values)
    assert figure(low) <= figure(theil_sen(values)) <= figure(high)
