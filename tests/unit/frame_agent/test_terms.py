import math

from hypothesis import given
from hypothesis import strategies as st

from frame_agent.terms import Index, Weights, figures_of, likeness, terms_of

WORDS = st.frozensets(st.sampled_from(["boiler", "pump", "flat", "40", "roof"]), max_size=5)


def test_numbers_identifiers_and_synonyms_meet() -> None:
    assert terms_of("forty percent") == terms_of("40 %")
    assert "1000" in terms_of("1,000 pumps")
    assert {"marlow", "3b"} <= terms_of("Marlow-3B")
    assert "trace" in terms_of("the _trace hook")
    assert terms_of("I guess that is what they think") == frozenset()
    assert figures_of("The 3 pumps of r418") == {"3", "r418"}


def test_a_rare_term_weighs_more_and_a_figure_more_still() -> None:
    weights = Weights([frozenset({"pump"}), frozenset({"pump", "roof", "40"})])
    # ln(1 + 3 / 2) for what one of two texts holds, ln(1 + 3 / 3) for what both hold
    assert weights.of("roof") == round(1_000_000 * math.log(2.5))
    assert weights.of("pump") == round(1_000_000 * math.log(2.0))
    assert weights.of("40") == round(1_300_000 * math.log(2.5))


@given(WORDS, WORDS)
def test_likeness_is_symmetric_and_one_only_for_equals(one: frozenset[str], two: frozenset[str]) -> None:
    weights = Weights([one, two])
    value = likeness(weights, one, two)
    assert 0 <= value <= 1
    assert math.isclose(value, likeness(weights, two, one))
    assert (value == 1) == (one == two and bool(one))


def test_an_index_counts_what_texts_share() -> None:
    index = Index()
    index.add(0, frozenset({"pump", "roof"}))
    index.add(1, frozenset({"pump"}))
    assert index.near(frozenset({"pump", "roof"})) == {0: 2, 1: 1}
    assert index.near(frozenset({"pump", "roof"}), 2) == {0: 2}
    assert Weights().share(frozenset(), frozenset()) == 0
