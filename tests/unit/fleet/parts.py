"""Cards and tasks for the tests of this room."""

from dissolution.answers import MemberCard, MemberKind, MemberTask, PromptMessage, PromptStamp, RenderedPrompt
from tests.factories import a_snapshot

STAMP = PromptStamp(name="four_part", version=1, digest="0" * 64)


def a_prompt(text: str = "Four parts, please.") -> RenderedPrompt:
    """A prompt of one user message."""
    return RenderedPrompt(stamp=STAMP, messages=(PromptMessage(role="user", content=text),))


def a_task(*contents: str, deadline_s: float = 1000.0, name: str = "conv-1") -> MemberTask:
    """A task about a small conversation."""
    return MemberTask(
        snapshot=a_snapshot(*(contents or ("We use Redis.", "Noted.")), name=name),
        prompt=a_prompt(),
        deadline_s=deadline_s,
    )


def a_card(name: str, family: str | None = None, kind: MemberKind = MemberKind.SCRIPTED) -> MemberCard:
    """A card; the family is the name's first letter unless given."""
    return MemberCard(name=name, family=family or name[0], kind=kind, model=f"script {name}")
