"""Which prompts a member can be asked: not every member has a model behind it, and a recording was asked once."""

from typing import Protocol, runtime_checkable

from dissolution.answers import MemberKind
from dissolution.ports.models import Member
from fleet.recorded import FOUR_PARTS


@runtime_checkable
class Choosy(Protocol):
    """A member that says itself which prompts it can answer."""

    def can_answer(self, prompt: str) -> bool:
        """Whether a prompt of this name can be put to it."""
        ...


def can_answer(member: Member, prompt: str) -> bool:
    """Whether a prompt of this name can be put to a member; its answer may still be a failure.

    A member that does not say so itself answers by its kind: a language model or a script anything, a recording what
    asks for the four parts, an extraction method nothing that is put in words.
    """
    if isinstance(member, Choosy):
        return member.can_answer(prompt)
    if member.card.kind is MemberKind.RECORDED:
        return prompt in FOUR_PARTS
    return member.card.kind is not MemberKind.EXTRACTIVE


def answers_the_path(member: Member) -> bool:
    """Whether a member can be put anything else than the four parts: a review, a question, a repair."""
    return can_answer(member, "repair")
