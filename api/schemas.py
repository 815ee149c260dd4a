"""Bodies and answers that are the service's own; all others are the kernel's types."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, model_validator

from api.moments import LARGEST, Instant
from dissolution.boundary_size import BoundarySize
from dissolution.claims import Claim
from dissolution.conversation import Language, Redaction, Turn
from dissolution.excerpts import Excerpt
from dissolution.intervals import Moment
from dissolution.job import JobStatus, Lane, StepStatus
from dissolution.policy.effort import Effort
from dissolution.policy.job_policy import Policy
from dissolution.recall_kinds import RecallBy
from dissolution.recalling import RecallResult
from dissolution.values import Measured
from workers.results.ledger_diff import Item

NAME = r"^[^/\x00-\x1f\x7f\u241f]*[^/\x00-\x20\x7f\u241f.][^/\x00-\x1f\x7f\u241f]*$"
"""Of a conversation: it has to stand in an address, so it has no slash and is not made of dots and blanks alone."""

Name = Annotated[str, Field(min_length=1, max_length=120, pattern=NAME)]
Reason = Annotated[str, Field(min_length=1, max_length=2000)]


class Shape(BaseModel):
    """Closed to unknown fields; what stands below a field describes it."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, use_attribute_docstrings=True)


class NewTurn(Shape):
    """One turn as somebody said it."""

    role: Annotated[str, Field(min_length=1, max_length=200)]
    """`user`, `assistant`, `system`, `developer`, `tool` or `function`; anything else is a participant's label."""
    content: Annotated[str, Field(min_length=1)]
    speaker: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    said_at: Instant | None = None


class Talk(Shape):
    """Turns in our form, messages of an interface of language models, or the text of a file; exactly one of these."""

    turns: Annotated[list[NewTurn], Field(min_length=1, max_length=100_000)] | None = None
    messages: Annotated[list[dict[str, JsonValue]], Field(min_length=1, max_length=100_000)] | None = None
    """As for OpenAI or Anthropic: strings, parts, tool calls and their results. Or items of OpenAI's Responses API,
    messages of LangChain as `messages_to_dict` writes them, Gemini's contents: the structure tells which."""
    text: Annotated[str, Field(min_length=1)] | None = None
    """A file as another program wrote it, such as a session of Claude Code or an export of ChatGPT; its form is told by
    its structure, and the reason is among the warnings."""
    pick: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    """With `text` that holds several conversations: the id of the one that is meant."""

    @model_validator(mode="after")
    def _has_one_form(self) -> "Talk":
        if sum(given is not None for given in (self.turns, self.messages, self.text)) != 1:
            message = "give either `turns`, `messages` or `text`"
            raise ValueError(message)
        if self.pick is not None and self.text is None:
            message = "give `pick` with `text` alone"
            raise ValueError(message)
        return self


class NewConversation(Talk):
    """A conversation to be stored."""

    name: Name | None = None
    """What the address will have; one is made if it is left out."""
    title: Annotated[str, Field(min_length=1, max_length=500)] | None = None


class MoreTurns(Talk):
    """Turns that follow those that are stored."""

    expected_turns: Annotated[int, Field(ge=0, le=LARGEST)] | None = None
    """How many are stored by now, so that two writers cannot mix their turns; If-Match does the same by ETag."""


class ConversationShown(Shape):
    """A conversation without its turns."""

    name: str
    title: str | None
    language: Language
    turns: int
    """How many are stored: what `expected_turns` names."""
    recorded_at: datetime
    """When the last turn was stored."""
    digest: str
    """SHA-256 over all turns."""
    boundary_version: int
    """The newest version of its ledger, 0 while it has no boundary."""


class LastDissolution(Shape):
    """The newest dissolution of a conversation, in short."""

    id: str
    status: JobStatus
    through: int
    created_at: datetime
    ended_at: datetime | None


class ConversationListed(ConversationShown):
    """A conversation in a list: also how it stands."""

    last_dissolution: LastDissolution | None
    """The newest, whatever came of it; null before any."""
    characters: int
    """Of all turns."""
    size: BoundarySize | None
    """Tokens of the boundary that stands, and of the turns it was made of; null without one."""


class Stored(Shape):
    """What came of storing a conversation."""

    conversation: ConversationShown
    warnings: list[str] = []
    """What was odd in what was given; secrets that were replaced, by kind. Not told again to a repeat."""


class Appended(Shape):
    """What came of adding turns."""

    conversation: str
    added: int
    turns: int
    """How many are stored by now."""
    warnings: list[str] = []


