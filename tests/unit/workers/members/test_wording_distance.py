"""How the review compares wordings: by the joint distance and the cut that the consensus groups by."""

from collections.abc import Sequence

import pytest

from consensus.embedding.hashing_embedder import HashingEmbedder
from dissolution.findings import Vectors
from dissolution.policy.job_policy import ConsensusPolicy
from tests.factories import a_snapshot
from workers.members.wording_distance import comparing_by

SNAPSHOT = a_snapshot("The bakery closes at six on Sundays.")
CLOSES, RYE = "The bakery closes at six on Sundays", "The bakery bakes rye bread on Sundays"
LONG = "The plan leaves a blank with a yellow stripe for the data repository."
AGAIN = "The place in the plan for the data repository is left as a blank with a yellow stripe."
DEFAULT = ConsensusPolicy()
WIDE = ConsensusPolicy(distance_threshold=0.9, embedder="hashing")


def test_two_facts_of_one_shop_are_neither_the_same_nor_near() -> None:
    comparing = comparing_by(HashingEmbedder, DEFAULT, SNAPSHOT)
    assert not comparing.same(CLOSES, RYE)
    assert not comparing.near(CLOSES, RYE)
    assert not comparing.retold(CLOSES, RYE)


def test_the_same_words_in_another_order_of_sentences_are_retold_and_not_the_same() -> None:
    comparing = comparing_by(HashingEmbedder, DEFAULT, SNAPSHOT)
    assert comparing.same(CLOSES, f"{CLOSES}.")
    assert (comparing.same(LONG, AGAIN), comparing.retold(LONG, AGAIN)) == (False, True)


def test_another_order_of_words_parts_claims_and_not_what_two_reviewers_tell_of_the_same_words() -> None:
    comparing = comparing_by(HashingEmbedder, DEFAULT, SNAPSHOT)
    one = "Key overlap, adopted by the author, is the degree from 0 to 1 to which the keys match the queries."
    other = "Key overlap is the degree from 0 to 1 to which the keys match the queries, adopted by the author."
    assert comparing.apart(one, other)
    assert not comparing.same(one, other)
    assert comparing.retold(one, other)
    assert not comparing.retold(one, other.replace("to 1", "to 2"))


def test_the_distance_that_policy_names_is_the_cut() -> None:
    assert comparing_by(HashingEmbedder, WIDE, SNAPSHOT).same(CLOSES, RYE)
    narrow = ConsensusPolicy(distance_threshold=0.01, embedder="hashing")
    assert not comparing_by(HashingEmbedder, narrow, SNAPSHOT).same(CLOSES, f"{CLOSES}.")


@pytest.mark.parametrize("other", ["The bakery closes at 7 on Sundays", "The bakery does not close at 6 on Sundays"])
def test_values_and_denials_keep_apart_whatever_the_cut(other: str) -> None:
    comparing = comparing_by(HashingEmbedder, WIDE, SNAPSHOT)
    one = CLOSES.replace("six", "6")
    assert comparing.apart(one, other)
    assert not any(how(one, other) for how in (comparing.same, comparing.near, comparing.retold))


def test_nothing_is_embedded_before_two_texts_are_compared_and_each_once() -> None:
    made: list[str] = []

    class Counting(HashingEmbedder):
        def embed(self, texts: Sequence[str]) -> Vectors:
            made.extend(texts)
            return super().embed(texts)

    comparing = comparing_by(Counting, DEFAULT, SNAPSHOT)
    assert comparing.apart(CLOSES, RYE) is False
    assert not made
    for how in (comparing.same, comparing.near, comparing.same):
        how(CLOSES, RYE)
    assert sorted(made) == sorted([CLOSES, RYE])
