"""The words of a stability run: its plan, the arms that are compared, its cells, and what is measured in each cycle."""

from collections.abc import Mapping
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Protocol

from pydantic import AwareDatetime, Field, model_validator

from dissolution.claims import Section
from dissolution.conversation import ConversationId, TurnNumber
from dissolution.ids import JobId
from dissolution.job import Lane, TenantName
from dissolution.policy.job_policy import Policy
from dissolution.probing import Question
from dissolution.values import Counted, Frozen, Measured, NotMeasured

RunId = Annotated[str, Field(pattern=r"^run-[0-9a-z-]{4,60}$")]

OWN_CONVERSATIONS = "~"
"""Stands in the ids of the copies of a conversation that a run dissolves; no conversation of a user has it there."""


class Arm(StrEnum):
    """What happens at each checkpoint; every arm has the same turns."""

    LEDGER = "ledger"  # the whole path: members see the standing boundary and the turns since
    REWRITE = "rewrite"  # the same answers, but their consensus replaces the state whole: no ledger
    SINGLE = "single"  # one member instead of the fleet
    SELF_ENSEMBLE = "self_ensemble"  # one member, asked several times
    SUMMARY = "summary"  # one member's prose summary in place of a boundary
    TRUNCATION = "truncation"  # the last turns that fit into the ledger arm's size, and nothing else
    NO_AUDIT = "no_audit"  # as `ledger`, without the frame audit
    NO_GATE = "no_gate"  # as `ledger`, without the probe and its gate


JOB_ARMS = frozenset({Arm.LEDGER, Arm.REWRITE, Arm.SINGLE, Arm.SELF_ENSEMBLE, Arm.NO_AUDIT, Arm.NO_GATE})
"""Arms whose cycles are ordinary dissolution jobs."""


class ReplicateKind(StrEnum):
    """What makes one replicate differ from another; reports say which it was."""

    ASKED_AGAIN = "asked_again"  # every replicate asks the members anew
    MEMBERS_DRAWN = "members_drawn"  # answers are fixed: each replicate draws members with replacement
    NONE = "none"  # one replicate


class Cadence(StrEnum):
    """What chose the checkpoints."""

    EVERY = "every"  # so many turns
    TURNS = "turns"  # given turns
    FIRINGS = "firings"  # the policy's triggers, replayed over the conversation, and its last turn


class StabilityPlan(Frozen):
    """What a run does. The same plan with the same answers gives the same figures."""

    conversation: ConversationId
    checkpoints: Annotated[tuple[TurnNumber, ...], Field(min_length=1, max_length=500)]  # rising
    replicates: Annotated[int, Field(ge=1, le=100)] = 1
    kind: ReplicateKind = ReplicateKind.NONE
    arms: Annotated[tuple[Arm, ...], Field(min_length=1)] = (Arm.LEDGER,)
    fleet: Annotated[str, Field(min_length=1)]
    policy: Policy
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 0
    max_usd: Annotated[Decimal, Field(ge=0)] | None = None  # over all jobs of the run; None: each job's own cap holds
    truth: str | None = None  # file with what is true at which turn, where that is known
    known: str | None = None  # the same as JSON, where it came with the request and in no file
    questions: tuple[Question, ...] = ()  # put to every state
    cadence: Cadence = Cadence.TURNS
    lane: Lane | None = None  # where the jobs wait for workers, who then do the run; None: who asked for it does it
    software: str

    @property
    def has_truth(self) -> bool:
        """Whether somebody wrote down what is true."""
        return self.truth is not None or self.known is not None

    @model_validator(mode="after")
    def _is_in_order(self) -> "StabilityPlan":
        if list(self.checkpoints) != sorted(set(self.checkpoints)):
            message = f"checkpoints {list(self.checkpoints)!r} do not rise; give each turn once, in order"
            raise ValueError(message)
        if len(set(self.arms)) != len(self.arms):
            message = f"arms {[arm.value for arm in self.arms]!r} name one twice"
            raise ValueError(message)
        if (self.kind is ReplicateKind.NONE) != (self.replicates == 1):
            message = f"{self.replicates} replicates of kind {self.kind.value!r}: one has none to differ from"
            raise ValueError(message)
        return self


class RunStatus(StrEnum):
    """Where a stability run stands."""

    RUNNING = "running"
    DONE = "done"  # every cell has its reading, or the reason why there is none
    STOPPED = "stopped"  # by its money cap
    CANCELLED = "cancelled"


class StabilityRun(Frozen):
    """A run as it is stored."""

    id: RunId
    plan: StabilityPlan
    tenant: TenantName = "default"
    status: RunStatus = RunStatus.RUNNING
    reason: str | None = None
    created_at: AwareDatetime
    ended_at: AwareDatetime | None = None


class CellKey(Frozen):
    """One cycle of one replicate of one arm; cycles and replicates count from 1."""

    arm: Arm
    replicate: Annotated[int, Field(ge=1)]
    cycle: Annotated[int, Field(ge=1)]

    @property
    def name(self) -> str:
        """For people and for ids: `ledger-r1-c2`."""
        return f"{self.arm.value}-r{self.replicate}-c{self.cycle}"


class SectionFlow(Frozen):
    """What became of one section's claims since the cycle before. Revised ones do not count as lost."""

    section: Section
    before: Annotated[int, Field(ge=0)]  # open claims after the cycle before
    survived: Annotated[int, Field(ge=0)]  # of them open now, in this section
    moved: Annotated[int, Field(ge=0)]  # open now in another section
    ended: Annotated[int, Field(ge=0)]  # closed with a reason
    lost: Annotated[int, Field(ge=0)]  # gone without one
    now: Annotated[int, Field(ge=0)]  # open claims now


