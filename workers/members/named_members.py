"""Members of the fleet that a policy names for a task of their own: refused before anything is stored."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from dissolution.claims import MemberName
from dissolution.errors import InvalidPolicy
from dissolution.policy.job_policy import Policy
from dissolution.policy.probe import check_families
from dissolution.ports.models import Member

AnyMember = TypeVar("AnyMember", bound=Member)


def check_named_members(policy: Policy, families: Mapping[MemberName, str]) -> None:
    """Refuse members that are no language model of the job's fleet, and tasks one family would do for itself.

    Args:
        policy: The job's.
        families: The family of each language model of the fleet, by name; empty when it has none.

    Raises:
        InvalidPolicy: Naming the field, its value and what to do.
    """
    check_families(policy.probe, families)
    named = [(f"frame.{task}", name) for task, name in frame_members(policy)]
    for field, name in [*(("members", name) for name in policy.members), *named]:
        if name not in families:
            known = ", ".join(sorted(families)) or "it has no language model"
            raise InvalidPolicy(
                f"policy field {field!r}, value {name!r}", f"name a member of the job's fleet ({known}), or none"
            )
    if policy.members:
        _check_quorum(policy, families)


def _check_quorum(policy: Policy, families: Mapping[MemberName, str]) -> None:
    """Refuse members that could never be a quorum. Raises InvalidPolicy."""
    members = set(policy.members)
    asked, lineages = len(members), len({families[name] for name in members})
    quorum = policy.quorum
    if asked < quorum.min_members or lineages < quorum.min_families:
        raise InvalidPolicy(
            f"policy field 'members', value {', '.join(policy.members)!r}",
            f"the quorum wants {quorum.min_members} members of {quorum.min_families} families, these are {asked} of "
            f"{lineages}; name more, or lower 'quorum.min_members' and 'quorum.min_families'",
        )


def who_accounts(policy: Policy, fleet: Sequence[AnyMember]) -> tuple[AnyMember, ...]:
    """The members of the fleet that are asked for an account: those that policy names, or all."""
    return tuple(one for one in fleet if not policy.members or one.card.name in policy.members)


def frame_members(policy: Policy) -> tuple[tuple[str, MemberName], ...]:
    """The members that the frame's policy names, each with the field that names it."""
    frame = policy.frame
    challenger = () if frame.challenger is None else (("challenger", frame.challenger),)
    extractors = (("extractor", name) for name in frame.extractor)
    reviewers = (("reviewers", name) for name in frame.reviewers)
    return (*extractors, *reviewers, *challenger)
