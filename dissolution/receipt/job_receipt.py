"""The receipt: what was asked of whom, what came back, what was kept, dropped, decided, and at what cost."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated

from pydantic import AwareDatetime, Field

from dissolution.answers import AnswerClass, FailureClass, MemberCard, PromptStamp, Signature, Usage
from dissolution.boundary_size import BoundarySize
from dissolution.claims import DissentReason, Section
from dissolution.conversation import ConversationId, Language, TurnNumber
from dissolution.estimates import PathEstimate
from dissolution.findings import AgreementMeasures, EmbeddingStamp, GateDecision, StageReport
from dissolution.ledger import Change, ChangeKind
from dissolution.policy.job_policy import UNRECORDED, Policy
from dissolution.receipt.frame import FrameSummary
from dissolution.receipt.probe import ProbeSummary
from dissolution.reviewing import Hint
from dissolution.values import Counted, Enduring, Frozen, Measured, NotMeasured

OLDER = "older receipts do not tell"


class MemberReport(Frozen):
    """What one member was asked and what came of it: exactly one of `answer_class` and `failure` is given."""

    card: MemberCard
    answer_class: AnswerClass | None = None
    failure: FailureClass | None = None
    detail: str = ""  # the failure in words, or the answer's problems
    statements: Annotated[int, Field(ge=0)] = 0
    chosen: Annotated[int, Field(ge=0)] = 0  # stretches of turns that an extraction method chose
    windows: Annotated[int, Field(ge=1)] = 1  # stretches the snapshot was read in, each carrying the state before it
    late: bool = False
    latency_s: Measured
    usage: Usage | NotMeasured  # of the call that holds its answer; of all its calls: `Cost.by_member`
    signature: Signature | NotMeasured
    counter: str | NotMeasured = NotMeasured(not_measured="this member counts no prompts")
    """How its prompts are counted before they are sent: a vocabulary's name, or that of an approximation."""


class QuorumReport(Frozen):
    """How the quorum came out, counted in families."""

    met: bool
    asked: Annotated[int, Field(ge=0)]
    answered: Annotated[int, Field(ge=0)]  # usable answers in time
    families: tuple[str, ...]  # of those answers
    min_members: int
    min_families: int


class CostLine(Frozen):
    """What the calls of one stage, or of one member, used.

    Sums over replies. A failed call has no usage of its own; what a reply without words has cost stands in its detail.
    """

    of: str  # the stage, or the member's name
    calls: Annotated[int, Field(ge=1)]
    replies: Annotated[int, Field(ge=0)]
    input_tokens: Counted
    cached_input_tokens: Counted
    output_tokens: Counted
    usd: Decimal | NotMeasured
    histories: Measured = NotMeasured(not_measured=OLDER)
    """Input tokens over those of the turns that were dissolved."""
    histories_with_caches: Measured = NotMeasured(not_measured=OLDER)
    """The same, cached input counted at a tenth."""
    cached_calls: Counted = NotMeasured(not_measured="older receipts do not count them")
    """Replies for which the provider had part of the prompt cached."""


class Cost(Frozen):
    """What a job was estimated to use and what it used, over all stages; stages that call nobody have no line."""

    estimated_input_tokens: Counted
    estimated_usd: Decimal | NotMeasured
    used_input_tokens: Counted
    used_cached_input_tokens: Counted
    used_output_tokens: Counted
    used_usd: Decimal | NotMeasured
    known_usd: Annotated[Decimal, Field(ge=0)] = Decimal(0)  # the part of it that is known
    histories: Measured = NotMeasured(not_measured=OLDER)
    """Input tokens over those of the turns that were dissolved."""
    histories_with_caches: Measured = NotMeasured(not_measured=OLDER)
    """The same, cached input counted at a tenth."""
    expected: PathEstimate | NotMeasured = NotMeasured(not_measured=OLDER)
    """What the whole path was expected to use before anybody was asked."""
    cap_usd: Decimal
    reserved_usd: Decimal | NotMeasured = NotMeasured(not_measured="nothing was reserved")
    """Over all stages, before anybody was asked."""
    settled_usd: Decimal | NotMeasured = NotMeasured(not_measured="nothing was reserved")
    """What the day was charged by the time of the receipt."""
    by_stage: tuple[CostLine, ...] = ()  # in running order
    by_member: tuple[CostLine, ...] = ()  # by name


class ConsensusReport(Enduring):
    """Numbers of the candidate that the gate tested, after review and repair: heard, kept, contested and dropped."""

    retired = frozenset({"adjudication"})

    statements: int
    groups: int
    kept: Mapping[Section, int]
    single_source: int
    contested: int
    dissent: Mapping[DissentReason, int]
    measures: AgreementMeasures
    embedding: EmbeddingStamp
    method: str
    prior_version: Annotated[int, Field(ge=0)] = 0  # the version of the ledger it was reconciled with; 0 = none
    changes: Mapping[ChangeKind, int] = {}  # what became of claims, held before or new; kinds that came up
    hints: tuple[Hint, ...] = ()  # what the cycle suspects of claims that stand; decides nothing
    excerpts: int = 0
    unread: bool = False  # extraction methods alone were asked
    temporal_errors: tuple[Change, ...] = ()  # held claims that the answers would have lost or demoted; all repaired


class Receipt(Frozen):
    """The whole account of one job. It holds no secret and no personal data beyond what claims quote."""

    job: str
    conversation: ConversationId
    through: TurnNumber
    snapshot_digest: str
    language: Language
    redactions: Mapping[str, int]  # secrets replaced at reading, by kind
    fleet: str  # in words, such as "extractive, no language model"
    prompt: PromptStamp | NotMeasured
    members: tuple[MemberReport, ...]
    quorum: QuorumReport | NotMeasured
    consensus: ConsensusReport | NotMeasured
    stages: tuple[StageReport, ...]
    frame: FrameSummary | NotMeasured = NotMeasured(not_measured="older receipts do not tell")
    probe: ProbeSummary | NotMeasured = NotMeasured(not_measured="older receipts do not tell")
    decision: GateDecision
    cost: Cost
    size: BoundarySize | NotMeasured = NotMeasured(not_measured=OLDER)
    """Of the candidate that the gate tested, committed or not."""
    policy: Policy
    policy_digest: str
    calibration_digest: str | NotMeasured = UNRECORDED
    """Of the thresholds that no policy sets, as they were when the job was made."""
    software: str  # version of this project
    started_at: AwareDatetime
    ended_at: AwareDatetime
