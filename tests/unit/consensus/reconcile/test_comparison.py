"""Distances between texts of several cycles."""

import pytest

from consensus.embedding.hashing_embedder import HashingEmbedder
from consensus.embedding.vectors import unpack
from consensus.reconcile.comparison import space_of
from consensus.wording.distance import DistanceRows, joint_distances
from consensus.wording.profile import profile_of
from tests.unit.consensus.reconcile.made import a_space

ONE, TWO, FAR = "The cache holds 512 MB.", "The cache holds 1024 MB.", "Nobody deploys on Fridays."


def test_a_text_is_itself_even_where_it_was_not_laid_out() -> None:
    space = a_space(ONE)
    assert space.same(FAR, FAR)
    assert space.distance(ONE, ONE) == pytest.approx(0.0, abs=1e-6)


def test_what_was_not_laid_out_is_about_something_else() -> None:
    space = a_space(ONE)
    assert space.distance(ONE, FAR) == space.distance(FAR, ONE) == 1.0
    assert not space.on_topic(ONE, FAR)


def test_near_texts_with_other_figures_are_two_claims_about_one_thing() -> None:
    space = a_space(ONE, TWO, FAR)
    assert space.on_topic(ONE, TWO)
    assert not space.same(ONE, TWO)
    assert not space.on_topic(ONE, FAR)


def test_texts_are_laid_out_once_and_none_is_a_space_too() -> None:
    assert a_space(ONE, ONE, TWO).rows.shape[0] == 2
    assert not space_of([], HashingEmbedder(), None).places


def test_the_policy_s_distance_outranks_the_calibrated_one() -> None:
    other = "The cache of the portal holds 512 MB."
    assert a_space(ONE, other).same_claim > 0
    assert not space_of([ONE, other], HashingEmbedder(), 0.0).same(ONE, other)


def test_rows_one_by_one_are_the_rows_of_the_whole_table() -> None:
    texts = sorted([ONE, TWO, FAR, "The cache of the portal holds 512 MB.", "512", "It is so."])
    rows = unpack(HashingEmbedder().embed(texts))
    profiles = [profile_of(text) for text in texts]
    whole, single = joint_distances(profiles, rows), DistanceRows(profiles, rows)
    for place in range(len(texts)):
        assert single.row(place) == pytest.approx(whole[place], abs=1e-8)


def test_two_held_texts_can_be_compared_beside_what_is_said() -> None:
    space = space_of([ONE, TWO, FAR], HashingEmbedder(), None, said=[FAR])
    assert space.distance(ONE, FAR) == space.distance(FAR, ONE)
    assert space.distance(ONE, TWO) == a_space(ONE, TWO, FAR).distance(TWO, ONE)


def test_what_is_said_is_compared_with_all_that_is_held_by_its_own_row_alone() -> None:
    held = [f"The cache of portal {number} holds {number} MB." for number in range(50)]
    space = space_of([*held, ONE, TWO], HashingEmbedder(), None, said=[ONE, TWO])
    for said in (ONE, TWO):
        for known in held:
            space.distance(known, said)
            space.distance(said, known)
    assert set(space.made) == {ONE, TWO}
