"""What would change the end of a job that kept the history or committed degraded, in one line: a setting or an act."""

import math
from typing import NamedTuple

from dissolution.answers import FailureClass, MemberKind
from dissolution.claims import Section
from dissolution.findings import Consensus, GateDecision, NotRun, Verdict
from dissolution.framing import MOST_NEEDED, FrameReport
from dissolution.job import Job
from dissolution.ports.store import UnitOfWork
from dissolution.probing import GateReading, GateState
from dissolution.values import NotMeasured
from probe.gate import most_losses, questions_for
from workers.members.call_rows import STAGE as FAN_OUT
from workers.probe.outcomes import Faced, HistoryReport, RepairReport, SealedBank, outcome
from workers.results.after_error import KEPT
from workers.results.candidate import current_candidate

DEGRADED = "degraded"
STAGES = ("question_bank", "history_arm", "candidate_arm", "repair")
NOBODY_JUDGED = (
    "no language model judged the answers: name probe.reader and probe.judge, or let --gate enforce a preset"
)


class End(NamedTuple):
    """Everything the line is made of."""

    job: Job
    consensus: Consensus
    frame: FrameReport | NotRun
    bank: SealedBank | NotRun
    history: HistoryReport | NotRun
    faced: Faced | NotRun  # of the last candidate
    rounds: int  # of repair
    families: int  # of members that were asked to state something, methods of extraction apart
    spent: bool  # the job's cap left no money for a call of the probe


def with_change(work: UnitOfWork, job: Job, decision: GateDecision) -> GateDecision:
    """The verdict with what would change it; a plain commit as it is."""
    if decision.verdict is Verdict.COMMIT:
        return decision
    end = end_of(work, job)
    told = KEPT if decision.verdict is Verdict.KEEP_HISTORY else DEGRADED
    return decision.model_copy(update={"would_change": f"{told}: {what_of_candidate(end) or what_of_probe(end)}"})


def end_of(work: UnitOfWork, job: Job) -> End:
    """What there is at the job's end."""
    repaired = outcome(work, job, "repair", RepairReport)
    rounds = () if isinstance(repaired, NotRun) else repaired.rounds
    everything = work.jobs.calls(job.id)
    asked = [call for call in everything if call.stage == FAN_OUT]
    calls = (call for call in everything if call.stage in STAGES)
    return End(
        job=job,
        consensus=current_candidate(work, job),
        frame=outcome(work, job, "frame_audit", FrameReport),
        bank=outcome(work, job, "question_bank", SealedBank),
        history=outcome(work, job, "history_arm", HistoryReport),
        faced=rounds[-1].faced if rounds else outcome(work, job, "candidate_arm", Faced),
        rounds=len(rounds),
        families=len({one.member.family for one in asked if one.member.kind is not MemberKind.EXTRACTIVE}),
        spent=any(call.failure is not None and call.failure.error_class is FailureClass.BUDGET for call in calls),
    )


def what_of_candidate(end: End) -> str | None:
    """What keeps the candidate back before any question is counted; None when nothing does."""
    if end.consensus.unread:
        return "nobody has read this: name a fleet with language models"
    if all(claim.section is Section.EDGES for claim in end.consensus.claims):
        return "no member stated anything on words of a turn: ask other members, or dissolve more turns"
    if isinstance(end.frame, FrameReport) and end.frame.blocked:
        count = len(end.frame.blocked)
        return f"{count} findings of the review block it: policy frame.act = 'repair' does what reviewers say"
    if not end.job.policy.probe.on:
        return "nothing was probed: set policy probe.on"
    return what_of_members(end)


def what_of_members(end: End) -> str | None:
    """Which member, or whose lack, keeps the probe from a verdict; None when none does."""
    policy = end.job.policy.probe
    if end.spent:
        return f"the cap of {end.job.policy.budget.max_usd} USD left nothing for the probe: raise policy budget.max_usd"
    if isinstance(end.bank, NotRun):
        if policy.writer is None:
            return f"nothing could be asked ({end.bank.not_run}): name probe.writer, or dissolve more turns"
        return f"{end.bank.not_run}: run it again, or name another probe.writer or probe.reader"
    failed = end.history.not_run if isinstance(end.history, NotRun) else None
    if isinstance(end.faced, NotRun):
        failed = failed or end.faced.not_run
    elif failed is None:
        failed = end.faced.failure
    if failed is not None:
        return f"{failed}: run it again, or name another probe.reader"
    if isinstance(end.history, HistoryReport) and isinstance(end.history.share, NotMeasured):
        return f"{end.history.share.not_measured}: run it again, or name another probe.reader or probe.judge"
    return None if policy.enforced else NOBODY_JUDGED


def what_of_probe(end: End) -> str:
    """What the questions lack for a verdict, or the candidate for a better one."""
    if isinstance(end.faced, NotRun) or isinstance(end.history, NotRun):
        return "run it again"
    gate, share = end.job.policy.probe.gate, end.history.share
    if not isinstance(share, NotMeasured) and share < gate.history_floor:
        return (
            f"the history itself answers {share:.0%} of the questions, {gate.history_floor:.0%} are needed: name a "
            "stronger probe.reader, or lower probe.gate.history_floor"
        )
    reading = end.faced.reading
    if reading.vetoes:
        lost = ", ".join(question for question, _ in reading.vetoes)
        return f"a commitment or prohibition is lost (question {lost}): {_repairing(end)}"
    if reading.state is GateState.OPEN:
        return _more_questions(end, reading)
    if reading.state is GateState.REJECT:
        share_of_error = _share(reading, end)
        most = most_losses(reading.used, gate, masked=reading.masked, share=share_of_error)
        return f"{reading.lost} of {reading.used} questions lost, {most or 0} may be: {_repairing(end)}"
    return "nobody reviewed it: switch policy frame.audit on"


def _more_questions(end: End, reading: GateReading) -> str:
    """How many questions would have decided with as many lost, and whether the conversation bears them."""
    gate = end.job.policy.probe.gate
    needed = questions_for(reading.lost - reading.gained, gate, masked=reading.masked, share=_share(reading, end))
    needed = max(needed, reading.used + 1)
    lost = f"{reading.lost} of {reading.used} questions lost; {needed} questions would decide, no further one lost"
    need = None if isinstance(end.bank, NotRun) else end.bank.need
    if need is not None and need.borne < needed:
        return f"{lost}, more than these turns bear: dissolve more turns, or widen probe.gate.reject_loss"
    return f"{lost}: raise probe.gate.questions to {needed}"


def _repairing(end: End) -> str:
    """What would let a repair bring back what is lost."""
    gate = end.job.policy.probe.gate
    if end.families < MOST_NEEDED:
        return f"add members of {MOST_NEEDED} families that can be asked again, a repair takes up what two bring"
    if end.rounds >= gate.repair_rounds:
        return f"raise probe.gate.repair_rounds to {gate.repair_rounds + 1}, or say it again in the conversation"
    return "raise probe.gate.questions, so that fresh ones are left for a repair"


def _share(reading: GateReading, end: End) -> float:
    """The share of the gate's error that the candidate could spend."""
    return math.exp(-reading.accept_bound) / end.job.policy.probe.gate.false_accept
