"""The policy: every threshold that one job may set, with its reason, frozen and stored with the job."""

import hashlib
from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Literal, cast

from pydantic import Field, ValidationInfo, model_validator

from dissolution.excerpts import ExcerptPolicy
from dissolution.framing import FramePolicy
from dissolution.policy.calibration import CALIBRATION
from dissolution.policy.effort import Effort
from dissolution.policy.probe import ProbePolicy
from dissolution.policy.triggers import TriggerPolicy
from dissolution.values import STORED, Enduring, Frozen, NotMeasured

CalibrationDigest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]

UNRECORDED = NotMeasured(not_measured="not recorded")
"""The calibration of jobs that were made before it was recorded."""


class QuorumPolicy(Frozen):
    """How many must answer, and how long the fleet may take."""

    min_members: Annotated[int, Field(ge=1, le=64)] = 2
    """Usable answers needed. Two is the least that can agree."""

    min_families: Annotated[int, Field(ge=1, le=64)] = 2
    """Families among them: members of one lineage share their errors."""

    soft_deadline_s: Annotated[float, Field(gt=0, le=3600)] = 90.0
    """Once this has passed and the quorum stands, stragglers are not waited for."""

    hard_deadline_s: Annotated[float, Field(gt=0, le=7200)] = 300.0
    """Nobody is waited for after this."""

    stragglers: Literal["cancel", "keep"] = "cancel"
    """Calls in flight at the soft deadline: `cancel` them, or `keep` them until the hard deadline. Late answers are
    stored, never counted."""

    enough_agreement: Annotated[float, Field(gt=0, le=1)] | None = None
    """Once the quorum stands and the families agree this much (0..1, the share of statements that each finds in every
    other), nobody else is waited for. Saves time, but a late family's dissent is lost. Not set: all are waited for."""

    @model_validator(mode="after")
    def _fits_together(self) -> "QuorumPolicy":
        if self.min_families > self.min_members:
            message = f"min_families {self.min_families} exceeds min_members {self.min_members}; lower it"
            raise ValueError(message)
        if self.soft_deadline_s > self.hard_deadline_s:
            message = f"soft_deadline_s {self.soft_deadline_s:g} is after hard_deadline_s {self.hard_deadline_s:g}"
            raise ValueError(message)
        return self


class ConsensusPolicy(Enduring):
    """How claims are grouped and admitted."""

    retired = frozenset({"adjudicator", "adjudicated_pairs", "size_ratio", "size_floor_words"})

    embedder: str = "all-MiniLM-L6-v2"
    """Embedding model that the thresholds are calibrated for."""

    distance_threshold: Annotated[float, Field(gt=0, lt=2)] | None = None
    """Complete-linkage cut on the joint distance of words, meaning and figures. Not set: the embedder's calibrated
    value, at which no labelled hard negative shares a group."""

    min_families: Annotated[int, Field(ge=1, le=64)] = 2
    """Families that must state a claim for it to enter by agreement."""

    admit_single_source: bool = True
    """Whether one family's claim may enter on strong verbatim evidence, marked `single_source`."""

    single_source_evidence: Annotated[float, Field(ge=0, le=1)] = 0.55
    """Least evidence score (0..1) of such a claim."""

    evidence_floor: Annotated[float, Field(ge=0, le=1)] = 0.30
    """Least evidence score (0..1) at which a span counts as evidence."""


class SizePolicy(Frozen):
    """How much room a boundary has: members are asked for it, and what stands is kept to it."""

    share: Annotated[float, Field(gt=0, le=1)] = 0.15
    """Share of the snapshot's tokens that a boundary may have."""

    least_tokens: Annotated[int, Field(ge=50, le=1_000_000)] = 300
    """Tokens that a boundary may always have: short conversations need a larger share."""

    most_tokens: Annotated[int, Field(ge=50, le=1_000_000)] = 3000
    """Tokens that a boundary may have at most."""

    longest: Annotated[float, Field(ge=1, le=100)] = 1.3
    """Words of all new claims, at most so many times those of the longest answer. Far above 1, claims repeat each
    other."""

    reviewed: Annotated[float, Field(ge=1, le=100)] = 4.0
    """How many times its allowed size the candidate may take while reviewers read and merge it."""

    @model_validator(mode="after")
    def _fits_together(self) -> "SizePolicy":
        if self.least_tokens > self.most_tokens:
            message = f"least_tokens {self.least_tokens} exceeds most_tokens {self.most_tokens}; lower it"
            raise ValueError(message)
        return self


class BudgetPolicy(Frozen):
    """What one job may use. Money is capped per job (rule 11)."""

    max_usd: Annotated[Decimal, Field(ge=0)] = Decimal(5)
    """Cap of the job: estimated before, enforced while it runs, reported after."""

    max_input_tokens: Annotated[int, Field(ge=1)] = 5_000_000
    """Input tokens over all calls."""

    allow_unknown_price: bool = True
    """Whether members without a known price may be asked; their cost is reported as not known."""