FIRST = NotMeasured(not_measured="the first cycle has none before it")
NOT_ASSERTED = NotMeasured(not_measured="excerpts assert nothing, so they are held against no truth")
NO_TRUTH = NotMeasured(not_measured="no truth is known for this conversation")
NO_BANK = NotMeasured(not_measured="no question bank was given")
NO_JOB = NotMeasured(not_measured="this arm has no dissolution job")


class TruthFigures(Frozen):
    """A state held against what is true at its turn."""

    true_now: Annotated[int, Field(ge=0)]
    held: Annotated[int, Field(ge=0)]
    held_before: Annotated[int, Field(ge=0)]  # of those true now, held after an earlier cycle
    lost: Annotated[int, Field(ge=0)]  # of those, not held now
    commitments_before: Annotated[int, Field(ge=0)]
    commitments_lost: Annotated[int, Field(ge=0)]
    ended_by_now: Annotated[int, Field(ge=0)]  # closed or superseded by this turn
    still_asserted: Annotated[int, Field(ge=0)]  # of those, asserted all the same
    revised_rightly: Annotated[int, Field(ge=0)]  # superseded values whose successor is held
    replaced_by_now: Annotated[int, Field(ge=0)] = 0  # superseded values by this turn


class CycleFigures(Frozen):
    """What is measured after one cycle; formulas stand with `stability.measures`."""

    flows: tuple[SectionFlow, ...] | NotMeasured = FIRST
    commitment_survival: Measured = FIRST  # commitments of the cycle before that are open or closed for a reason, 0..1
    status_flips: Counted = FIRST  # claims that changed section, or were closed and came back
    jaccard_before: Measured = FIRST  # word sets of this state and the one before, 0..1
    tfidf_before: Measured = FIRST  # cosine, 0..1
    drift_before: Measured = FIRST  # cosine distance of mean claim vectors, 0..2
    drift_first: Measured = FIRST  # the same, from the first cycle's state
    claim_agreement: Measured = NO_JOB
    dominant_cluster_share: Measured = NO_JOB
    mean_pairwise_jaccard: Measured = NO_JOB
    mean_tfidf_cosine: Measured = NO_JOB
    present_tense_share: Measured
    forbidden_phrases: Annotated[int, Field(ge=0)]
    claims: Annotated[int, Field(ge=0)]
    tokens: Annotated[int, Field(ge=0)]
    compression: Measured  # tokens of the conversation so far over tokens of the state
    competence: Measured = NO_BANK  # share of answerable questions answered rightly, 0..1
    competence_by_age: Mapping[str, Measured] = {}  # by how many turns ago the evidence was said
    promoted: Counted = NO_JOB  # dissent that became a claim
    dissent: Counted = NO_JOB  # standing after the cycle
    dropped: Counted = NO_JOB  # dissent of the cycle before that neither stands still nor became a claim
    members: Mapping[str, Measured] = {}  # share of the cycle's groups of statements that each member is in
    truth: TruthFigures | NotMeasured = NO_TRUTH
    usd: Decimal | NotMeasured = NO_JOB
    input_tokens: Counted = NO_JOB
    seconds: Measured = NO_JOB


class Cell(Frozen):
    """One cell as it is stored: the job that makes it, then what was measured or why nothing could be."""

    run: RunId
    key: CellKey
    through: TurnNumber
    members: tuple[str, ...] = ()  # who was asked, where the arm or the replicate draws some; empty: all
    job: JobId | None = None
    figures: CycleFigures | NotMeasured | None = None  # None while it is not over


class DueRun(Frozen):
    """A run of workers with something that can be done now."""

    run: RunId
    progress: Annotated[int, Field(ge=0)]  # rises with all that is done; the same number again: nothing was done since


class StabilityStore(Protocol):
    """Stability runs and their cells. Changes are inside the unit of work they came from."""

    def add(self, run: StabilityRun, cells: tuple[Cell, ...]) -> None:
        """Store a new run with all of its cells."""
        ...

    def get(self, run: str) -> StabilityRun:
        """A run by id or unique prefix. Raises NotFound."""
        ...

    def runs(self, status: RunStatus | None = None, tenant: str | None = None) -> tuple[StabilityRun, ...]:
        """The runs, newest first; of one status or one tenant, if one is given."""
        ...

    def due(self) -> tuple[DueRun, ...]:
        """Running runs of workers in which something can be done now, oldest first.

        That is: to measure a cell whose job has ended, to begin one that waits for none, or to end the run.
        """
        ...

    def cells(self, run: str) -> tuple[Cell, ...]:
        """The cells of a run by arm (in the plan's order), replicate and cycle."""
        ...

    def start(self, run: str, key: CellKey, job: JobId) -> None:
        """Name the job that makes a cell, once. Raises IllegalMove when it has another or the run has ended."""
        ...

    def settle(self, run: str, key: CellKey, figures: CycleFigures | NotMeasured) -> None:
        """Store what a cell came to; repeating it with the same changes nothing. Raises NotFound."""
        ...

    def end(self, run: str, status: RunStatus, at: AwareDatetime, reason: str | None = None) -> StabilityRun:
        """End a run. Raises IllegalMove when it has ended otherwise."""
        ...
