import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.ledger import Place
from store.recall import Candidate, _terms, best, relevance

TEXTS = ["The shop opens at 9.", "The shop closes at 6 and the shop stays closed.", "The budget is 40 EUR."]


def _candidates(*texts: str) -> list[Candidate]:
    return [Candidate(row, f"c{row}", text, 4, Place(1, row)) for row, text in enumerate(texts)]


def test_a_text_with_none_of_the_words_has_no_relevance() -> None:
    scores = relevance(TEXTS, "Which budgets are there?")
    assert scores[:2] == [0.0, 0.0]
    assert scores[2] > 0


def test_rare_words_weigh_more_than_common_ones_and_more_words_more_than_one() -> None:
    shop, closing, _ = relevance(TEXTS, "shop opening")
    assert shop > closing > 0  # both have "shop", one has the rarer "opens" too


def test_bm25_is_what_the_formula_says() -> None:
    (score, _) = relevance(["alpha beta", "gamma delta eps"], "alpha")
    # idf = ln(1 + (2 - 1 + 0.5) / (1 + 0.5)) = ln 2; lengths 10 and 15 code points, mean 12.5
    assert score == pytest.approx(0.6931471805599453 * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 10 / 12.5)))


def test_without_words_all_fit_and_lately_affirmed_ones_stand_first() -> None:
    old, new, same = _candidates(*TEXTS)
    new = new._replace(affirmed=9)
    assert best([old, new, same], None, 5) == [new, old, same]
    assert best([old, new, same], None, 1) == [new]
    assert best([], "shop", 5) == []
    assert best([], None, 5) == []


def test_words_in_any_script_and_case_are_found() -> None:
    texts = ["Der Vertrag läuft ÜBER Nacht.", "Магазин открыт в девять.", "It’s web-a1 that fails."]
    for query, row in (("über", 0), ("МАГАЗИН", 1), ("WEB-A1", 2)):
        assert [one.row for one in best(_candidates(*texts), query, 5)] == [row]


@given(st.lists(st.text(max_size=30), max_size=5), st.text(max_size=20))
def test_exactly_the_texts_with_a_word_in_common_are_relevant(texts: list[str], query: str) -> None:
    scores = relevance(texts, query)

    assert [score > 0 for score in scores] == [bool({*_terms(text)} & {*_terms(query)}) for text in texts]


ENDINGS = st.sampled_from(["", "s", "es", "y", "ies", "e", "ed", "ied", "ing", "ting", "ted"])


@given(st.from_regex(r"[a-z]{1,9}", fullmatch=True), ENDINGS, ENDINGS)
def test_every_inflection_is_looked_at(base: str, one: str, two: str) -> None:
    (score,) = relevance([f"So {base}{one} it is"], base + two)

    assert (score > 0) is bool({*_terms(f"So {base}{one} it is")} & {*_terms(base + two)})
