"""Members, what is asked of them, what comes back, and what was read out of it."""

from collections.abc import Mapping
from decimal import Decimal
from enum import StrEnum
from typing import Annotated

from pydantic import AwareDatetime, Field, JsonValue

from dissolution.claims import FamilyName, MemberName, Section, StatedClaim
from dissolution.conversation import Snapshot
from dissolution.excerpts import Chosen
from dissolution.values import Counted, Frozen, Measured, NotMeasured


class MemberKind(StrEnum):
    """What stands behind a member. Every receipt says it."""

    LANGUAGE_MODEL = "language_model"
    EXTRACTIVE = "extractive"  # an extraction method, no language model
    RECORDED = "recorded"  # replays a stored answer
    SCRIPTED = "scripted"  # answers or fails on cue


class MemberCard(Frozen):
    """One endpoint of the fleet and the provider lineage it votes with."""

    name: MemberName
    family: FamilyName
    kind: MemberKind
    model: Annotated[str, Field(min_length=1)]  # model string, extraction method or recording
    version: Annotated[str, Field(min_length=1)] = "1"


class PromptStamp(Frozen):
    """Which prompt text was sent: name, version, SHA-256 (hex) of the released file."""

    name: str
    version: int
    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class PromptMessage(Frozen):
    """One message of a rendered prompt, in provider-neutral form."""

    role: Annotated[str, Field(pattern=r"^(system|user)$")]
    content: str


class RenderedPrompt(Frozen):
    """What is sent: messages in order, and the stamp of the file they were made from."""

    stamp: PromptStamp
    messages: Annotated[tuple[PromptMessage, ...], Field(min_length=1)]
    shared: Annotated[int, Field(ge=0)] = 0
    """Characters with which the last message begins as other prompts about the same turns do, its system part too."""

    @property
    def text(self) -> str:
        """All message contents, for counting and hashing."""
        return "\n\n".join(message.content for message in self.messages)


class MemberTask(Frozen):
    """What one member is asked: the snapshot and the rendered prompt about it.

    In a cycle `since` is the last turn of the boundary that stands: statements are wanted about the turns after it.
    """

    snapshot: Snapshot
    since: Annotated[int, Field(ge=0)] = 0  # 0: about the whole snapshot
    prompt: RenderedPrompt
    deadline_s: Annotated[float, Field(gt=0)]  # for the whole call, retries included


class FinishReason(StrEnum):
    """Why a member stopped writing."""

    STOP = "stop"
    LENGTH = "length"  # cut off at a token limit
    REFUSAL = "refusal"
    CONTENT_FILTER = "content_filter"
    UNKNOWN = "unknown"  # not reported


class RequestRecord(Frozen):
    """How a language model was really asked: what went over the wire besides the messages, and how often."""

    requests: Annotated[int, Field(ge=1)]  # repeats included
    parameters: Mapping[str, JsonValue]  # as sent, in the provider's naming
    left_out: tuple[str, ...] = ()  # asked for by the roster, not supported by the model, left out by its leave


class Usage(Frozen):
    """What a call used. Unknown prices are not 0."""

    input_tokens: Counted
    cached_input_tokens: Counted
    output_tokens: Counted
    cost_usd: Decimal | NotMeasured
    cache_written_tokens: Counted = NotMeasured(not_measured="the provider did not report it")
    """Of the input tokens, those that the provider put into its cache, where it charges for that."""
    request: RequestRecord | None = None  # of a language model's call; None for other members, estimates and sums


class Reply(Frozen):
    """A member's raw words, kept for ever."""

    text: str
    finish: FinishReason
    usage: Usage
    model_reported: str | None = None  # what the provider says answered


class FailureClass(StrEnum):
    """Why a member has no usable answer; all but the last two are the codes of MemberError's subclasses."""

    AUTH = "auth"
    BILLING = "billing"
    RATE_LIMIT = "rate_limit"
    TIMEOUT = "timeout"
    UNAVAILABLE = "unavailable"
    REFUSAL = "refusal"
    CONTENT_FILTER = "content_filter"
    BAD_REQUEST = "bad_request"
    CONTEXT_WINDOW = "context_window"
    UNPARSABLE = "unparsable"
    BUDGET = "budget"  # not asked: the cap would have been passed
    CANCELLED = "cancelled"  # not needed any more: the quorum stood at the soft deadline
    INTERNAL = "internal"  # a fault of ours


class MemberFailure(Frozen):
    """A failed member is a value (rule 7)."""

    error_class: FailureClass
    detail: Annotated[str, Field(max_length=500)]  # scrubbed of secrets
    retry_after_s: Measured = NotMeasured(not_measured="the provider named no wait")


class AnswerClass(StrEnum):
    """What a raw reply turned out to be. Only `ok` and `partial` are usable (rule 1)."""

    OK = "ok"  # four sections, each with statements or an explicit "none"
    PARTIAL = "partial"  # statements, but a section is missing, merged or empty
    GARBAGE = "garbage"  # no sections found, schema-invalid, or the same words again and again
    REFUSED = "refused"
    TRUNCATED = "truncated"  # ends in the middle
    EMPTY = "empty"


USABLE = frozenset({AnswerClass.OK, AnswerClass.PARTIAL})


class Signature(Frozen):
    """Linguistic signature of an answer: reported, never used to drop a claim."""

    sentences: Annotated[int, Field(ge=0)]
    first_person_share: Measured  # share of sentences with a first-person pronoun, 0..1
    present_tense_share: Measured  # share of classifiable sentences in present tense, 0..1
    forbidden_phrases: tuple[str, ...]  # such as "we discussed", as found


class ParsedReply(Frozen):
    """What was read out of one raw reply; `problems` are codes with what was found."""

    answer_class: AnswerClass
    claims: tuple[StatedClaim, ...]
    sections_found: tuple[Section, ...]
    problems: tuple[str, ...]
    signature: Signature
    parser_version: str
    chosen: tuple[Chosen, ...] = ()  # what an extraction method chose; it states nothing

    @property
    def usable(self) -> bool:
        """Whether it counts towards the quorum and the consensus."""
        return self.answer_class in USABLE


class Call(Frozen):
    """One call to one member: written before it is made, completed the moment it lands.

    Neither `reply` nor `failure` means that it was asked and has not landed.
    """

    job: str
    stage: str
    member: MemberCard
    ordinal: Annotated[int, Field(ge=0)]
    prompt: PromptStamp
    asked_at: AwareDatetime
    landed_at: AwareDatetime | None = None
    reply: Reply | None = None
    failure: MemberFailure | None = None
    late: bool = False  # landed after the soft deadline with the quorum already standing


class Answer(Frozen):
    """One member's raw reply and what was parsed from it."""

    member: MemberCard
    reply: Reply
    parsed: ParsedReply
    late: bool
    latency_s: Annotated[float, Field(ge=0)]
