"""Values with defaults, so that a test names only what it is about."""

from datetime import UTC, datetime

from dissolution.conversation import Conversation, Language, QuotedSpan, Role, Snapshot, Turn
from dissolution.values import NotMeasured

INSTANT = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)


def a_turn(
    number: int, content: str, role: Role = Role.USER, speaker: str | None = None, quoted: tuple[QuotedSpan, ...] = ()
) -> Turn:
    """One turn, recorded at INSTANT."""
    return Turn(
        number=number, role=role, speaker=speaker or role.value, content=content, recorded_at=INSTANT, quoted=quoted
    )


def a_conversation(*contents: str, name: str = "conv-1") -> Conversation:
    """User and assistant in alternation, saying these contents."""
    roles = (Role.USER, Role.ASSISTANT)
    turns = tuple(a_turn(n, text, roles[(n - 1) % 2]) for n, text in enumerate(contents, start=1))
    return Conversation(
        id=name, turns=turns, language=Language(code="en", confidence=NotMeasured(not_measured="made up"))
    )


def a_snapshot(*contents: str, name: str = "conv-1") -> Snapshot:
    """The whole of `a_conversation`."""
    return a_conversation(*contents, name=name).snapshot()
