"""One cell's figures: its state, held against the states before it, the questions and the truth."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from consensus.reconcile.comparison import Space, space_of
from dissolution.boundary import BoundaryState
from dissolution.conversation import Snapshot
from dissolution.job import Job
from dissolution.ledger import ChangeKind
from dissolution.ports.models import TokenCounter
from dissolution.probing import ArmName, Question
from dissolution.receipt.job_receipt import Receipt
from dissolution.stability import FIRST, NO_BANK, NO_TRUTH, NOT_ASSERTED, CycleFigures, SectionFlow, TruthFigures
from dissolution.values import Counted, Measured, NotMeasured
from language.signature import signature
from probe.evaluate import read_arm
from probe.judge import judged
from probe.reading import ArmText, Reader
from stability.measures import (
    NO_SECTIONS,
    commitment_survival,
    compression,
    drift,
    flows,
    jaccard,
    status_flips,
    tfidf_cosine,
)
from stability.state import State, state_of
from stability.truth import Truth, against
from workers.services import Services

AGES = ((10, "up to 10 turns"), (30, "11 to 30 turns"), (None, "over 30 turns"))
"""Classes of how long ago the evidence of a question was said: the last turn of each, and its name."""


@dataclass(frozen=True, kw_only=True)
class Yardsticks:
    """What states are held against."""

    questions: Sequence[Question] = ()
    reader: Reader | None = None
    truth: Truth | None = None


@dataclass(frozen=True, kw_only=True)
class Past:
    """The states of one replicate of one arm before the cell that is measured."""

    first: State | None = None
    before: State | None = None
    held: frozenset[str] = field(default_factory=frozenset[str])  # ids of truths held after some cycle


@dataclass(frozen=True, kw_only=True)
class Made:
    """What a cell's job made: its receipt and how it changed the ledger."""

    job: Job
    receipt: Receipt
    promoted: Counted
    dissent: Counted
    dropped: Counted


def measure_cell(
    services: Services,
    snapshot: Snapshot,
    state: State,
    *,
    past: Past,
    yardsticks: Yardsticks,
    made: Made | None,
) -> tuple[CycleFigures, Past]:
    """The figures of one cell, and what the next cell of its replicate is measured against."""
    texts = [item.text for one in (past.first, past.before, state) if one is not None for item in one.items]
    space = space_of(texts, services.embedder(), None)
    told = signature(state.text)
    tokens = services.counter.count(state.text)
    truth, following = gone_on(past, state, snapshot.through, yardsticks)
    figures = CycleFigures.model_validate(
        {
            **_against_before(state, past, space),
            **_of_job(made),
            **_competence(state, snapshot, yardsticks),
            "present_tense_share": told.present_tense_share,
            "forbidden_phrases": len(told.forbidden_phrases),
            "claims": len(state.items),
            "tokens": tokens,
            "compression": compression(_tokens(snapshot, services.counter), tokens),
            "truth": truth,
        }
    )
    return figures, following


def gone_on(past: Past, state: State, through: int, yardsticks: Yardsticks) -> tuple[TruthFigures | NotMeasured, Past]:
    """A state held against the truth, and what the next cell is measured against; nothing is embedded."""
    truth: TruthFigures | NotMeasured = NO_TRUTH
    held = past.held
    if not state.asserted:
        truth = NOT_ASSERTED
    elif yardsticks.truth is not None:
        truth, held = against(yardsticks.truth, state, through, past.held)
    return truth, Past(first=past.first or state, before=state, held=held)


def _tokens(snapshot: Snapshot, counter: TokenCounter) -> int:
    return sum(counter.count(turn.content) for turn in snapshot.turns)


def _against_before(state: State, past: Past, space: Space) -> Mapping[str, object]:
    if past.before is None or past.first is None:
        return {}
    found: tuple[SectionFlow, ...] | NotMeasured = flows(past.before, state, space)
    return {
        "flows": found,
        "commitment_survival": commitment_survival(past.before, state, space),
        "status_flips": status_flips(past.before, state, space) if state.has_sections else FIRST,
        "jaccard_before": jaccard(past.before.text, state.text),
        "tfidf_before": tfidf_cosine(past.before.text, state.text),
        "drift_before": drift(past.before, state, space),
        "drift_first": drift(past.first, state, space),
    }


