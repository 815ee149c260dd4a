"""The steps of the frame: the register of what a conversation takes for granted, and the audit of the candidate."""

from collections.abc import Sequence

from consensus.admission.room import kept_to
from dissolution.conversation import Snapshot
from dissolution.findings import Consensus, NotRun
from dissolution.framing import Action, Challenge, Finding, FrameReport
from dissolution.job import Job
from dissolution.ledger import Change, ChangeKind
from dissolution.ports.store import UnitOfWork
from dissolution.premises import Register
from dissolution.receipt.frame import AuditedAgain, FrameSummary, PremiseReader, RegisterReport, ReviewReader
from dissolution.reviewing import Hint, Reviewer
from dissolution.values import NotMeasured
from frame_agent.challenge.adoption import as_edge
from frame_agent.register.fold import advance
from frame_agent.review.audit import audit
from frame_agent.review.hints import hints_of
from workers.concurrency.parallel import both
from workers.members.boundary_room import words_kept
from workers.members.frame_members import challenged, read_by_members
from workers.members.reviewers import Reviewed, nobody_read, reviewed_by_members
from workers.members.wording_distance import comparing_by
from workers.probe.outcomes import RepairReport, outcome
from workers.services import Services
from workers.stages.consensus import consensus_of
from workers.stages.parse import counted_answers
from workers.step_results import StepResult, step_output

SWITCHED_OFF = "policy 'frame.audit' switches it off"
NOTHING_ASSERTED = "excerpts assert nothing, so there is nothing to review"
TRIES = 5
"""Times a register is built anew because another job of the conversation stored turns of it in between."""


def build_register(services: Services, job: Job) -> StepResult:
    """Read on from where the conversation's register stands, and store what is new.

    Raises RuntimeError when others were first time and again; trying the step again starts from what stands then.
    """
    for _ in range(TRIES):
        snapshot, stored = _standing(services, job)
        register, readers = read_by_members(services, job, snapshot, stored, advance(stored, snapshot.turns))
        with services.unit_of_work() as work:
            if work.frames.extend(register):
                work.commit()
                return _built(register.at(job.through), len(register.events) - len(stored.events), readers)
    message = f"the register of conversation {job.conversation!r} was added to by others {TRIES} times"
    raise RuntimeError(message)


def _standing(services: Services, job: Job) -> tuple[Snapshot, Register]:
    with services.unit_of_work() as work:
        snapshot = work.conversations.snapshot(job.conversation, job.through, job.snapshot_digest)
        return snapshot, work.frames.register(job.conversation)


def _built(register: Register, added: int, readers: tuple[PremiseReader, ...]) -> StepResult:
    report = RegisterReport(
        through=register.through,
        digest=register.digest,
        premises=len(register.premises),
        added=added,
        readers=readers,
    )
    failed = sum(reader.failure is not None for reader in readers)
    told = f"; {len(readers) - failed} of {len(readers)} members read too" if readers else ""
    return StepResult(output=report, note=f"{report.premises} premises{told}")


def register_of(work: UnitOfWork, job: Job) -> Register:
    """The register as it stands for a job: of its snapshot's turns alone."""
    return work.frames.register(job.conversation).at(job.through)


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


def repaired(findings: Sequence[Finding]) -> int:
    """How many findings changed the candidate."""
    return sum(one.action is Action.REPAIR for one in findings)


def _audited_again(work: UnitOfWork, job: Job) -> tuple[AuditedAgain, ...]:
    """What the audit found in each candidate that a round of repair amended."""
    report = outcome(work, job, "repair", RepairReport)
    rounds = () if isinstance(report, NotRun) else report.rounds
    return tuple(
        AuditedAgain(
            round=number,
            findings=one.findings,
            repaired=repaired(one.findings),
            blocked=one.blocked,
        )
        for number, one in enumerate(rounds, start=1)
        if one.findings is not None
    )


def _in_numbers(one: Reviewer) -> ReviewReader:
    """A reviewer as a receipt tells of it."""
    return ReviewReader(
        member=one.member,
        family=one.family,
        remarks=len(one.remarks),
        unproved=one.unproved,
        unread=one.unread,
        failure=one.failure,
        detail=one.detail,
    )


def frame_summary(work: UnitOfWork, job: Job) -> FrameSummary | NotMeasured:
    """What the receipt tells of the frame; why there is nothing when the audit did not run."""
    report = outcome(work, job, "frame_audit", FrameReport)
    if isinstance(report, NotRun):
        return NotMeasured(not_measured=report.not_run)
    built = outcome(work, job, "register", RegisterReport)
    return FrameSummary(
        register_digest=report.register_digest,
        register_size=report.register_size,
        readers=() if isinstance(built, NotRun) else built.readers,
        reviewers=tuple(map(_in_numbers, report.reviewers)),
        nobody=report.nobody,
        findings=report.findings,
        hints=report.hints,
        repaired=repaired(report.findings),
        blocked=report.blocked,
        again=_audited_again(work, job),
        lock_in=report.lock_in,
        challenges=report.challenges,
    )