class Replaced(Shape):
    """What was replaced in a conversation when its turns were stored. The secrets themselves are nowhere."""

    kinds: Mapping[str, int]
    items: list[Redaction]


class TurnPage(Shape):
    """Some of a conversation's turns."""

    items: list[Turn]
    next: str | None = None


class NewDissolution(Shape):
    """A dissolution to be done: of a stored conversation, or of one that comes with it."""

    conversation: Name | None = None
    """The name of a stored one."""
    inline: NewConversation | None = None
    """One to be stored now; exactly one of the two is given."""
    through: Annotated[int, Field(ge=1, le=LARGEST)] | None = None
    """The last turn to dissolve; the last there is if it is left out."""
    fleet: Annotated[str, Field(min_length=1, max_length=100)] = "extractive"
    """Who is asked, by a name that `GET /v1/fleets` lists."""
    policy: Policy | str = Policy()
    """The name of a policy that `GET /v1/policies` lists, or one in full; what is left out has its default."""
    effort: Effort | None = None
    """Preset of members, reviewers and questions in place of the policy's; what the policy says of them itself wins."""
    hold: bool = False
    """Stop before the commit, for a preview."""
    lane: Lane = Lane.INTERACTIVE

    @model_validator(mode="after")
    def _is_about_one_conversation(self) -> "NewDissolution":
        if (self.conversation is None) == (self.inline is None):
            message = "give either `conversation` or `inline`"
            raise ValueError(message)
        return self


class StageShown(Shape):
    """One stage of a job."""

    stage: str
    status: StepStatus
    attempts: int
    started_at: datetime | None
    ended_at: datetime | None
    reason: str | None


class Dissolution(Shape):
    """One job."""

    id: str
    conversation: str
    through: int
    status: JobStatus
    reason: str | None
    fleet: str
    policy: str
    """The name of its policy."""
    policy_digest: str
    effort: Effort
    expected_version: int
    """The version of the ledger it builds on."""
    hold: bool
    lane: Lane | None
    created_at: datetime
    ended_at: datetime | None
    bank: str | None = None
    """Where the policy's gate needs more questions than it asks for: how many are written. Told when it is taken."""
    stages: list[StageShown] = []
    """In running order; left out of lists."""
    size: BoundarySize | None = None
    """Tokens before and after, once the job has ended with a candidate; what had no room is under `links.dissent`."""
    histories: Measured | None = None
    """How often the history was sent: input tokens of all calls over those of the turns, once the job has ended."""
    histories_with_caches: Measured | None = None
    """The same, cached input counted at a tenth."""
    notes: list[str] = []
    """The same for a person, in words."""
    links: Mapping[str, str] = {}


class AsOf(Shape):
    """The claims that held at a moment, as known at a moment."""

    conversation: str
    moment: Moment
    claims: list[Claim]


class RecallAnswer(Shape):
    """What fits, best first."""

    conversation: str
    matched_by: RecallBy
    """`words`, or `meaning` where meaning was compared beside them."""
    notes: list[str] = []
    """What was not compared, and why."""
    results: list[RecallResult]
    """Claims, dissent and turns in one order."""
    claims: list[Claim]
    """The claims among them, whole."""


class Diff(Shape):
    """What changed between two versions of a ledger."""

    conversation: str
    from_version: int
    to_version: int
    items: list[Item]


class Preview(Shape):
    """What committing a job would do to the ledger."""

    conversation: str
    dissolution: str
    status: JobStatus
    through: int
    from_version: int
    """The version it was built on."""
    present_version: int
    verdict: str | None
    """None while the gate has not decided."""
    reasons: list[str]
    items: list[Item]
    excerpts: list[Excerpt] = []
    """What extraction methods chose, in the order of turns; nobody asserts it."""


class Rollback(Shape):
    """An earlier version that is to stand again."""

    version: Annotated[int, Field(ge=1, le=LARGEST)]
    reason: Reason
    expected_version: Annotated[int, Field(ge=1, le=LARGEST)] | None = None
    """The newest version by now; the roll-back is refused when there is another."""


class NewAct(Shape):
    """What a person does to a claim or dissent."""

    kind: Literal["pinned", "unpinned", "confirmed", "retracted", "dismissed"]
    claim: Annotated[str, Field(min_length=1, max_length=64)]
    reason: Reason
    never_held: bool = False
    """Of a retraction: it was wrong from the start, not over."""


class Why(Shape):
    """Why something is done, for the record."""

    reason: Reason


class Version(Shape):
    """What runs."""

    software: str
    api: str
    schema_revision: str


class Alive(Shape):
    """How the service is."""

    status: Literal["ok", "unavailable"]
    detail: str
