"""Members of the fleet that a policy names for a task of their own: refused before anything is stored."""

from collections.abc import Mapping

from dissolution.claims import MemberName
from dissolution.errors import InvalidPolicy
from dissolution.policy import Policy
from dissolution.probe_policy import check_families


def check_named_members(policy: Policy, families: Mapping[MemberName, str]) -> None:
    """Refuse members that are no language model of the job's fleet, and tasks one family would do for itself.

    Args:
        policy: The job's.
        families: The family of each language model of the fleet, by name; empty when it has none.

    Raises:
        InvalidPolicy: Naming the field, its value and what to do.
    """
    check_families(policy.probe, families)
    for task, name in frame_members(policy):
        if name not in families:
            known = ", ".join(sorted(families)) or "it has no language model"
            raise InvalidPolicy(
                f"policy field 'frame.{task}', value {name!r}", f"name a member of the job's fleet ({known}), or none"
            )


def frame_members(policy: Policy) -> tuple[tuple[str, MemberName], ...]:
    """The members that the frame's policy names, each with the field that names it."""
    frame = policy.frame
    challenger = () if frame.challenger is None else (("challenger", frame.challenger),)
    extractors = (("extractor", name) for name in frame.extractor)
    reviewers = (("reviewers", name) for name in frame.reviewers)
    return (*extractors, *reviewers, *challenger)
