"""What the service answers, as far as this client reads it. Fields it does not know are kept, not refused."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict

Format = Literal["openai", "anthropic"]
"""Whose interface the messages of a context are for."""

Kind = Literal["claim", "dissent", "turn"]
"""What recall can find."""

Section = Literal["KNOWN", "DECIDED", "EDGES", "IDENTITY"]
"""Where claims and dissent stand."""

Match = Literal["auto", "words", "meaning"]
"""How recall compares: by words, or by meaning besides; `auto` compares meaning where that costs no wait."""

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


class Evidence(Shape):
    """Words of a turn, verbatim."""

    turn: int
    text: str


class Claim(Shape):
    """One statement of a boundary, with the words of the conversation that it rests on."""

    id: str
    section: str
    text: str
    state: str = "current"
    evidence: tuple[Evidence, ...] = ()


class Became(Shape):
    """A claim that rests on words of a turn, and how it stands now."""

    claim: str
    state: str
    by: str | None = None  # the claim that took its place


class Found(Shape):
    """One thing that recall found."""

    rank: int
    kind: str  # claim, dissent or turn
    id: str  # of the claim or dissent; the number of the turn
    state: str  # of a claim how it stands, of dissent why it is not held; of a turn: said
    by: str | None = None  # the claim that took its place
    section: str | None = None  # of a claim or dissent
    text: str  # what it says; of a turn the words that fit
    words: tuple[Evidence, ...] = ()  # verbatim words of turns
    role: str | None = None  # of a turn
    speaker: str | None = None  # of a turn
    said_at: datetime | None = None  # of a turn
    became: tuple[Became, ...] = ()  # of a turn: the claims that rest on it

    @property
    def turns(self) -> tuple[int, ...]:
        """The turns whose words are shown, each once, in order."""
        return tuple(sorted({one.turn for one in self.words}))


class Recalled(Shape):
    """What recall found, best first, and how it was looked for."""

    conversation: str
    matched_by: str = "words"  # or `meaning`, where meaning was compared beside words
    notes: tuple[str, ...] = ()  # what was not compared, and why
    results: tuple[Found, ...] = ()
    claims: tuple[Claim, ...] = ()  # those among the results, whole

    @property
    def dissent(self) -> tuple[Found, ...]:
        """What was heard and is not held."""
        return tuple(one for one in self.results if one.kind == "dissent")

    @property
    def turns(self) -> tuple[Found, ...]:
        """What was said."""
        return tuple(one for one in self.results if one.kind == "turn")
