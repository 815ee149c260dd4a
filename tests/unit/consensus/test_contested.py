"""The words of an EDGE that states both sides."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consensus.contested import both_sides, sides_of


def test_each_side_is_quoted_with_its_support() -> None:
    words = both_sides("The cap is 5.", 1, "The cap is 7.", 3)
    assert words == "Contested: “The cap is 5.” (1 family) against “The cap is 7.” (3 families)."


@given(one=st.text(min_size=1), two=st.text(min_size=1), left=st.integers(1, 99), right=st.integers(1, 99))
def test_the_sides_are_read_back(one: str, two: str, left: int, right: int) -> None:
    assert sides_of(both_sides(one, left, two, right)) == (one, two)


def test_sides_with_quotes_and_lines_are_read_back() -> None:
    assert sides_of(both_sides("He said “no”.\nTwice.", 2, "He said “yes”.", 2)) == (
        "He said “no”.\nTwice.",
        "He said “yes”.",
    )


@pytest.mark.parametrize("text", ["", "Who pays?", "Contested: who pays?", "x Contested: “a” (1 family) against “b”"])
def test_other_words_have_no_sides(text: str) -> None:
    assert sides_of(text) is None
