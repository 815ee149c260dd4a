"""A member that audits claims by rule, so that the path with auditors can be run without a model."""

import json
import re
from collections.abc import Mapping, Sequence

from dissolution.answers import MemberKind
from dissolution.claim_audit import Assessment
from dissolution.errors import MemberError
from prompts.claim_auditing import CLAIM_AUDIT
from tests.unit.workers.probing_members import FACTS, ProbingMember

Fault = tuple[Assessment, int, str]
"""What is said of a claim: the assessment, the turn, the words of the turn."""


class AuditingMember(ProbingMember):
    """Finds fault with the claims that it is told to, and calls every other one sound.

    Args:
        name: Its name; its family is the same unless given.
        faults: What it says of a claim, by the claim's words.
        states: What it says of the whole conversation.
        says: Replies in place of its own, by prompt name.
    """

    def __init__(
        self,
        name: str,
        faults: Mapping[str, Fault] = {},
        states: Sequence[tuple[str, str, str, str]] = FACTS,
        *,
        family: str | None = None,
        says: Mapping[str, str | MemberError | list[str | MemberError]] | None = None,
        kind: MemberKind = MemberKind.SCRIPTED,
    ) -> None:
        super().__init__(name, states, family=family, says=says, kind=kind)
        self._faults = dict(faults)

    @property
    def shown(self) -> list[list[str]]:
        """The claims of each audit it was asked for."""
        return [[words for _, words in claims_in(text)] for text in self.asked(CLAIM_AUDIT)]

    def _by_rule(self, name: str, text: str) -> str:
        if name != CLAIM_AUDIT:
            return super()._by_rule(name, text)
        return assessed(*(self._faults.get(words, SOUND) for _, words in claims_in(text)))


SOUND: Fault = (Assessment.SOUND, 0, "")


def claims_in(prompt: str) -> list[tuple[str, str]]:
    """Number and words of the claims of a prompt."""
    return re.findall(r"^\[claim (\d+)\] [A-Z]+\n\| (.*)$", prompt, re.MULTILINE)


def assessed(*given: Fault) -> str:
    """Assessments in the form, one for each claim in order."""
    entries = [
        {"claim": number, "verdict": assessment.value, "turn": turn, "quote": quote}
        for number, (assessment, turn, quote) in enumerate(given, start=1)
    ]
    return json.dumps({"verdicts": entries})
