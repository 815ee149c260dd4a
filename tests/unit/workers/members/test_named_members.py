"""Members that a policy names are looked for before anything is stored."""

import pytest

from dissolution.errors import InvalidPolicy
from dissolution.framing import FramePolicy
from dissolution.policy.job_policy import Policy, QuorumPolicy
from dissolution.policy.probe import ProbePolicy
from workers.members.named_members import check_named_members, frame_members

FAMILIES = {"ann": "red", "ben": "blue"}


def test_members_of_the_fleet_are_taken() -> None:
    check_named_members(Policy(), {})
    named = Policy(probe=ProbePolicy(writer="ann", reader="ben"))
    check_named_members(named, FAMILIES)
    check_named_members(Policy(frame=FramePolicy(reviewers=("ben", "ann"))), FAMILIES)


@pytest.mark.parametrize(
    ("policy", "field"),
    [
        (Policy(probe=ProbePolicy(reader="eve")), r"probe\.reader"),
        (Policy(frame=FramePolicy(reviewers=("eve",))), r"frame\.reviewers'"),
        (Policy(frame=FramePolicy(reviewers=("ann", "eve"))), r"frame\.reviewers'"),
    ],
)
def test_anybody_else_is_refused_by_field_and_name(policy: Policy, field: str) -> None:
    with pytest.raises(InvalidPolicy, match=f"{field}.*'eve'.*ann, ben"):
        check_named_members(policy, FAMILIES)


def test_a_reviewer_is_refused_where_the_fleet_has_no_language_model() -> None:
    with pytest.raises(InvalidPolicy, match=r"frame\.reviewers', value 'ann'.*no language model"):
        check_named_members(Policy(frame=FramePolicy(reviewers=("ann",))), {})


def test_every_member_the_frame_names_is_listed_with_its_field() -> None:
    policy = Policy(frame=FramePolicy(extractor=("ann",), reviewers=("ben", "ann"), challenger="cem"))
    assert sorted(frame_members(policy)) == [
        ("challenger", "cem"),
        ("extractor", "ann"),
        ("reviewers", "ann"),
        ("reviewers", "ben"),
    ]
    assert frame_members(Policy()) == ()


def test_members_that_account_are_looked_for_in_the_fleet() -> None:
    check_named_members(Policy(members=("ann", "ben")), FAMILIES)
    with pytest.raises(InvalidPolicy, match=r"'members', value 'eve'.*ann, ben"):
        check_named_members(Policy(members=("ann", "eve")), FAMILIES)


@pytest.mark.parametrize("named", [("ann",), ("ann", "ann"), ("ann", "amy")])
def test_members_that_can_be_no_quorum_are_refused(named: tuple[str, ...]) -> None:
    with pytest.raises(InvalidPolicy, match=r"'members'.*2 members of 2 families"):
        check_named_members(Policy(members=named), {**FAMILIES, "amy": "red"})
    alone = QuorumPolicy(min_members=1, min_families=1)
    check_named_members(Policy(members=named, quorum=alone), {**FAMILIES, "amy": "red"})
