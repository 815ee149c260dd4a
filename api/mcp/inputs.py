"""What each tool takes. The words below a field are what an agent reads before it calls the tool."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, model_validator

from api.moments import LARGEST
from api.schemas import Name
from dissolution.claims import Section
from dissolution.premises import PremiseStatus
from dissolution.recall_kinds import RecallBy, RecallKind

MOST_WAIT_S = 600
"""Longest wait of one call (s): hosts end calls that take longer."""

MOST_MESSAGES = 100_000


class Input(BaseModel):
    """Closed to unknown arguments; what stands below a field describes it."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, use_attribute_docstrings=True)


class Message(BaseModel):
    """One message, as for OpenAI's or Anthropic's interface; what else such messages have is taken too."""

    model_config = ConfigDict(frozen=True, extra="allow", use_attribute_docstrings=True)

    role: Annotated[str, Field(min_length=1, max_length=200)]
    """`user`, `assistant`, `system`, `developer` or `tool`."""
    content: str | list[JsonValue] | None = None
    """What was said: a string, or parts such as {"type": "text", "text": "…"}."""


class DissolveInput(Input):
    """A conversation to be dissolved: its messages, the name of a stored one, or both."""

    messages: Annotated[list[Message], Field(min_length=1, max_length=MOST_MESSAGES)] | None = None
    """The whole conversation so far, oldest message first. Leave it out to dissolve what is stored under
    `conversation`."""
    conversation: Name | None = None
    """The name that the conversation is, or will be, stored under. Give the same name with the grown conversation and
    only what is new is added; what is stored never changes. One is made when it is left out."""
    through: Annotated[int, Field(ge=1, le=LARGEST)] | None = None
    """The last turn to dissolve, counted from 1; the newest if left out."""
    fleet: Annotated[str, Field(min_length=1, max_length=100)] = "extractive"
    """Who is asked. `extractive` needs no model and no key; others are set up by the operator."""
    policy: Annotated[str, Field(min_length=1, max_length=100)] = "default"
    """The name of a policy that the operator has set up."""
    hold: bool = False
    """Stop before the commit, so that a person looks at the result first."""
    wait_s: Annotated[float, Field(ge=0, le=MOST_WAIT_S)] = 0.0
    """Wait for the end at most this long (s), with progress notifications; 0 returns at once with the job's id."""

    @model_validator(mode="after")
    def _is_about_something(self) -> "DissolveInput":
        if self.messages is None and self.conversation is None:
            message = "give `messages`, or in `conversation` the name of a stored conversation"
            raise ValueError(message)
        return self


class ImportInput(Input):
    """A conversation that another program wrote down."""

    text: Annotated[str, Field(min_length=1)]
    """The file as it is: a session of Claude Code or Codex, an export of ChatGPT, claude.ai, Slack or LangChain, or a
    transcript such as `Ann: …` line by line. Its form is told by its structure; the reason is among the warnings."""
    conversation: Name | None = None
    """The name it is stored under. Give the same name with the grown file and only what is new is added. One is made
    when it is left out."""
    pick: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    """Of a file with several conversations: the id of the one that is meant. Without it the answer names their ids."""


class JobInput(Input):
    """One job: by its id, or the newest one of a conversation."""

    job: Annotated[str, Field(min_length=1, max_length=64)] | None = None
    """The id that `dissolve` returned."""
    conversation: Name | None = None
    """Instead of `job`: the newest job of this conversation."""

    @model_validator(mode="after")
    def _names_one(self) -> "JobInput":
        if (self.job is None) == (self.conversation is None):
            message = "give either `job` or `conversation`"
            raise ValueError(message)
        return self


class StatusInput(JobInput):
    """The job to look at, and how long to wait for its end."""

    wait_s: Annotated[float, Field(ge=0, le=MOST_WAIT_S)] = 0.0
    """Wait for the end at most this long (s), with progress notifications; 0 tells how it stands now."""


class ContextInput(Input):
    """The conversation whose context is wanted, and what room there is for it."""

    conversation: Name
    """The name it is stored under."""
    budget: Annotated[int, Field(ge=200, le=1_000_000)] | None = None
    """Tokens at most, of boundary and turns together; the policy's if left out."""
    recent: Annotated[int, Field(ge=0, le=1000)] | None = None
    """How many of the last turns are kept word for word; the policy's if left out."""
    format: Literal["openai", "anthropic", "text"] = "openai"
    """Whose interface the messages are for: `anthropic` has the system text apart, `text` is one string."""
    operator: bool = True
    """Whether the system messages at the beginning stand first, word for word; leave them out where you send them."""
    reader: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    """The model that will read it, whose tokens are counted, such as `gpt-4o`; approximated if left out."""


class RecallInput(Input):
    """What to look for in a conversation and its ledger."""

    conversation: Name
    """The name it is stored under."""
    query: Annotated[str, Field(min_length=1, max_length=1000)] | None = None
    """Words to look for, such as a name, a number or a file; claims alone are listed if left out."""
    kind: Annotated[list[RecallKind], Field(min_length=1)] | None = None
    """Only `claim`, `dissent` (heard, but not held) or `turn` (what was said); all three if left out."""
    match: RecallBy = RecallBy.AUTO
    """`words`, or `meaning` besides, which may load a model first; `auto` compares meaning where that costs no wait."""
    section: Section | None = None
    """KNOWN, DECIDED, EDGES (what is open) or IDENTITY (role, rules); all four if left out."""
    state: Literal["open", "all"] = "open"
    """`open`: what holds; `all`: also what was replaced, corrected or has ended."""
    turn: Annotated[int, Field(ge=1, le=LARGEST)] | None = None
    """What held at this turn and what was said up to it; what holds now if left out."""
    limit: Annotated[int, Field(ge=1, le=200)] = 20
    """Claims, dissent and turns together at most, the best first."""


class FrameInput(JobInput):
    """The job, or conversation, whose frame is wanted, and which of its premises."""

    status: PremiseStatus | None = None
    """Only premises of this status; all if left out."""
    limit: Annotated[int, Field(ge=0, le=500)] = 50
    """Premises at most, those first that most open statements rest on."""
