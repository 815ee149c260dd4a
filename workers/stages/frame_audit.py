"""The frame_audit step: the candidate is reviewed, and what enough families say is done."""

from consensus.admission.room import kept_to
from dissolution.conversation import Snapshot
from dissolution.findings import Consensus, NotRun
from dissolution.framing import Challenge, FrameReport
from dissolution.job import Job
from dissolution.ledger import Change, ChangeKind
from dissolution.premises import Register
from dissolution.reviewing import Hint
from dissolution.values import NotMeasured
from frame_agent.challenge.adoption import as_edge
from frame_agent.review.audit import audit
from frame_agent.review.hints import hints_of
from workers.concurrency.parallel import both
from workers.members.boundary_room import words_kept
from workers.members.frame_members import challenged
from workers.members.reviewers import Reviewed, nobody_read, reviewed_by_members
from workers.members.wording_distance import comparing_by
from workers.results.frame_summary import repaired
from workers.services import Services
from workers.stages.consensus import consensus_of
from workers.stages.parse import counted_answers
from workers.stages.register import register_of
from workers.step_results import StepResult, step_output

SWITCHED_OFF = "policy 'frame.audit' switches it off"
NOTHING_ASSERTED = "excerpts assert nothing, so there is nothing to review"


def audit_frame(services: Services, job: Job) -> StepResult:
    """Have the candidate reviewed, and do what enough families say."""
    if not job.policy.frame.audit:
        return StepResult(output=NotRun(not_run=SWITCHED_OFF), note=f"not run: {SWITCHED_OFF}")
    with services.unit_of_work() as work:
        consensus = Consensus.model_validate_json(step_output(work, job, "consensus"))
        snapshot = work.conversations.snapshot(job.conversation, job.through, job.snapshot_digest)
        register = register_of(work, job)
    if consensus.unread:
        return StepResult(output=NotRun(not_run=NOTHING_ASSERTED), note=f"not run: {NOTHING_ASSERTED}")
    hints = hints_of(register, consensus, snapshot)
    found, reviewed = both(
        services.abandon,
        lambda: challenged(services, job, snapshot, register),
        lambda: reviewed_by_members(services, job, snapshot, consensus, register=register, hints=hints),
    )
    if reviewed.nobody is None and nobody_read(reviewed):  # what waited for a review does not stand without one
        consensus = consensus_of(services, job, to_be_reviewed=False)
        hints = hints_of(register, consensus, snapshot)
    audited = _audited(services, job, snapshot, register, consensus, reviewed=reviewed, hints=hints)
    if reviewed.nobody is None and audited.amended is None and nobody_read(reviewed):
        audited = audited.model_copy(update={"amended": consensus})
    report = with_challenges(audited, found, consensus, job)
    return StepResult(output=report, note=in_words(report))


def _audited(
    services: Services,
    job: Job,
    snapshot: Snapshot,
    register: Register,
    candidate: Consensus,
    *,
    reviewed: Reviewed,
    hints: tuple[Hint, ...],
) -> FrameReport:
    report = audit(
        register,
        candidate,
        snapshot,
        job.policy.frame,
        reviewers=reviewed.reviewers,
        comparing=comparing_by(services.embedder, job.policy.consensus, snapshot),
        job=job.id,
        hints=hints,
        nobody=reviewed.nobody,
    )
    return report if reviewed.nobody is not None else _kept_to_room(services, job, snapshot, candidate, report)


def _kept_to_room(
    services: Services, job: Job, snapshot: Snapshot, candidate: Consensus, report: FrameReport
) -> FrameReport:
    """The report on a candidate that was given more than its room for its review, and is now kept to it."""
    amended = report.amended or candidate
    with services.unit_of_work() as work:
        answers = counted_answers(work, job)
    kept = kept_to(amended, words_kept(services, job, snapshot, answers), candidate)
    return report if kept is amended else report.model_copy(update={"amended": kept})


def with_challenges(
    report: FrameReport, found: tuple[Challenge, ...] | NotMeasured, candidate: Consensus, job: Job
) -> FrameReport:
    """The report with what the challenger found; in EDGES only where policy asks for that in so many words."""
    told = report.model_copy(update={"challenges": found})
    if isinstance(found, NotMeasured) or not found or not job.policy.frame.challenges_to_edges:
        return told
    amended = report.amended or candidate
    edges = [edge for edge in map(as_edge, found) if all(claim.id != edge.id for claim in amended.claims)]
    added = [Change(kind=ChangeKind.ADDED, claim=edge.id, reason=edge.reason) for edge in edges]
    update = {"claims": (*amended.claims, *edges), "changes": (*amended.changes, *added)}
    return told.model_copy(update={"amended": amended.model_copy(update=update)})


def in_words(report: FrameReport) -> str:
    """What the audit came to, in a few words without content."""
    challenges = "" if isinstance(report.challenges, NotMeasured) else f", {len(report.challenges)} challenges"
    blocked = f", blocked by {len(report.blocked)}" if report.blocked else ""
    hints = f", {len(report.hints)} hints" if report.hints else ""
    heard = sum(one.failure is None for one in report.reviewers)
    asked = report.nobody or f"{heard} of {len(report.reviewers)} reviewers answered"
    found = f"{len(report.findings)} findings, {repaired(report.findings)} put right{blocked}"
    return f"{found}{hints}{challenges}; {asked}"