def _of_job(made: Made | None) -> Mapping[str, object]:
    if made is None:
        return {}
    receipt = made.receipt
    found: dict[str, object] = {
        "promoted": made.promoted,
        "dissent": made.dissent,
        "dropped": made.dropped,
        "usd": receipt.cost.used_usd,
        "input_tokens": receipt.cost.used_input_tokens,
        "seconds": (receipt.ended_at - receipt.started_at).total_seconds(),
    }
    if not isinstance(receipt.consensus, NotMeasured):
        measures = receipt.consensus.measures
        names = ("claim_agreement", "dominant_cluster_share", "mean_pairwise_jaccard", "mean_tfidf_cosine")
        found |= {name: getattr(measures, name) for name in names}
        groups = receipt.consensus.groups
        found["members"] = {one.member: one.groups / groups for one in measures.members} if groups else {}
    return found


def made_by(services: Services, job: Job) -> tuple[Made, State] | NotMeasured:
    """What an ended job made, and the state it left; NotMeasured with the job's reason where it committed none."""
    with services.unit_of_work() as work:
        boundary = work.boundaries.by_job(job.id)
        receipt = work.boundaries.receipt(job.id)
        events = work.ledger.events(job.conversation) if boundary is not None else ()
        earlier = [work.boundaries.by_job(event.job) for event in events if event.job and event.job != job.id]
    if boundary is None or receipt is None:
        return NotMeasured(not_measured=f"job {job.id} ended without a boundary: {job.reason or job.status.value}")
    stood = [one for one in earlier if one is not None]
    ended = frozenset(claim.id for one in stood for claim in one.closed)
    made = Made(
        job=job,
        receipt=receipt,
        promoted=sum(change.kind is ChangeKind.PROMOTED for change in boundary.changes),
        dissent=len(boundary.dissent),
        dropped=dropped(max(stood, key=lambda one: one.through), boundary) if stood else FIRST,
    )
    return made, state_of(boundary, ended)


def said_by(job: Job, receipt: Receipt) -> Made:
    """What a job made whose answer is taken as it is: nothing but its price and time."""
    return Made(job=job, receipt=receipt, promoted=NO_SECTIONS, dissent=NO_SECTIONS, dropped=NO_SECTIONS)


def dropped(before: BoundaryState, now: BoundaryState) -> int:
    """Dissent of the boundary before that neither stands still nor became a claim of this one."""
    became = {change.other for change in now.changes if change.kind is ChangeKind.PROMOTED}
    standing = {one.id for one in now.dissent} | {claim.id for claim in now.claims}
    return sum(one.id not in standing and one.id not in became for one in before.dissent)


def _competence(state: State, snapshot: Snapshot, yardsticks: Yardsticks) -> Mapping[str, object]:
    """Shares of questions answered rightly from the state; those whose evidence is not all said yet are left out."""
    asked = [
        question
        for question in yardsticks.questions
        if question.third is not None and max(question.evidence_turns) <= snapshot.through
    ]
    if not asked or yardsticks.reader is None:
        return {"competence": NO_BANK}
    text = ArmText(passages=tuple(item.text for item in state.items))
    answers = read_arm(ArmName.CANDIDATE, text, asked, yardsticks.reader)
    right = {one.question: one.right for one in judged(asked, answers, None) if one is not None}
    by_age: dict[str, Measured] = {}
    for (start, _), (end, name) in pairwise(((0, ""), *AGES)):
        of_age = [
            right[question.id]
            for question in asked
            if (start or 0) < snapshot.through - max(question.evidence_turns) + 1 <= (end or snapshot.through)
        ]
        by_age[name] = sum(of_age) / len(of_age) if of_age else NotMeasured(not_measured="no question of this age")
    return {"competence": sum(right.values()) / len(right), "competence_by_age": by_age}
