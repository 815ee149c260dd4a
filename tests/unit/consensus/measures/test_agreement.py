import numpy as np
import pytest

from consensus.embedding.vectors import FloatArray
from consensus.measures.agreement import (
    dominant_cluster_share,
    mean_embedding_cosine,
    mean_pairwise_jaccard,
    mean_tfidf_cosine,
    measure,
)
from dissolution.values import NotMeasured
from tests.unit.consensus.made import a_statement


def test_jaccard_by_hand() -> None:
    # {a, b} and {b, c}: 1/3; {a, b} and {a, b}: 1; {b, c} and {a, b}: 1/3; mean 5/9
    assert mean_pairwise_jaccard(["alpha beta", "Beta gamma", "beta ALPHA"]) == pytest.approx(5 / 9)
    assert mean_pairwise_jaccard(["one two", "three"]) == 0


def test_tfidf_cosine_by_hand() -> None:
    # Two documents, n = 2. x is in both: idf ln(3/3) + 1 = 1; y and z in one: w = ln(3/2) + 1 = 1.405465.
    # Rows (1, w, 0) and (1, 0, w), cosine 1 / (1 + w^2) = 1 / 2.975332 = 0.336097
    assert mean_tfidf_cosine(["xx yy", "xx zz"]) == pytest.approx(0.336097, abs=1e-6)
    assert mean_tfidf_cosine(["same words", "same words"]) == pytest.approx(1)


def test_dominant_cluster_share_by_hand() -> None:
    """Three answers of the same words and two strangers: 3 of 5."""
    assert dominant_cluster_share(["red fox", "fox red", "red fox", "blue whale", "green tea"]) == 3 / 5
    assert dominant_cluster_share(["red", "blue"]) == 1 / 2
    assert dominant_cluster_share(["", "", "red"]) == 1 / 3


def rows(*values: tuple[float, float]) -> FloatArray:
    return np.array(values, dtype=np.float32)


def test_embedding_cosine_by_hand() -> None:
    # ann's mean of (1, 0) and (0, 1) is (.5, .5); bea's is (1, 0): cosine 1/sqrt(2)
    said = [a_statement("a", "ann"), a_statement("b", "ann", ordinal=1), a_statement("c", "bea")]
    assert mean_embedding_cosine(said, rows((1, 0), (0, 1), (1, 0))) == pytest.approx(2**-0.5)


def test_a_mean_of_nothing_points_nowhere() -> None:
    said = [a_statement("a", "ann"), a_statement("b", "ann", ordinal=1), a_statement("c", "bea")]
    assert isinstance(mean_embedding_cosine(said, rows((1, 0), (-1, 0), (1, 0))), NotMeasured)


@pytest.mark.parametrize("texts", [[], ["only one"]])
def test_a_single_answer_agrees_with_nobody(texts: list[str]) -> None:
    for function in (mean_pairwise_jaccard, mean_tfidf_cosine, dominant_cluster_share):
        assert function(texts) == NotMeasured(not_measured="fewer than two answers")
    said = [a_statement(text) for text in texts]
    assert isinstance(mean_embedding_cosine(said, np.ones((len(said), 1), dtype=np.float32)), NotMeasured)


def test_answers_without_words_are_no_pair() -> None:
    for function in (mean_pairwise_jaccard, mean_tfidf_cosine):
        assert isinstance(function(["word", "...", ""]), NotMeasured)


def test_all_measures_are_the_same_in_any_order() -> None:
    said = [a_statement("a", "ann"), a_statement("b", "bea"), a_statement("c", "cid")]
    vectors = rows((1, 0), (0.6, 0.8), (0, 1))
    answers = {"ann": "the red fox ran", "bea": "a red fox", "cid": "blue whales sing to foxes"}
    plain = measure(answers, said, vectors, [said[:2], said[2:]])
    turned = measure(dict(reversed(answers.items())), said, vectors, [said[2:], said[:2]])
    assert plain == turned
    assert plain.claim_agreement == 1 / 2
