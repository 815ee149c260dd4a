"""The policy: every threshold of one job with its reason, frozen and stored with the job."""

import hashlib
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field, model_validator

from dissolution.excerpts import ExcerptPolicy
from dissolution.framing import FramePolicy
from dissolution.policy.effort import Effort
from dissolution.policy.probe import ProbePolicy
from dissolution.policy.triggers import TriggerPolicy
from dissolution.values import Enduring, Frozen


class QuorumPolicy(Frozen):
    """How many must answer, and how long the fleet may take."""

    min_members: Annotated[int, Field(ge=1, le=64)] = 2
    """Usable answers needed. Two is the least that can agree."""

    min_families: Annotated[int, Field(ge=1, le=64)] = 2
    """Families among them. Two members of one lineage share their errors."""

    soft_deadline_s: Annotated[float, Field(gt=0, le=3600)] = 90.0
    """When the quorum stands and this has passed, stragglers are no longer waited for."""

    hard_deadline_s: Annotated[float, Field(gt=0, le=7200)] = 300.0
    """Nobody is waited for after this."""

    stragglers: Literal["cancel", "keep"] = "cancel"
    """What happens to calls in flight once the quorum stands at the soft deadline: cancelled, or waited for until the
    hard deadline and kept as late. Late answers are stored and marked, never counted: who answers fast is no sample."""

    enough_agreement: Annotated[float, Field(gt=0, le=1)] | None = None
    """Agreement (0..1) of the families that have answered from which nobody else is waited for, once the quorum stands:
    the share of its statements that each finds in every other. None waits for all: who answers fast is no sample of
    the fleet, a late family's dissent is worth hearing, and calls in flight are mostly paid for anyway. What is saved
    is time, windows not yet read, and calls that still wait for their turn."""

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
    """Embedding model the distances below are calibrated for."""

    distance_threshold: Annotated[float, Field(gt=0, lt=2)] | None = None
    """Complete-linkage cut on the joint distance of words, meaning and figures; None takes the embedder's calibrated
    value, at which no labelled hard negative shares a group."""

    min_families: Annotated[int, Field(ge=1, le=64)] = 2
    """Families a claim needs to be admitted by agreement."""

    admit_single_source: bool = True
    """Whether one family's claim may enter on strong verbatim evidence, marked `single_source`."""

    single_source_evidence: Annotated[float, Field(ge=0, le=1)] = 0.55
    """Least evidence score (0..1) of a claim admitted on one family's word."""

    evidence_floor: Annotated[float, Field(ge=0, le=1)] = 0.30
    """Least evidence score (0..1) for a span to count as evidence at all."""


class SizePolicy(Frozen):
    """How much room a boundary has: members are asked for it, and what stands is kept to it."""

    share: Annotated[float, Field(gt=0, le=1)] = 0.15
    """Share of the snapshot's tokens. An independent reader held that 700 dense words say all of 5,000."""

    least_tokens: Annotated[int, Field(ge=50, le=1_000_000)] = 300
    """Tokens that a boundary has at least: what binds in a short conversation takes a larger share of it."""

    most_tokens: Annotated[int, Field(ge=50, le=1_000_000)] = 3000
    """Tokens that a boundary has at most, however long the conversation is."""

    longest: Annotated[float, Field(ge=1, le=100)] = 1.3
    """Words of all new claims over those of the longest answer, at most. Members take more than their room where what
    binds needs it. Below 1 the fleet would forget what one member says; far above it the same things stand in several
    wordings, and claims of one family that nobody reviewed."""

    reviewed: Annotated[float, Field(ge=1, le=100)] = 4.0
    """Rooms that the candidate may take while it is reviewed, as what reviewers merge has to be shown to them first;
    new claims never take more, however long answers are."""

    @model_validator(mode="after")
    def _fits_together(self) -> "SizePolicy":
        if self.least_tokens > self.most_tokens:
            message = f"least_tokens {self.least_tokens} exceeds most_tokens {self.most_tokens}; lower it"
            raise ValueError(message)
        return self


