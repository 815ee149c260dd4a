import numpy as np
import pytest

from consensus.cluster import AverageLinkage
from consensus.voices import RESTATED, OneVoice


def pairwise(n: int, distance: float) -> "np.ndarray[tuple[int, int], np.dtype[np.float64]]":
    found = np.full((n, n), distance)
    np.fill_diagonal(found, 0.0)
    return found


def group(members: list[str], distances: "np.ndarray[tuple[int, int], np.dtype[np.float64]]") -> object:
    return OneVoice(AverageLinkage(0.4), members).group(distances, np.zeros(distances.shape, dtype=np.bool_))


def test_two_claims_of_one_member_stay_apart_where_two_members_would_meet() -> None:
    near = pairwise(2, 0.3)
    assert group(["ann", "ann"], near) == ((0,), (1,))
    assert group(["ann", "bob"], near) == ((0, 1),)


def test_each_claim_of_one_member_finds_its_own_partner() -> None:
    near = pairwise(4, 0.35)
    near[0, 2] = near[2, 0] = near[1, 3] = near[3, 1] = 0.2
    assert group(["ann", "ann", "bob", "bob"], near) == ((0, 2), (1, 3))


def test_a_member_that_repeats_itself_is_one_voice_all_the_same() -> None:
    assert group(["ann", "ann"], pairwise(2, RESTATED)) == ((0, 1),)


def test_what_the_caller_forbids_stays_forbidden() -> None:
    near = pairwise(2, 0.1)
    apart = np.array([[False, True], [True, False]])
    assert OneVoice(AverageLinkage(0.4), ["ann", "bob"]).group(near, apart) == ((0,), (1,))


def test_no_claims_no_groups_and_its_name_tells_the_method() -> None:
    nothing = OneVoice(AverageLinkage(0.4), [])
    assert nothing.group(np.zeros((0, 0)), np.zeros((0, 0), dtype=np.bool_)) == ()
    assert nothing.name == "average-linkage/1 cut=0.4 one-voice"


def test_another_number_of_rows_is_refused() -> None:
    with pytest.raises(ValueError, match="1 members for 2 rows; give one member a row"):
        group(["ann"], pairwise(2, 0.3))
