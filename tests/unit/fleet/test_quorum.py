"""Counting by families."""

import pytest

from dissolution.errors import QuorumNotMet
from dissolution.policy.job_policy import QuorumPolicy
from fleet.quorum import count_quorum, require_quorum
from tests.unit.fleet.parts import a_card


@pytest.mark.parametrize(
    ("families", "min_members", "min_families", "met"),
    [
        ("", 1, 1, False),
        ("a", 1, 1, True),
        ("ab", 2, 2, True),
        ("a", 2, 2, False),
        ("aa", 2, 2, False),  # enough members, one family short
        ("aab", 3, 2, True),
        ("ab", 3, 2, False),  # enough families, one member short
        ("aaab", 3, 3, False),
    ],
)
def test_members_and_families_must_both_reach_the_minimum(
    families: str, min_members: int, min_families: int, *, met: bool
) -> None:
    cards = [a_card(f"m{place}", family) for place, family in enumerate(families)]
    policy = QuorumPolicy(min_members=min_members, min_families=min_families)
    quorum = count_quorum(cards, policy)
    assert (quorum.met, quorum.members, quorum.families) == (met, len(families), tuple(sorted(set(families))))


def test_a_member_named_twice_counts_once() -> None:
    quorum = count_quorum([a_card("a"), a_card("a"), a_card("b")], QuorumPolicy(min_members=3, min_families=2))
    assert (quorum.met, quorum.members) == (False, 2)


def test_requiring_a_quorum_says_what_is_missing() -> None:
    policy = QuorumPolicy()
    require_quorum(count_quorum([a_card("a"), a_card("b")], policy), policy)
    with pytest.raises(QuorumNotMet, match=r"1 usable.*from 1.* 2 from 2"):
        require_quorum(count_quorum([a_card("a")], policy), policy)
