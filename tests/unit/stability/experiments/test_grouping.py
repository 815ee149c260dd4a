"""Groups and pairs worked out by hand."""

import numpy as np
import pytest

from consensus.embedding.hashing_embedder import HashingEmbedder
from dissolution.errors import InputError
from stability.experiments.grouping import (
    PairCount,
    answer_cosines,
    by_pair,
    compared,
    count,
    greedy,
    labels_of,
    largest_share,
    pairs_of,
    tfidf,
)

NEAR = np.array([[1.0, 0.9, 0.1], [0.9, 1.0, 0.3], [0.1, 0.3, 1.0]])


def test_a_claim_joins_the_first_group_that_is_near_enough() -> None:
    assert greedy(NEAR, 0.85) == ((0, 1), (2,))
    assert greedy(NEAR, 0.95) == ((0,), (1,), (2,))
    # The third is near the second, not the first, and only firsts are asked.
    assert greedy(NEAR, 0.25) == ((0, 1), (2,))


def test_pairs_and_shares_by_hand() -> None:
    true = pairs_of([(0, 1, 2), (3,)])
    assert true == {(0, 1), (0, 2), (1, 2)}
    found = count(true, ((0, 1), (2, 3)))
    assert found == PairCount(both=1, said=2, true=3)
    assert (found.precision, found.recall, found.f1) == (0.5, pytest.approx(1 / 3), 0.4)


def test_without_pairs_shares_are_nought() -> None:
    nothing = PairCount(both=0, said=0, true=0)
    assert (nothing.precision, nothing.recall, nothing.f1) == (0.0, 0.0, 0.0)


def test_the_largest_cluster() -> None:
    assert largest_share(NEAR, 0.85) == pytest.approx(2 / 3)
    assert largest_share(np.eye(4), 0.2) == 0.25
    assert largest_share(np.ones((4, 4)), 0.85) == 1.0


def test_words_in_common_make_texts_alike() -> None:
    rows = tfidf(["the port is open", "THE PORT IS OPEN", "nothing else"])
    assert rows[0, 1] == pytest.approx(1.0)
    assert rows[0, 2] == 0.0


def test_pairs_have_the_names_of_their_members() -> None:
    assert by_pair(["a", "b", "c"], NEAR) == {("a", "b"): 0.9, ("a", "c"): 0.1, ("b", "c"): 0.3}


def test_an_answer_is_like_itself_and_nothing_is_like_an_empty_one() -> None:
    rows = answer_cosines(["The port is 9090. It is open.", "The port is 9090. It is open.", ""], HashingEmbedder())
    assert rows[0, 1] == pytest.approx(1.0)
    assert rows[2].tolist() == [0.0, 0.0, 0.0]


def test_a_label_file_is_compared_three_ways() -> None:
    claims = [
        {"id": "1", "writer": "a", "text": "The port is 9090."},
        {"id": "2", "writer": "b", "text": "The port is 9090."},
        {"id": "3", "writer": "b", "text": "Nobody deploys on a Friday."},
    ]
    labels = labels_of({"claims": claims, "groups": [{"claims": ["1", "2"]}, {"claims": ["3"]}], "more": 1}, "x.json")
    found = compared(labels, HashingEmbedder())
    assert set(found) == {"words (TF-IDF 0.20)", "meaning (embedding 0.85)", "this project"}
    assert all((one.f1, one.true) == (1.0, 1) for one in found.values())


@pytest.mark.parametrize("given", [{}, {"claims": 3}, {"claims": [3]}, {"claims": [{"id": "1"}]}])
def test_a_broken_label_file_is_named(given: dict[str, object]) -> None:
    with pytest.raises(InputError, match=r"label file 'x\.json'"):
        labels_of(given, "x.json")
