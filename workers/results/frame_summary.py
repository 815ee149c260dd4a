"""What a receipt tells of the frame, read from the outputs of its stages."""

from collections.abc import Sequence

from dissolution.findings import NotRun
from dissolution.framing import Action, Finding, FrameReport
from dissolution.job import Job
from dissolution.ports.store import UnitOfWork
from dissolution.receipt.frame import AuditedAgain, FrameSummary, RegisterReport, ReviewReader
from dissolution.reviewing import Reviewer
from dissolution.values import NotMeasured
from workers.probe.outcomes import RepairReport, outcome


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
