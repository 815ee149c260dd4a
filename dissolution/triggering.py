"""When to dissolve: signals and their values, what triggers remember, and each decision with its reasons."""

from enum import StrEnum
from typing import Annotated

from pydantic import AwareDatetime, ConfigDict, Field

from dissolution.conversation import ConversationId, TurnNumber
from dissolution.ids import JobId
from dissolution.job import Lane, TenantName
from dissolution.policy.gate import TokenPressure
from dissolution.policy.job_policy import Policy
from dissolution.values import Frozen, Measured

Tokens = Annotated[int, Field(ge=0)]


class Signal(StrEnum):
    """What may call for a dissolution."""

    DRIFT = "drift"  # recent talk is far from the last committed boundary
    TOPIC_SHIFT = "topic_shift"  # a topic has closed
    SURPRISE = "surprise"  # what is said has become redundant
    BUDGET = "budget"  # the reader's context fills up
    LOCK_IN = "lock_in"  # the talk runs in one frame that nobody questions
    SCHEDULE = "schedule"  # so many turns, tokens or hours have passed
    MANUAL = "manual"  # somebody asks


class SignalValue(Frozen):
    """One signal after one turn. Values of different estimators are never compared, averaged or mixed."""

    signal: Signal
    value: Measured
    estimator: Annotated[str, Field(min_length=1)]  # what measured it, with its version
    threshold: float | None = None  # from which it calls for a dissolution; None: it is only shown
    score: Annotated[float, Field(ge=0)] | None = None  # 1 or more calls; None: not measured, or only shown
    note: str = ""  # no words of the conversation


class TurnSurprise(Frozen):
    """How unexpected one turn was, given what came before."""

    bits_per_token: Measured
    tokens: Tokens  # of the estimator, which are not a reader's
    estimator: Annotated[str, Field(min_length=1)]
    guarded: bool = False  # a repeat with another polarity or number: never counted as redundant
    notable: bool = False  # far above the baseline: it weighs in rendering and in questions


class TriggerAction(StrEnum):
    """What a decision says."""

    FIRE = "fire"
    HOLD = "hold"


class ReasonCode(StrEnum):
    """Why a decision fired or held."""

    CALLED = "called"  # a signal called for it
    QUIET = "quiet"  # no signal calls
    JOB_IN_FLIGHT = "job_in_flight"  # a job of the conversation has not ended; later turns wait for its end
    COOLING = "cooling"  # the last firing is too recent
    TOO_LITTLE = "too_little"  # too little was said since the boundary
    CANNOT_SHRINK = "cannot_shrink"  # a dissolution is expected to free too little
    NO_PROGRESS = "no_progress"  # candidates were rejected and too little has come since
    COVERED = "covered"  # a committed boundary covers the turn already
    NOT_RELEASED = "not_released"  # a signal that fired has not been below its release since
    REFUSED = "refused"  # the job could not be submitted, such as for money


class Reason(Frozen):
    """One reason in code and words. The words hold figures, never content of the conversation."""

    code: ReasonCode
    words: Annotated[str, Field(min_length=1)]
    signal: Signal | None = None


class Decision(Frozen):
    """Fire or hold, with every reason and the scores it rests on."""

    action: TriggerAction
    reasons: Annotated[tuple[Reason, ...], Field(min_length=1)]
    called: tuple[Signal, ...] = ()  # the signals that call, the strongest first, whatever the action
    pressure: TokenPressure = TokenPressure.NONE

    @property
    def fires(self) -> bool:
        """Whether a dissolution is due now."""
        return self.action is TriggerAction.FIRE


class Evaluation(Frozen):
    """What was measured and decided after one turn. Every one is stored."""

    conversation: ConversationId
    number: Annotated[int, Field(ge=1)]  # counts the evaluations of a conversation
    turn: TurnNumber
    at: AwareDatetime
    tokens: Tokens  # of all turns so far, as the reader counts them
    context_tokens: Tokens  # boundary and turns since: what the reader is given
    values: tuple[SignalValue, ...]
    surprise: TurnSurprise | None = None
    topic_start: TurnNumber | None = None  # a topic was found to have begun with this turn
    decision: Decision
    shadow: bool
    boundary_version: Annotated[int, Field(ge=0)]
    policy: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]  # digest of the policy it was decided under
    job: JobId | None = None  # the job that was submitted


class Watch(Frozen):
    """A conversation that triggers watch, and what its jobs are made with."""

    conversation: ConversationId
    fleet: Annotated[str, Field(min_length=1)] = "extractive"
    policy: Policy = Policy()
    lane: Lane = Lane.BATCH
    tenant: TenantName = "default"
    since: AwareDatetime


class LockInValue(Frozen):
    """The frame agent's measure of lock-in, as it is passed in: the rooms do not see each other."""

    value: Measured
    estimator: Annotated[str, Field(min_length=1)]


class TurnMark(Frozen):
    """A point of a conversation."""

    turn: Annotated[int, Field(ge=0)]
    tokens: Tokens  # of all turns up to it
    at: AwareDatetime


class TriggerState(Frozen):
    """What the triggers of one conversation remember from turn to turn: of constant size, however long it runs."""

    model_config = ConfigDict(ser_json_bytes="base64", val_json_bytes="base64")

    conversation: ConversationId
    revision: Annotated[int, Field(ge=0)] = 0  # counts savings: the fence against two processes at once
    number: Annotated[int, Field(ge=0)] = 0  # of the last evaluation
    through: Annotated[int, Field(ge=0)] = 0  # the last turn that was read
    tokens: Tokens = 0  # of turns 1 to `through`
    began: TurnMark | None = None  # the first turn that was read
    fired: TurnMark | None = None  # the last firing, shadow ones among them
    boundary_version: Annotated[int, Field(ge=0)] = 0
    boundary: TurnMark | None = None  # the last turn the boundary covers
    held_tokens: Tokens = 0  # of the boundary as the reader is given it
    kept_share: Annotated[float, Field(ge=0)] | None = None  # share of new tokens that the last boundaries kept
    unreleased: tuple[Signal, ...] = ()  # fired, and not below their release since
    rejections: Annotated[int, Field(ge=0)] = 0  # jobs in a row that ended without a commit
    rejected: TurnMark | None = None  # where the last of them stood
    job: JobId | None = None  # the job in flight that was fired here
    job_mark: TurnMark | None = None  # the turn it goes through
    awaited: JobId | None = None  # the job, whoever submitted it, for whose end later turns wait
    look_at: AwareDatetime | None = None  # when to decide once more though no turn has come; None: at no time
    lock_in: LockInValue | None = None  # as the frame agent last measured it
    estimators: str = ""  # what `memory` belongs to; another embedder or estimator begins anew
    memory: bytes = b""  # the estimators' own state
