"""Excerpts: the words of turns, chosen by extraction methods and asserted by nobody."""

from typing import Annotated

from pydantic import Field

from dissolution.claims import Evidence, FamilyName
from dissolution.conversation import Role, TurnNumber
from dissolution.values import Frozen, Span

NOBODY_HAS_READ = "nobody has read this"
"""The first reason of every verdict on a boundary whose fleet is no reader; said wherever such a boundary is shown."""


class ExcerptPolicy(Frozen):
    """How much of what nobody has read may stand as excerpts."""

    share: Annotated[float, Field(gt=0, le=0.5)] = 0.15
    """Share of the words of the turns that excerpts may take. docs/extractive.md says what 10, 20 and 40 % keep."""

    least_words: Annotated[int, Field(ge=0, le=100_000)] = 120
    """Words that excerpts may always take, so that a short talk is not cut to a sentence."""

    def allowed(self, words: int) -> int:
        """Words that excerpts of so many words may have."""
        return max(self.least_words, int(self.share * words))


class Chosen(Span):
    """A stretch of one turn that one extraction method chose.

    `score` is 1 less the share of the conversation's words that the method would rather keep: above 0.9 stands what it
    keeps of a tenth.
    """

    turn: TurnNumber
    score: Annotated[float, Field(ge=0, le=1)]


class Excerpt(Evidence):
    """Whole sentences of one turn, word for word, with who said them; nobody says that they hold."""

    role: Role
    speaker: str
    quoted: bool  # quoted material or the output of a tool: nobody of this conversation said it himself
    chosen_by: Annotated[tuple[FamilyName, ...], Field(min_length=1)]  # methods, in alphabetical order
    score: Annotated[float, Field(ge=0, le=1)]  # mean of the scores of all methods that were asked
