import math
from typing import Any

import numpy as np
import pytest

from consensus.wording.lexical import cosines, inverse_frequencies, normalised, root, tfidf_rows, weighted_rows

DOCUMENTS = [["a", "b", "b"], ["a", "c"], ["a"]]


def test_frequencies_by_hand() -> None:
    # n = 3; a in 3 documents: ln(4/4) + 1 = 1; b and c in one: ln(4/2) + 1 = 1.6931
    assert inverse_frequencies(DOCUMENTS) == pytest.approx({"a": 1.0, "b": 1 + math.log(2), "c": 1 + math.log(2)})


def test_tfidf_agrees_with_scikit_learn() -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer

    texts = ["the cat sat", "the dog sat down", "a bird", "the the cat"]
    library: Any = TfidfVectorizer(token_pattern=r"\S+")
    theirs = library.fit_transform(texts).toarray()
    assert np.allclose(tfidf_rows([text.split() for text in texts]), theirs)


def test_binary_rows_hold_the_weight_once() -> None:
    weights = {"a": 1.0, "b": 2.0}
    assert weighted_rows([["b", "b", "unknown"]], weights, binary=True).tolist() == [[0, 2]]
    assert weighted_rows([["b", "b", "unknown"]], weights).tolist() == [[0, 4]]


def test_a_document_without_terms_is_near_nothing() -> None:
    rows = tfidf_rows([[], ["a"]])
    assert rows[0].tolist() == [0]
    assert cosines(rows).tolist() == [[0, 0], [0, 1]]
    assert tfidf_rows([]).shape == (0, 0)


def test_cosines_against_others_and_normalised_zeros() -> None:
    rows = normalised(np.array([[3.0, 4.0], [0.0, 0.0]]))
    assert rows.tolist() == [[0.6, 0.8], [0, 0]]
    assert cosines(rows, np.array([[1.0, 0.0]])).tolist() == [[0.6], [0]]


def test_forms_of_one_word_share_a_root() -> None:
    assert root("evictions") == root("eviction") == root("evict") == "evict"
    assert root("r418") == "r418"
    assert root("use") == "use"
    assert root("station") == "station"
