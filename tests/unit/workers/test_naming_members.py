"""Members that a policy names are looked for before anything is stored."""

import pytest

from dissolution.errors import InvalidPolicy
from dissolution.policy import ConsensusPolicy, Policy
from dissolution.probe_policy import ProbePolicy
from workers.naming_members import check_named_members

FAMILIES = {"ann": "red", "ben": "blue"}


def test_members_of_the_fleet_are_taken() -> None:
    check_named_members(Policy(), {})
    named = Policy(consensus=ConsensusPolicy(adjudicator="ann"), probe=ProbePolicy(writer="ann", reader="ben"))
    check_named_members(named, FAMILIES)


@pytest.mark.parametrize(
    ("policy", "field"),
    [
        (Policy(consensus=ConsensusPolicy(adjudicator="eve")), r"consensus\.adjudicator"),
        (Policy(probe=ProbePolicy(reader="eve")), r"probe\.reader"),
    ],
)
def test_anybody_else_is_refused_by_field_and_name(policy: Policy, field: str) -> None:
    with pytest.raises(InvalidPolicy, match=f"{field}.*'eve'.*ann, ben"):
        check_named_members(policy, FAMILIES)
