"""The consensus step."""

from collections import Counter
from collections.abc import Sequence

from consensus.admission.excerpts import choose_excerpts, read_until, unread
from consensus.build import build_consensus
from consensus.reconcile.run import reconcile
from dissolution.answers import Answer, MemberKind
from dissolution.boundary import BoundaryState
from dissolution.claims import MemberName, Statement
from dissolution.conversation import Snapshot
from dissolution.excerpts import Excerpt
from dissolution.findings import Consensus
from dissolution.job import Job
from dissolution.ledger import ChangeKind
from dissolution.policy.job_policy import Policy
from fleet.answering import answers_the_path
from workers.members.boundary_room import room_read, words_kept
from workers.members.cycles import cycle_version, ended_claims, prior_boundary, refuse_behind
from workers.members.reviewers import is_reviewed
from workers.services import Services
from workers.stages.parse import counted_answers
from workers.step_results import FanOutReport, StepResult, step_output

FIRST_WITH_TURNS = 2
"""First version of the four-part prompt that asks for the turns of each statement."""

FIRST_WITH_WORDS = 3
"""First version that asks for the spoken words of what binds beside quoted material."""

FIRST_ROLLING_WITH_WORDS = 5
"""The same of the rolling prompt, which a cycle asks."""


def reach_consensus(services: Services, job: Job) -> StepResult:
    """Group the statements of all counted answers, and reconcile what they say with the ledger: the candidate.

    Raises BehindBoundary when the ledger covers more turns by now than the job.
    """
    consensus = consensus_of(services, job)
    note = f"{consensus.groups} meanings, {len(consensus.claims)} claims, {len(consensus.dissent)} in dissent"
    if consensus.unread:
        note = f"{len(consensus.excerpts)} excerpts"
    return StepResult(output=consensus, note=f"{note}{changes_in_words(consensus)}")


def consensus_of(services: Services, job: Job, *, to_be_reviewed: bool | None = None) -> Consensus:
    """The consensus of all counted answers, reconciled with the ledger.

    Whether it will be reviewed is told by policy and fleet, unless it is known better: a review may have failed.

    Raises BehindBoundary when the ledger covers more turns by now than the job.
    """
    with services.unit_of_work() as work:
        snapshot = work.conversations.snapshot(job.conversation, job.through, job.snapshot_digest)
        answers = counted_answers(work, job)
        refuse_behind(work, job)
        prior = prior_boundary(work, job)
        ended = ended_claims(work, job)
    reviewed = is_reviewed(job.policy.frame, services.fleet(job)) if to_be_reviewed is None else to_be_reviewed
    excerpts = excerpts_of(job, snapshot, prior, answers)
    if answers and all(answer.member.kind is MemberKind.EXTRACTIVE for answer in answers):
        return unread(prior, excerpts, services.embedder().stamp)
    statements = tuple(
        Statement(member=answer.member.name, family=answer.member.family, ordinal=ordinal, claim=claim)
        for answer in answers
        for ordinal, claim in enumerate(answer.parsed.claims)
    )
    heard = build_consensus(
        statements,
        snapshot,
        services.embedder(),
        job.policy.consensus,
        job=job.id,
        answers={answer.member.name: answer.reply.text for answer in answers},
        naming=naming_turns(answers, job.policy),
        showing=showing_words(services, job, answers),
        most_words=most_words(services, job, snapshot, answers, to_be_reviewed=reviewed),
        to_be_reviewed=reviewed,
    )
    decided = reconcile(prior, heard, snapshot, services.embedder(), job.policy, job=job.id, ended=ended)
    return decided.model_copy(update={"excerpts": excerpts}) if excerpts else decided


def naming_turns(answers: Sequence[Answer], policy: Policy) -> frozenset[MemberName]:
    """The members that were asked for the turns of what they state; old recordings answer a prompt that never did."""
    if policy.prompt_version < FIRST_WITH_TURNS:
        return frozenset()
    return frozenset(
        answer.member.name
        for answer in answers
        if answer.member.kind is not MemberKind.RECORDED or any(claim.turns for claim in answer.parsed.claims)
    )


def showing_words(services: Services, job: Job, answers: Sequence[Answer]) -> frozenset[MemberName]:
    """The members that were asked for the spoken words of what binds beside quoted material.

    A recording of the four parts alone was asked something else, long ago.
    """
    if not asked_for_words(services, job):
        return frozenset()
    asked = {member.card.name for member in services.fleet(job) if answers_the_path(member)}
    return frozenset(answer.member.name for answer in answers if answer.member.name in asked)


def asked_for_words(services: Services, job: Job) -> bool:
    """Whether the prompt of the fan-out asks for spoken words: in a cycle it is the rolling one."""
    with services.unit_of_work() as work:
        shown = FanOutReport.model_validate_json(step_output(work, job, "fan_out")).shown_version
    if shown:
        return cycle_version(job) >= FIRST_ROLLING_WITH_WORDS
    return job.policy.prompt_version >= FIRST_WITH_WORDS


def most_words(
    services: Services, job: Job, snapshot: Snapshot, answers: Sequence[Answer], *, to_be_reviewed: bool
) -> float:
    """Words that the candidate may have: what is kept in the end, or more where members will merge repetitions."""
    if not to_be_reviewed:
        return words_kept(services, job, snapshot, answers)
    return job.policy.size.reviewed * room_read(services, job, snapshot).words


def excerpts_of(
    job: Job, snapshot: Snapshot, prior: BoundaryState | None, answers: Sequence[Answer]
) -> tuple[Excerpt, ...]:
    """What the fleet's extraction methods chose; where others read the same turns it stands beside what they state."""
    methods = {
        answer.member.family: answer.parsed.chosen for answer in answers if answer.member.kind is MemberKind.EXTRACTIVE
    }
    if not methods:
        return ()
    held = () if prior is None else prior.excerpts
    return choose_excerpts(snapshot, methods, job.policy.excerpts, held=held, after=read_until(prior))


def changes_in_words(consensus: Consensus) -> str:
    """What became of the claims held before, as the end of a note; nothing when none were."""
    if consensus.prior_version == 0:
        return ""
    counts = Counter(change.kind for change in consensus.changes)
    told = ", ".join(f"{counts[kind]} {kind.value}" for kind in ChangeKind if counts[kind])
    hints = f"; {len(consensus.hints)} hints for the review" if consensus.hints else ""
    return f"; against version {consensus.prior_version}: {told or 'no change'}{hints}"