class BudgetPolicy(Frozen):
    """What one job may use. Money is capped per job (rule 11)."""

    max_usd: Annotated[Decimal, Field(ge=0)] = Decimal(5)
    """US dollars. Estimated before, stopped at, reported after."""

    max_input_tokens: Annotated[int, Field(ge=1)] = 5_000_000
    """Input tokens over all calls of the job."""

    allow_unknown_price: bool = True
    """Whether members without a known price may be asked; their cost is reported as not known."""


class RollingPolicy(Frozen):
    """How a conversation that has a boundary is dissolved again."""

    prompt_version: Annotated[int, Field(ge=1)] = 6
    """Version of the rolling prompt that a cycle asks. From version 3 on members see ids and may say which held claims
    they affirm, revise or see closed; version 4 lets one statement name several, and answer questions; version 5 tells
    its room and asks for the spoken words of what binds beside quoted material; version 6 puts what binds first and
    short, and says how a question that is settled in part is written."""

    state_tokens: Annotated[int, Field(ge=100, le=1_000_000)] = 3000
    """Tokens of the standing boundary that members are shown, DECIDED, IDENTITY and what is pinned always: those alone
    may take more. What is not shown is held all the same."""

    promote_families: Annotated[int, Field(ge=1, le=64)] | None = None
    """Families that must have said a minority branch, over all cycles together, before it becomes a claim. None takes
    `consensus.min_families`: a cycle counts no less and no more than an answer."""

    max_reconciliations: Annotated[int, Field(ge=1, le=100)] = 10
    """How often a finished job is reconciled anew because the ledger moved on before its commit."""


class RenderPolicy(Frozen):
    """How a committed boundary is turned into a context."""

    budget_tokens: Annotated[int, Field(ge=200, le=1_000_000)] = 4000
    """Tokens for the boundary text and the recent turns together."""

    recent_turns: Annotated[int, Field(ge=0, le=1000)] = 10
    """Last turns that are kept verbatim."""

    turns_share: Annotated[float, Field(ge=0, le=1)] = 0.5
    """Share of what DECIDED and IDENTITY leave free that recent turns may take before KNOWN and EDGES are chosen. Half:
    neither may starve the other; what one does not use, the other gets."""

    operator_share: Annotated[float, Field(ge=0, le=1)] = 0.5
    """Share of `budget_tokens` that the operator's instructions at the beginning (system turns before anybody speaks)
    may take, word for word; those that do not fit are left to IDENTITY, and that is said. 0 leaves them out, for
    callers who send them themselves."""

    excerpts: bool = True
    """Whether a context shows excerpts, as quotations that nobody has read. False leaves them out and says so."""

    reader: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    """Model that reads the context, such as `openai/gpt-4o`: its own vocabulary counts the tokens where it is at hand.
    None, or a model whose vocabulary is not, counts by an approximation; the export names the method."""


class Policy(Frozen):
    """All thresholds of one job."""

    name: Annotated[str, Field(min_length=1, max_length=100)] = "default"
    """What people call it; the digest, not the name, tells policies apart."""

    prompt_version: Annotated[int, Field(ge=1)] = 4
    """Version of the four-part prompt. Version 2 asks for turn numbers with each claim, which evidence starts from;
    version 3 tells its room, and asks for the spoken words of what binds beside quoted material; version 4 puts what
    binds first and short, and each rule in one section."""

    personal_data: Annotated[str, Field(min_length=1, max_length=40)] | None = None
    """Recogniser of personal data that turns are read with: `presidio` (an extra), which replaces mail addresses and
    numbers that people and accounts are known by. None: secrets alone are replaced; what names a person stays, because
    replacing it changes what the conversation means. Turns that are stored already stay as they are."""

    members: tuple[Annotated[str, Field(min_length=1, max_length=100)], ...] = ()
    """Members of the job's fleet that give an account in four parts. None named: all of them. Whoever is not among
    them is asked only for what the policy names it for: to review, to write questions, to read, to judge."""

    effort: Effort = Effort.STANDARD
    """Preset of members, reviewers and questions. `low`: as few members as the quorum needs, two reviewers of two
    families, 50 held-out questions. `high`: all members, a reviewer of every family, 240 questions. What the policy
    says itself of `members`, of `frame.reviewers` or `frame.review_families`, or of `probe.gate` wins."""

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

    @property
    def digest(self) -> str:
        """SHA-256 (hex) of the policy's canonical JSON."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()
