import pytest
from hypothesis import given
from hypothesis import strategies as st

from language.weights import Index, Weights

TERMS = st.frozensets(st.sampled_from("abcdef"))


def test_rare_terms_weigh_more_and_unknown_ones_most() -> None:
    weights = Weights([frozenset("ab"), frozenset("a"), frozenset("ac")])
    assert weights.of("a") < weights.of("b") == weights.of("c") < weights.of("unknown")


@given(st.lists(TERMS, max_size=6), TERMS, TERMS)
def test_shares_and_likeness_lie_between_none_and_all(
    texts: list[frozenset[str]], one: frozenset[str], two: frozenset[str]
) -> None:
    weights = Weights(texts)
    assert 0 <= weights.share(one, two) <= 1
    assert weights.share(one | two, two) == (1.0 if two else 0.0)
    assert weights.likeness(one, two) == pytest.approx(weights.likeness(two, one))


def test_texts_are_found_by_how_many_terms_they_share() -> None:
    index = Index()
    for place, terms in enumerate(("ab", "bc", "cd")):
        index.add(place, frozenset(terms))
    assert index.near(frozenset("bc"), 2) == {1: 2}
    assert set(index.near(frozenset("b"))) == {0, 1}
