"""A member that reviews claims by rule, so that the path with reviewers can be run without a model."""

import json
import re
from collections.abc import Mapping, Sequence

from dissolution.answers import MemberKind
from dissolution.errors import MemberError
from dissolution.reviewing import Fault
from prompts.reviewing import REVIEW
from tests.unit.workers.probing_members import FACTS, ProbingMember

Said = tuple[Fault, int, str]
"""What is said of a claim: the fault, the turn, the words of the turn."""


class ReviewingMember(ProbingMember):
    """Finds fault with the claims that it is told to, and says nothing of every other one.

    Args:
        name: Its name; its family is the same unless given.
        faults: What it says of a claim, by the claim's words.
        states: What it says of the whole conversation.
        says: Replies in place of its own, by prompt name.
        missing: Remarks about what no claim holds, as they are sent.
    """

    def __init__(
        self,
        name: str,
        faults: Mapping[str, Said] = {},
        states: Sequence[tuple[str, str, str, str]] = FACTS,
        *,
        family: str | None = None,
        says: Mapping[str, str | MemberError | list[str | MemberError]] | None = None,
        kind: MemberKind = MemberKind.LANGUAGE_MODEL,
        missing: Sequence[Mapping[str, object]] = (),
    ) -> None:
        super().__init__(name, states, family=family, says=says, kind=kind)
        self._faults = dict(faults)
        self._missing = list(missing)

    @property
    def shown(self) -> list[list[str]]:
        """The claims of each review it was asked for."""
        return [[words for _, words in claims_in(text)] for text in self.asked(REVIEW)]

    def _by_rule(self, name: str, text: str) -> str:
        if name != REVIEW:
            return super()._by_rule(name, text)
        found = [
            remark(int(number), *self._faults[words]) for number, words in claims_in(text) if words in self._faults
        ]
        return json.dumps({"remarks": [*found, *self._missing]})


def claims_in(prompt: str) -> list[tuple[str, str]]:
    """Number and words of the claims of a prompt."""
    return re.findall(r"^(?:c(?=\d+ )|\[claim )(\d+)(?:\] [A-Z]+\n\|)? (.*)$", prompt, re.MULTILINE)


def remark(claim: int, fault: Fault, turn: int, quote: str, **more: object) -> dict[str, object]:
    """A remark about one claim as it is sent."""
    return {"fault": fault.value, "claims": [claim], "turn": turn, "quote": quote, **more}
