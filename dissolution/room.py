"""How much room a boundary has: what members are asked for, in words and bullets, and what stands is kept to."""

from typing import Annotated

from pydantic import Field

from dissolution.policy.job_policy import SizePolicy
from dissolution.values import Frozen

WORDS_A_TOKEN = 0.75
"""English words of running text for each token, as the usual vocabularies have it."""

WORDS_A_BULLET = 16
"""Words of one statement that stands on its own: the mean of recorded answers, rounded up."""


class Room(Frozen):
    """A size in tokens, told to members in words and bullets."""

    tokens: Annotated[int, Field(ge=1)]

    @property
    def words(self) -> int:
        """The same in words, to the next ten: 10 or more."""
        return max(10, round(self.tokens * WORDS_A_TOKEN / 10) * 10)

    @property
    def bullets(self) -> int:
        """About as many statements fit: 1 or more."""
        return max(1, round(self.words / WORDS_A_BULLET))


def room_of(policy: SizePolicy, tokens: int) -> Room:
    """The room of a boundary about turns of so many tokens: the policy's share of them, within its bounds."""
    return Room(tokens=min(policy.most_tokens, max(policy.least_tokens, round(policy.share * tokens))))


def kept_words(policy: SizePolicy, room: Room, longest: int) -> int:
    """Words that new claims may take when nobody will merge them any more.

    Args:
        policy: The policy.
        room: What members were told.
        longest: Words of the longest answer.
    """
    least = Room(tokens=policy.least_tokens).words
    return round(min(policy.reviewed * room.words, max(least, policy.longest * longest)))
