import numpy as np
import pytest

from consensus.cluster import AverageLinkage
from consensus.distance import joint_distances
from consensus.grouping import REACH, group_under_guards
from consensus.hashing import HashingEmbedder
from consensus.profile import Profile
from consensus.vectors import Matrix, unpack


def profiles_of(*texts: str) -> list[Profile]:
    return [Profile(text) for text in texts]


def distances_of(profiles: list[Profile]) -> Matrix:
    return joint_distances(profiles, unpack(HashingEmbedder().embed([profile.text for profile in profiles])))


def test_opposites_never_share_a_group_however_near() -> None:
    profiles = profiles_of("The deadline is March 15.", "The deadline is March 30.", "The deadline is on March 15.")
    groups = group_under_guards(AverageLinkage(0.99), distances_of(profiles), profiles)
    assert groups == ((0, 2), (1,))


def test_far_pairs_are_checked_when_they_meet() -> None:
    """The pair 0-2 is beyond reach, so only sharing a group brings it before the guards."""
    profiles = profiles_of("The limit is 12 kg.", "A limit is there.", "The limit is 15 kg.")
    far = np.array([[0, 0.1, REACH + 0.1], [0.1, 0, 0.2], [REACH + 0.1, 0.2, 0]])
    groups = group_under_guards(AverageLinkage(0.9), far, profiles)
    assert groups == ((0, 1), (2,))


def test_no_claims_no_groups() -> None:
    assert group_under_guards(AverageLinkage(0.4), np.zeros((0, 0)), []) == ()


@pytest.mark.parametrize("seed", range(3))
def test_distances_are_symmetric_within_0_and_1_with_zero_for_equal_texts(seed: int) -> None:
    words = np.random.default_rng(seed).choice(["red", "12", "r418", "fox", "not", "lake"], size=(12, 4))
    profiles = profiles_of(*(" ".join(row) for row in words), "same", "same")
    found = distances_of(profiles)
    assert np.array_equal(found, found.T)
    assert found.min() >= 0
    assert found.max() <= 1
    assert np.array_equal(np.diagonal(found), np.zeros(14))
    assert found[12, 13] == 0
    assert found[0, 12] > 0


def test_shared_figures_bring_claims_nearer_and_other_figures_part_them() -> None:
    base, same, other = profiles_of("The lake has 83 ha.", "Water covers 83 ha.", "Water covers 94 ha.")
    found = distances_of([base, same, other])
    assert found[0, 1] < found[0, 2]
