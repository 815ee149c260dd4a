"""How much a job may ask for: the name of a preset of members, reviewers and questions."""

from enum import StrEnum


class Effort(StrEnum):
    """A preset. What a policy says itself of members, reviewers or the gate wins over it."""

    LOW = "low"  # as few members as a quorum needs, two reviewers of two families, a small bank
    STANDARD = "standard"  # what the policy says
    HIGH = "high"  # all members, a reviewer of every family, a larger bank
