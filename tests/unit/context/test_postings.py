"""BM25 over an index that grows."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context.postings import Postings
from context.terms import terms

TEXTS = ["The shop opens at 9.", "The budget is 40 EUR.", "The shop closes, and the shop opens again."]


def index(*texts: str) -> Postings:
    made = Postings()
    for text in texts:
        made.add(text)
    return made


def test_the_score_is_that_of_the_formula() -> None:
    found = index("alpha beta", "alpha", "gamma delta epsilon").scores("beta")

    # n = 1 of N = 3: ln(1 + 2.5 / 1.5) = 0.980829; the length is the mean, 2: 1 * 2.2 / (1 + 1.2) = 1
    assert found.tolist() == pytest.approx([0.9808292530117262, 0.0, 0.0])


def test_a_rare_word_weighs_more_and_a_short_text_comes_first() -> None:
    shop, budget, again = index(*TEXTS).scores("budget of the shop").tolist()

    assert budget > shop > 0
    assert again > 0


def test_nothing_is_found_in_nothing() -> None:
    assert Postings().scores("shop").tolist() == []
    assert index("", " ").scores("shop").tolist() == [0.0, 0.0]
    assert index(*TEXTS).scores("").tolist() == [0.0, 0.0, 0.0]
    assert index(*TEXTS).scores("the").tolist() == [0.0, 0.0, 0.0]


WORDS = st.text(alphabet="abcdefgh _-./1290", max_size=20)


@given(st.lists(WORDS, max_size=6), WORDS)
def test_exactly_the_texts_with_a_term_in_common_score(texts: list[str], query: str) -> None:
    found = index(*texts).scores(query)

    assert [score > 0 for score in found] == [bool(set(terms(text)) & set(terms(query))) for text in texts]


@given(st.lists(WORDS, min_size=1, max_size=8), WORDS, st.integers(0, 8))
def test_an_index_that_was_asked_while_it_grew_answers_as_one_built_at_once(
    texts: list[str], query: str, asked_at: int
) -> None:
    grown = Postings()
    for number, text in enumerate(texts):
        if number == asked_at:
            grown.scores(query)
        assert grown.add(text) == number

    assert grown.scores(query).tolist() == index(*texts).scores(query).tolist()
    assert grown.nbytes == index(*texts).nbytes > 0


def test_each_term_of_a_query_counts_once() -> None:
    assert Counter(terms("shop shop"))["shop"] == 2
    assert index(*TEXTS).scores("shop shop").tolist() == index(*TEXTS).scores("shop").tolist()
