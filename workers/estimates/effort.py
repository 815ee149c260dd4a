"""The presets of effort as changes of a policy, made once, before a job is stored: the job keeps what came of it."""

from collections.abc import Mapping

from dissolution.claims import MemberName
from dissolution.framing import MOST_NEEDED
from dissolution.policy.effort import Effort
from dissolution.policy.job_policy import Policy, QuorumPolicy

LOW_QUESTIONS = 50
"""Held-out questions under low effort: the fewest whose chances are published (docs/probe.md)."""

HIGH_QUESTIONS = 240
"""The same under high effort: twice those of the balanced gate."""

EVERY_FAMILY = 10
"""The most families that a policy may ask for reviews."""


def with_effort(policy: Policy, families: Mapping[MemberName, str]) -> Policy:
    """The policy with what its effort stands for; what it says itself of the same fields stays.

    Making it twice is making it once: what was chosen is then what the policy says.

    Args:
        policy: As it was given, or came of this before.
        families: The family of each language model of the job's fleet, by name, in the order of the roster.
    """
    if policy.effort is Effort.STANDARD:
        return policy
    low = policy.effort is Effort.LOW
    changed: dict[str, object] = {}
    frame, probe, said = policy.frame, policy.probe, policy.model_fields_set
    if low and "members" not in said:
        changed["members"] = fewest(policy.quorum, families)
    if not {"reviewers", "review_families"} & frame.model_fields_set:
        reviewing = MOST_NEEDED if low else EVERY_FAMILY
        changed["frame"] = frame.model_copy(update={"review_families": reviewing})
    if "gate" not in probe.model_fields_set:
        questions = LOW_QUESTIONS if low else HIGH_QUESTIONS
        gate = probe.gate.model_copy(update={"questions": questions})
        changed["probe"] = probe.model_copy(update={"gate": gate})
    return policy.model_copy(update=changed)


def fewest(quorum: QuorumPolicy, families: Mapping[MemberName, str]) -> tuple[MemberName, ...]:
    """As few members as the quorum needs: the first of each family, then the next of the roster; () where it has none.

    They stand in the order of the roster.
    """
    firsts: dict[str, MemberName] = {}
    for name, family in families.items():
        firsts.setdefault(family, name)
    chosen = list(firsts.values())[: quorum.min_families]
    rest = [name for name in families if name not in chosen]
    chosen += rest[: max(0, quorum.min_members - len(chosen))]
    return tuple(name for name in families if name in chosen)
