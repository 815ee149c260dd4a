"""The consensus step."""

from collections import Counter
from collections.abc import Sequence

from consensus.build import build_consensus
from consensus.reconcile.run import reconcile
from dissolution.adjudication import Adjudication
from dissolution.claims import Statement
from dissolution.findings import Consensus
from dissolution.job import Job
from dissolution.ledger import ChangeKind
from dissolution.ports import Adjudicator
from dissolution.values import NotMeasured
from workers.adjudicating import adjudicator_of
from workers.outcomes import StepResult
from workers.reading import counted_answers
from workers.rolling import ended_claims, refuse_behind, standing
from workers.services import Services


def reach_consensus(services: Services, job: Job) -> StepResult:
    """Group the statements of all counted answers, and reconcile what they say with the ledger: the candidate.

    Raises BehindBoundary when the ledger covers more turns by now than the job.
    """
    with services.unit_of_work() as work:
        snapshot = work.conversations.get(job.conversation).snapshot(job.through)
    consensus = consensus_of(services, job, adjudicator=adjudicator_of(services, job, snapshot))
    note = f"{consensus.groups} meanings, {len(consensus.claims)} claims, {len(consensus.dissent)} in dissent"
    return StepResult(
        output=consensus, note=f"{note}{adjudication_in_words(consensus.adjudication)}{changes_in_words(consensus)}"
    )


def consensus_of(
    services: Services, job: Job, more: Sequence[Statement] = (), *, adjudicator: Adjudicator | None
) -> Consensus:
    """The consensus of all counted answers and of what was said besides, reconciled with the ledger.

    Raises BehindBoundary when the ledger covers more turns by now than the job.
    """
    with services.unit_of_work() as work:
        snapshot = work.conversations.get(job.conversation).snapshot(job.through)
        answers = counted_answers(work, job)
        refuse_behind(work, job)
        prior = standing(work, job)
        ended = ended_claims(work, job)
    statements = tuple(
        Statement(member=answer.member.name, family=answer.member.family, ordinal=ordinal, claim=claim)
        for answer in answers
        for ordinal, claim in enumerate(answer.parsed.claims)
    )
    heard = build_consensus(
        (*statements, *more),
        snapshot,
        services.embedder(),
        job.policy.consensus,
        job=job.id,
        answers={answer.member.name: answer.reply.text for answer in answers},
        adjudicator=adjudicator,
    )
    return reconcile(prior, heard, snapshot, services.embedder(), job.policy, job=job.id, ended=ended)


def changes_in_words(consensus: Consensus) -> str:
    """What became of the claims held before, as the end of a note; nothing when none were."""
    if consensus.prior_version == 0:
        return ""
    counts = Counter(change.kind for change in consensus.changes)
    told = ", ".join(f"{counts[kind]} {kind.value}" for kind in ChangeKind if counts[kind])
    return f"; against version {consensus.prior_version}: {told or 'no change'}"


def adjudication_in_words(adjudication: Adjudication | NotMeasured) -> str:
    """What came of asking about pairs in doubt, as the end of a note; nothing when nobody was to be asked."""
    if isinstance(adjudication, NotMeasured):
        return ""
    if adjudication.failure is not None:
        return f"; pairs in doubt not adjudicated: {adjudication.failure.error_class.value}"
    return f"; {len(adjudication.decisions)} of {adjudication.doubtful} pairs in doubt adjudicated"
