import pytest
from hypothesis import given
from hypothesis import strategies as st

from language.opposites import LINES, opposed, opposites_of
from language.words import stem


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("allowed", "forbidden"), ("done", "pending"), ("comfortable", "tight"), ("before", "after"),
        ("rises", "falls"), ("supported", "suggestive"), ("supported", "unsupported"), ("encrypted", "unencrypted"),
        ("complete", "incomplete"),        ("monthly", "yearly"), ("everybody", "nobody"),
    ],
)  # fmt: skip
def test_opposites_exclude_each_other_both_ways(one: str, two: str) -> None:
    assert opposed(stem(one), stem(two))
    assert opposed(stem(two), stem(one))


@pytest.mark.parametrize(
    ("one", "two"),
    [("allowed", "permitted"), ("small", "fast"), ("side", "inside"), ("form", "inform"), ("red", "blue"), ("", "un")],
)
def test_words_that_may_both_be_true_are_none(one: str, two: str) -> None:
    assert not opposed(stem(one), stem(two))


def test_no_word_stands_on_both_sides_of_its_line() -> None:
    for sides in LINES:
        assert len(sides) > 1
        stems = [{stem(word) for word in side} for side in sides]
        assert sum(map(len, stems)) == len(set[str]().union(*stems)), sides


@given(st.text(max_size=20), st.text(max_size=20))
def test_being_opposed_is_mutual_and_nothing_opposes_itself(one: str, two: str) -> None:
    assert opposed(one, two) == opposed(two, one)
    assert one not in opposites_of(one)
