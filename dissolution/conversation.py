"""Conversations, turns and snapshots: what a dissolution reads and never changes."""

import hashlib
from datetime import UTC
from enum import StrEnum
from functools import cached_property
from typing import Annotated

from pydantic import AwareDatetime, Field, model_validator

from dissolution.errors import InvalidConversation, UnknownTurn
from dissolution.values import Frozen, Measured, Span

ConversationId = Annotated[str, Field(min_length=1, max_length=200)]
TurnNumber = Annotated[int, Field(ge=1)]


class Role(StrEnum):
    """Who speaks in a turn."""

    USER = "user"  # the person who works with the assistant
    ASSISTANT = "assistant"  # the assistant
    SYSTEM = "system"  # instructions of the operator (system or developer messages)
    TOOL = "tool"  # output of a tool: quoted material as a whole
    PARTICIPANT = "participant"  # any other speaker, told apart by `Turn.speaker`


PEOPLE = frozenset({Role.USER, Role.PARTICIPANT})
"""Roles of people who take part in the talk; the operator does not."""


class QuotedKind(StrEnum):
    """What a stretch of quoted material is. Quoted material informs; it never instructs (rule 8)."""

    TOOL_OUTPUT = "tool_output"
    TOOL_CALL = "tool_call"
    DOCUMENT = "document"
    CODE = "code"
    QUOTE = "quote"


class QuotedSpan(Span):
    """A span of a turn's content that the speaker passed on instead of saying it."""

    kind: QuotedKind


class Redaction(Frozen):
    """A secret that was replaced when its turn was read. The secret itself is nowhere."""

    turn: TurnNumber
    kind: Annotated[str, Field(min_length=1)]
    placeholder: Annotated[str, Field(min_length=1)]


class KnownSecret(Frozen):
    """What recognises a secret again that was replaced: its length and keyed hashes, of which none is the secret."""

    turn: TurnNumber
    """The turn that it was met in."""
    placeholder: Annotated[str, Field(min_length=1)]
    length: Annotated[int, Field(ge=1)]
    """Characters of the secret."""
    head: Annotated[str, Field(pattern=r"^[0-9a-f]{3}$")]
    """Of HMAC-SHA256 over its first six characters."""
    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
    """Of HMAC-SHA256 over the whole."""


class Language(Frozen):
    """The language a conversation is mostly in: ISO 639-1 code ("und" if undetermined) and confidence in 0..1."""

    code: Annotated[str, Field(pattern=r"^[a-z]{2,3}$")]
    confidence: Measured


class Turn(Frozen):
    """One turn. `content` is what is stored, quoted and checked: secrets are already replaced in it."""

    number: TurnNumber
    role: Role
    speaker: Annotated[str, Field(min_length=1, max_length=200)]
    content: Annotated[str, Field(min_length=1)]
    said_at: AwareDatetime | None = None
    recorded_at: AwareDatetime
    quoted: tuple[QuotedSpan, ...] = ()

    @model_validator(mode="after")
    def _quoted_spans_lie_inside(self) -> "Turn":
        end = 0
        for span in self.quoted:
            if span.start < end or span.end > len(self.content):
                message = (
                    f"turn {self.number}: quoted span [{span.start}, {span.end}) overlaps another or leaves the turn"
                )
                raise ValueError(message)
            end = span.end
        return self

    @cached_property
    def digest(self) -> str:
        """SHA-256 (hex) over role, speaker, content and said_at: what makes a changed past visible.

        `recorded_at` and `quoted` are left out: they are ours, and a better reader may mark more.
        `said_at` counts as an instant, in UTC: which zone it was written in is not part of the past.
        """
        said_at = self.said_at.astimezone(UTC).isoformat() if self.said_at else ""
        parts = (self.role.value, self.speaker, said_at, self.content)
        text = "".join(f"{len(part)}:{part}" for part in parts)
        return hashlib.sha256(text.encode()).hexdigest()

    def is_quoted(self, span: Span) -> bool:
        """Whether `span` touches quoted material."""
        return any(span.start < quoted.end and quoted.start < span.end for quoted in self.quoted)


_NO_TURNS = hashlib.sha256(b"dissolution/turns/1").hexdigest()


def chained_digests(turns: tuple[Turn, ...]) -> tuple[str, ...]:
    """`chained_digest` after each turn of a run, in order."""
    return chained_onto(None, turns)


def chained_onto(before: str | None, turns: tuple[Turn, ...]) -> tuple[str, ...]:
    """The chained digests of turns that follow a turn with this chained digest; with None they are the first."""
    digests: list[str] = []
    for turn in turns:
        last = digests[-1] if digests else before or _NO_TURNS
        digests.append(hashlib.sha256(f"{last}{turn.digest}".encode()).hexdigest())
    return tuple(digests)


def chained_digest(turns: tuple[Turn, ...]) -> str:
    """SHA-256 (hex) of a run of turns: each turn's digest chained to the one before it."""
    return chained_digests(turns)[-1] if turns else _NO_TURNS


class _Turns(Frozen):
    turns: Annotated[tuple[Turn, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _numbered_from_one(self) -> "_Turns":
        for expected, turn in enumerate(self.turns, start=1):
            if turn.number != expected:
                raise InvalidConversation(
                    f"turn number {turn.number}", f"number the turns 1, 2, 3 …; {expected} is next"
                )
        return self

    def turn(self, number: int) -> Turn:
        """The turn with this number. Raises UnknownTurn."""
        if not 1 <= number <= len(self.turns):
            raise UnknownTurn(number, len(self.turns))
        return self.turns[number - 1]


class Snapshot(_Turns):
    """A conversation up to and including turn `through`: what one dissolution works on; immutable."""

    conversation: ConversationId

    @property
    def through(self) -> int:
        """The number of the last turn."""
        return len(self.turns)

    @cached_property
    def digest(self) -> str:
        """The chained digest (hex) of its turns."""
        return chained_digest(self.turns)


class Conversation(_Turns):
    """An ordered record of turns, numbered from 1 without gaps."""

    id: ConversationId
    title: str | None = None
    language: Language
    redactions: tuple[Redaction, ...] = ()
    known: tuple[KnownSecret, ...] = ()
    """What recognises its secrets when they come back bare; goes with the conversation when that is erased."""

    def snapshot(self, through: int | None = None) -> Snapshot:
        """The conversation up to and including turn `through` (all of it when None). Raises UnknownTurn."""
        last = self.turn(len(self.turns) if through is None else through)
        return Snapshot(conversation=self.id, turns=self.turns[: last.number])
