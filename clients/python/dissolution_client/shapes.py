"""What the service answers, as far as this client reads it. Fields it does not know are kept, not refused."""

from collections.abc import Mapping
from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict

Format = Literal["openai", "anthropic"]
"""Whose interface the messages of a context are for."""

ENDED = frozenset({"committed", "history_kept", "failed", "cancelled"})
"""Statuses of dissolutions that are over."""


class Shape(BaseModel):
    """A newer service may say more than this client knows."""

    model_config = ConfigDict(frozen=True, extra="allow")


class Conversation(Shape):
    """A stored conversation without its turns."""

    name: str
    title: str | None = None
    turns: int
    boundary_version: int = 0  # 0 while it has none


class Appended(Shape):
    """What came of adding turns."""

    conversation: str
    added: int
    turns: int  # how many are stored by now
    warnings: tuple[str, ...] = ()


class Stage(Shape):
    """One stage of a dissolution."""

    stage: str
    status: str
    reason: str | None = None


class Dissolution(Shape):
    """One job."""

    id: str
    conversation: str
    through: int
    status: str
    reason: str | None = None
    created_at: datetime
    ended_at: datetime | None = None
    stages: tuple[Stage, ...] = ()

    @property
    def has_ended(self) -> bool:
        """Whether nothing more will happen to it."""
        return self.status in ENDED

    @property
    def is_committed(self) -> bool:
        """Whether its boundary stands."""
        return self.status == "committed"


class Event(Shape):
    """Something that happened to a dissolution. No content of the conversation."""

    number: int
    at: datetime
    kind: str
    detail: str = ""


class Message(Shape):
    """One message, ready to send to a model."""

    role: str
    content: str


class Context(Shape):
    """What to send to a model in place of the history."""

    conversation: str
    source: str  # `boundary`, or `history` while there is none
    boundary_version: int
    through: int  # the last turn that the boundary covers
    messages: tuple[Message, ...]
    system: str | None = None  # Anthropic's interface takes it apart from the messages
    tokens: int
    budget_tokens: int

    def as_messages(self) -> list[dict[str, str]]:
        """The messages as plain dictionaries."""
        return [{"role": message.role, "content": message.content} for message in self.messages]


class Claim(Shape):
    """One statement of a boundary, with the words of the conversation that it rests on."""

    id: str
    section: str
    text: str
    state: str = "current"
    evidence: tuple[Mapping[str, object], ...] = ()
