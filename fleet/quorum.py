"""The quorum: how many usable answers from how many families. Pure, so that stored answers are counted alike."""

from collections.abc import Iterable, Sequence
from typing import Annotated

from pydantic import Field

from dissolution.answers import MemberCard, MemberKind
from dissolution.claims import FamilyName
from dissolution.errors import QuorumNotMet
from dissolution.policy.job_policy import QuorumPolicy
from dissolution.values import Frozen


class Quorum(Frozen):
    """How the quorum stands: distinct members and families whose answer is usable and in time."""

    met: bool
    members: Annotated[int, Field(ge=0)]
    families: tuple[FamilyName, ...]  # in alphabetical order


def count_quorum(usable: Iterable[MemberCard], policy: QuorumPolicy) -> Quorum:
    """How the quorum stands.

    Args:
        usable: The members whose answer is usable and was not late; one named twice counts once.
        policy: What is needed.

    Returns:
        The count; `met` when members and families both reach the policy's minimum.
    """
    cards = {card.name: card for card in usable}
    families = tuple(sorted({card.family for card in cards.values()}))
    met = len(cards) >= policy.min_members and len(families) >= policy.min_families
    return Quorum(met=met, members=len(cards), families=families)


def require_quorum(quorum: Quorum, policy: QuorumPolicy) -> None:
    """Raise QuorumNotMet unless the quorum is met."""
    if not quorum.met:
        raise QuorumNotMet(quorum.members, len(quorum.families), policy.min_members, policy.min_families)


def voters(members: Sequence[MemberCard]) -> tuple[MemberCard, ...]:
    """Those who count towards the quorum: extraction methods assert nothing, so they do where nobody else was asked."""
    readers = tuple(card for card in members if card.kind is not MemberKind.EXTRACTIVE)
    return readers or tuple(members)
