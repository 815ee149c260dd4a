"""How many questions a gate needs, and how many a bank is written for: reckoned before anybody is asked."""

from typing import Annotated

from pydantic import Field

from dissolution.values import Frozen


class BankNeed(Frozen):
    """Held-out questions: what policy asks for, what its bounds need, what the conversation bears, what is written."""

    asked_for: Annotated[int, Field(ge=1)]  # policy field probe.gate.questions
    needed: Annotated[int, Field(ge=1)]  # that a candidate at accept_loss needs on average to be accepted
    borne: Annotated[int, Field(ge=0)]  # by the words of the conversation
    written: Annotated[int, Field(ge=1)]  # that a bank is written for
    most_lost: Annotated[int, Field(ge=0)] | None  # with which so many still pass; None: they never do

    @property
    def short(self) -> bool:
        """Whether fewer are asked for than the bounds need."""
        return self.asked_for < self.needed

    @property
    def wanted(self) -> int:
        """Held-out questions below which a bank that was written is written on: needed, asked for, and borne."""
        return min(self.needed, self.written, self.borne)

    @property
    def words(self) -> str:
        """The same for a person, in one line; what is written is told where fewer are asked for than needed."""
        told = f"the policy asks for {self.asked_for} questions, and {self.needed} would be enough to be sure"
        if not self.short:
            return told
        lost = "can prove nothing" if self.most_lost is None else f"prove it where at most {self.most_lost} are lost"
        if self.written == self.asked_for:
            bears = "" if self.borne > self.asked_for else f"; the conversation is long enough for about {self.borne}"
            return f"{told}{bears}: {self.written} are written, which {lost}"
        bears = "" if self.borne >= self.needed else ", as many as the conversation is long enough for"
        return f"{told}: {self.written} are written{bears}, which {lost}"
