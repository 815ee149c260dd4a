"""Members that state what is said, for tests that need claims and no language model."""

import pytest

from devtools.scripted import SCRIPTED_USAGE
from dissolution.answers import FinishReason, MemberCard, MemberKind, MemberTask, Reply, Usage
from dissolution.conversation import Role
from dissolution.ports.models import Embedder, Member
from language.sentences import sentence_spans


class StatingMember:
    """States every sentence of the turns it is asked about, the user's as decided and all others as known."""

    def __init__(self, name: str) -> None:
        self._card = MemberCard(name=name, family=name, kind=MemberKind.SCRIPTED, model="every sentence")

    @property
    def card(self) -> MemberCard:
        return self._card

    def estimate(self, task: MemberTask) -> Usage:  # noqa: ARG002 - nothing is bought
        return SCRIPTED_USAGE

    async def answer(self, task: MemberTask) -> Reply:
        said: dict[bool, list[str]] = {True: [], False: []}
        for turn in task.snapshot.turns[task.since :]:
            for span in sentence_spans(turn.content):
                line = f"- {turn.content[span.start : span.end]} [turn {turn.number}]"
                said[turn.role is Role.USER].append(line)
        decided, known = said[True] or ["none"], said[False] or ["none"]
        text = "\n".join(["KNOWN", *known, "", "DECIDED", *decided, "", "EDGES", "none", "", "IDENTITY", "none", ""])
        return Reply(text=text, finish=FinishReason.STOP, usage=SCRIPTED_USAGE)


STATING = (StatingMember("ann"), StatingMember("ben"), StatingMember("cem"))
"""Three families that agree."""


def state_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the fleet that needs no key be one that states: for commands that run in this process."""

    def stating(_embedder: Embedder) -> tuple[Member, ...]:
        return STATING

    monkeypatch.setattr("fleet.extractive.roster.extractive_fleet", stating)
