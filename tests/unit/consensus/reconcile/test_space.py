"""Distances between texts of several cycles."""

import pytest

from consensus.hashing import HashingEmbedder
from consensus.reconcile.space import space_of
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
