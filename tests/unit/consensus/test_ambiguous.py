import numpy as np
import pytest

from consensus.ambiguous import AmbiguousPair, Doubt, ambiguous_pairs
from consensus.profile import Profile

CUT = 0.4


def pairs_of(texts: list[str], distance: float, band: float = 0.05, most: int | None = None) -> list[AmbiguousPair]:
    n = len(texts)
    distances = np.full((n, n), distance)
    np.fill_diagonal(distances, 0.0)
    return list(ambiguous_pairs([Profile(text) for text in texts], distances, CUT, band=band, most=most))


@pytest.mark.parametrize(
    ("distance", "asked"), [(0.30, False), (0.36, True), (0.40, True), (0.44, True), (0.46, False)]
)
def test_a_pair_without_veto_is_asked_about_near_the_threshold_alone(distance: float, asked: bool) -> None:  # noqa: FBT001 - a table
    found = pairs_of(["The lake is deep.", "The water goes far down."], distance)
    assert [pair.doubt for pair in found] == ([Doubt.THRESHOLD] if asked else [])


def test_a_veto_that_opposes_nothing_is_asked_about() -> None:
    (pair,) = pairs_of(["Output falls from 50 to 25 kg per ha.", "Output falls in 30 minutes."], 0.2)
    assert pair.doubt is Doubt.GUARD
    assert "number" in pair.detail


def test_opposed_claims_are_clear() -> None:
    assert pairs_of(["The deadline is March 15.", "The deadline is March 30."], 0.2) == []


def test_far_pairs_and_equal_texts_are_clear() -> None:
    assert pairs_of(["The lake is deep.", "The lake is deep."], 0.4) == []
    assert pairs_of(["The lake is 12 m deep.", "The tower has 30 stairs."], 0.9) == []
    assert pairs_of([], 0.4) == []


def test_a_pair_of_texts_is_asked_once_and_the_least_clear_comes_first() -> None:
    texts = ["The lake is deep.", "The lake is deep.", "The water goes far down.", "It is a deep lake."]
    distances = np.full((4, 4), 0.44)
    distances[0, 3] = distances[3, 0] = 0.39
    np.fill_diagonal(distances, 0.0)
    found = ambiguous_pairs([Profile(text) for text in texts], distances, CUT, band=0.05)
    assert [(pair.left, pair.right) for pair in found] == [(0, 3), (0, 2), (2, 3)]
    assert len(ambiguous_pairs([Profile(text) for text in texts], distances, CUT, band=0.05, most=1)) == 1


def test_a_negative_band_is_refused() -> None:
    with pytest.raises(ValueError, match="band -1 must be 0 or more"):
        pairs_of(["a"], 0.4, band=-1)
