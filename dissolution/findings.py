"""What the stages find: the consensus, its measures, the verdict, and stages that did not run."""

from enum import StrEnum
from typing import Annotated

from pydantic import AwareDatetime, Field

from dissolution.claims import Claim, Dissent, FamilyName, MemberName
from dissolution.excerpts import Excerpt
from dissolution.ledger import Change
from dissolution.reviewing import Hint
from dissolution.values import Enduring, Frozen, Measured, NotMeasured


class Verdict(StrEnum):
    """The gate's decision."""

    COMMIT = "commit"
    REPAIR = "repair"
    KEEP_HISTORY = "keep_history"
    COMMIT_DEGRADED = "commit_degraded"  # committed without a passed probe; labelled wherever it is shown


COMMITTED = frozenset({Verdict.COMMIT, Verdict.COMMIT_DEGRADED})
"""Verdicts by which the candidate becomes the boundary."""


class GateDecision(Frozen):
    """A verdict with its reasons in words."""

    verdict: Verdict
    reasons: Annotated[tuple[str, ...], Field(min_length=1)]
    would_change: str | None = None  # of an end that is no plain commit: what would, in one line


class EmbeddingStamp(Frozen):
    """What produced a set of vectors; distances compare only within one stamp."""

    model: str
    digest: str  # of the weights, or of the algorithm's description
    dimension: Annotated[int, Field(ge=1)]


class Vectors(Frozen):
    """Unit row vectors, shape (count, dimension), little-endian float32, row-major.

    Bytes instead of an array: the kernel knows no numpy, and this is the form that is stored.
    """

    stamp: EmbeddingStamp
    count: Annotated[int, Field(ge=0)]
    data: bytes


EARLIER = NotMeasured(not_measured="made by a version that did not measure it")


class FamilyCoverage(Frozen):
    """How much of what the fleet states one family states."""

    family: FamilyName
    groups: Annotated[int, Field(ge=0)]  # groups of statements it is in
    share: Annotated[float, Field(ge=0, le=1)]  # of all groups


class MemberContribution(Frozen):
    """What one member adds: how things would stand without it."""

    member: MemberName
    family: FamilyName
    groups: Annotated[int, Field(ge=0)]  # groups of statements it is in
    alone: Annotated[int, Field(ge=0)]  # groups nobody else is in
    pivotal: Annotated[int, Field(ge=0)]  # groups of two or more families that would keep only one
    agreement_without: Measured  # claim agreement of the others, 0..1


class AgreementMeasures(Frozen):
    """How far the answers agree. Definitions stand in the modules of `consensus.measures`."""

    claim_agreement: Measured  # share of groups that two or more families state, 0..1
    dominant_cluster_share: Measured  # largest cluster of whole answers over all answers, 0..1
    mean_pairwise_jaccard: Measured  # word sets of whole answers, 0..1
    mean_tfidf_cosine: Measured  # whole answers, 0..1
    mean_embedding_cosine: Measured  # mean of pairwise cosines of answers' mean claim vectors, -1..1
    krippendorff_alpha: Measured = EARLIER  # of families over claim presence, at most 1; 0 is chance
    effective_families: Measured = EARLIER  # as how many families without a common claim they count
    family_coverage: tuple[FamilyCoverage, ...] = ()  # by name
    members: tuple[MemberContribution, ...] = ()  # by name


class Consensus(Enduring):
    """The candidate boundary before audit and probe, and everything that did not enter it."""

    retired = frozenset({"adjudication"})

    claims: tuple[Claim, ...]
    dissent: tuple[Dissent, ...]
    statements: Annotated[int, Field(ge=0)]  # how many were heard
    groups: Annotated[int, Field(ge=0)]  # how many meanings they fell into
    measures: AgreementMeasures
    embedding: EmbeddingStamp
    method: str  # the grouping method and its version
    prior_version: Annotated[int, Field(ge=0)] = 0  # the version of the ledger it was reconciled with; 0 = none
    closed: tuple[Claim, ...] = ()  # claims held before that end, as they then stand
    changes: tuple[Change, ...] = ()  # what became of each claim, held before or new
    hints: tuple[Hint, ...] = ()  # what is suspected of claims that stand: for the review, decides nothing
    excerpts: tuple[Excerpt, ...] = ()  # what extraction methods chose, in the order of turns
    unread: bool = False  # extraction methods alone were asked: the claims are those held before, untouched


class StageState(StrEnum):
    """What became of a stage, as the receipt tells it."""

    RAN = "ran"
    NOT_RUN = "not_run"
    FAILED = "failed"


class StageReport(Frozen):
    """One line of the receipt: a stage, what became of it, and why."""

    stage: str
    state: StageState
    reason: str | None = None
    started_at: AwareDatetime | None = None
    ended_at: AwareDatetime | None = None


class NotRun(Frozen):
    """The output of a stage that does not exist yet or was switched off: typed, never a fake pass."""

    not_run: Annotated[str, Field(min_length=1)]