class RollingPolicy(Frozen):
    """How a conversation that has a boundary is dissolved again."""

    prompt_version: Annotated[int, Field(ge=1)] = 6
    """Version of the prompt for a conversation that has a boundary. 3: members see claim ids and may affirm, revise or
    close them; 4: one statement may name several, and answer questions; 5: states the room and asks for spoken words;
    6: what binds comes first and short."""

    state_tokens: Annotated[int, Field(ge=100, le=1_000_000)] = 3000
    """Tokens of the standing boundary that members are shown. DECIDED, IDENTITY and pinned claims are always shown;
    what is not shown still stands."""

    promote_families: Annotated[int, Field(ge=1, le=64)] | None = None
    """Families that must state a dissent, over all cycles, before it becomes a claim. Not set:
    `consensus.min_families`."""

    max_reconciliations: Annotated[int, Field(ge=1, le=100)] = 10
    """How often a finished job is reconciled again because the ledger moved on before its commit."""


class RenderPolicy(Frozen):
    """How a committed boundary is turned into a context."""

    budget_tokens: Annotated[int, Field(ge=200, le=1_000_000)] = 4000
    """Tokens for boundary and recent turns together."""

    recent_turns: Annotated[int, Field(ge=0, le=1000)] = 10
    """Last turns kept verbatim."""

    turns_share: Annotated[float, Field(ge=0, le=1)] = 0.5
    """Share of the tokens left by DECIDED and IDENTITY that recent turns may take before KNOWN and EDGES are chosen.
    What one does not use, the other gets."""

    operator_share: Annotated[float, Field(ge=0, le=1)] = 0.5
    """Share of `budget_tokens` for the operator's instructions (system turns before anybody speaks), word for word.
    What does not fit is left to IDENTITY, with a note. 0 leaves them out."""

    excerpts: bool = True
    """Whether a context shows excerpts, as quotations that nobody has read."""

    reader: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    """Model that reads the context, such as `openai/gpt-4o`: its vocabulary counts the tokens, if available. Otherwise
    they are approximated."""


class Policy(Frozen):
    """All that one job may set."""

    name: Annotated[str, Field(min_length=1, max_length=100)] = "default"
    """What people call it; policies are told apart by their digest."""

    prompt_version: Annotated[int, Field(ge=1)] = 4
    """Version of the four-part prompt. 2: asks for turn numbers; 3: states the room and asks for spoken words; 4: what
    binds comes first and short, and each rule in one section."""

    personal_data: Annotated[str, Field(min_length=1, max_length=40)] | None = None
    """Recogniser of personal data, such as `presidio` (an extra). Not set: secrets alone are replaced. Stored turns
    stay as they are."""

    members: tuple[Annotated[str, Field(min_length=1, max_length=100)], ...] = ()
    """Members of the fleet that give an account. None: all. Others do only what the policy names them for: review,
    write questions, read, judge."""

    effort: Effort = Effort.STANDARD
    """Preset. `low`: as few members as the quorum needs, two reviewers of two families, 50 held-out questions. `high`:
    all members, a reviewer of every family, 240 questions. What the policy says of `members`, `frame.reviewers`,
    `frame.review_families` or `probe.gate` wins."""

    quorum: QuorumPolicy = QuorumPolicy()
    consensus: ConsensusPolicy = ConsensusPolicy()
    size: SizePolicy = SizePolicy()
    excerpts: ExcerptPolicy = ExcerptPolicy()
    budget: BudgetPolicy = BudgetPolicy()
    rolling: RollingPolicy = RollingPolicy()
    render: RenderPolicy = RenderPolicy()
    triggers: TriggerPolicy = TriggerPolicy()
    frame: FramePolicy = FramePolicy()
    probe: ProbePolicy = ProbePolicy()

    calibration: CalibrationDigest | NotMeasured = Field(default_factory=lambda: CALIBRATION.digest)
    """Digest of the thresholds that no policy sets, as they are when a job is made. Nobody sets it."""

    @model_validator(mode="before")
    @classmethod
    def _tells_its_calibration(cls, given: object, info: ValidationInfo) -> object:
        """A stored policy without a calibration was made when none was recorded, whatever stands today."""
        if info.context is not STORED or not isinstance(given, dict):
            return given
        return {"calibration": UNRECORDED.model_dump(), **cast("Mapping[str, object]", given)}

    @property
    def digest(self) -> str:
        """SHA-256 (hex) of the canonical JSON of what the policy sets; the calibration has a digest of its own."""
        return hashlib.sha256(self.model_dump_json(exclude={"calibration"}).encode()).hexdigest()

    def made_now(self) -> "Policy":
        """The policy for a job that is made now: under the calibration that stands."""
        return self.model_copy(update={"calibration": CALIBRATION.digest})
