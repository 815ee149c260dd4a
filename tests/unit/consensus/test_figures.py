"""Figures that answer the same question, and those that only look alike."""

import pytest

from consensus.figures import comparable, unrounded
from consensus.profile import profile_of


@pytest.mark.parametrize(
    ("claim", "other", "left"),
    [
        ("The rate is 45 percent.", "The rate is 45.2 percent.", 0),
        ("The rate is 45.2 percent.", "The rate is 45 percent.", 0),
        ("The rate is 46 percent.", "The rate is 45.2 percent.", 1),
        ("The rate is 5 percent.", "The rate is 5.2 percent.", 1),
        ("The depth is 4.2 m.", "The price is 4.21 euros.", 1),
    ],
)
def test_a_number_may_stand_for_a_longer_one_that_rounds_to_it(claim: str, other: str, left: int) -> None:
    one, two = profile_of(claim), profile_of(other)
    assert len(unrounded(one.lacking(two), two)) == left


@pytest.mark.parametrize(
    ("claim", "other", "expected"),
    [
        ("Sessions last 8 hours.", "Sessions last 4 hours.", True),
        ("The deadline is 15 March.", "The deadline is 30 March.", True),
        ("The cache holds around 500 MB.", "The cache holds 509.88 MB.", False),
        ("The cache holds around 300 MB.", "The cache holds 509.88 MB.", True),
        ("It lasts 8 hours.", "It weighs 4 kg.", False),
    ],
)
def test_only_figures_of_one_measure_oppose(claim: str, other: str, *, expected: bool) -> None:
    one, two = profile_of(claim), profile_of(other)
    mine, theirs = list(one.lacking(two)), list(two.lacking(one))
    assert comparable(one, two, mine, theirs) is expected
