"""Ports: what the inner rooms ask of the outer world; those of the store stand in `dissolution.ports.store`.

Each adapter passes its contract suite in tests/contract.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from dissolution.answers import MemberCard, MemberTask, RenderedPrompt, Reply, Usage
from dissolution.findings import EmbeddingStamp, Vectors
from dissolution.outbox import Ring


class Clock(Protocol):
    """Time."""

    def now(self) -> datetime:
        """This instant, aware, UTC."""
        ...


class Embedder(Protocol):
    """Texts to unit vectors."""

    @property
    def stamp(self) -> EmbeddingStamp:
        """What produces the vectors."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit rows, shape (len(texts), dimension), in the order given. Raises ModelAssetError."""
        ...


class TokenCounter(Protocol):
    """Counts tokens as some reader would."""

    @property
    def name(self) -> str:
        """The counting method, stored beside every count."""
        ...

    def count(self, text: str) -> int:
        """Tokens of `text`, 0 or more."""
        ...


class Member(Protocol):
    """One endpoint of the fleet: a snapshot goes in, an answer comes out."""

    @property
    def card(self) -> MemberCard:
        """Who it is."""
        ...

    def estimate(self, task: MemberTask) -> Usage:
        """What `answer` would use, without asking. Unknown figures are NotMeasured."""
        ...

    async def answer(self, task: MemberTask) -> Reply:
        """The member's raw words. Raises a MemberError; any other exception is a fault of ours."""
        ...


class ChatModel(Protocol):
    """A language model behind members, reviewers, question writers and readers."""

    @property
    def card(self) -> MemberCard:
        """Who it is."""
        ...

    async def complete(self, prompt: RenderedPrompt, *, max_output_tokens: int, deadline_s: float) -> Reply:
        """The model's reply to the messages. Raises MemberError."""
        ...


class JobQueue(Protocol):
    """The doorbell: tells workers that a step may be ready. Losing a ring loses nothing; SQL is the truth."""

    def ring(self, ring: Ring) -> None:
        """Say that a step may be ready. Never raises for a broker that is away: the relay rings again."""
        ...
