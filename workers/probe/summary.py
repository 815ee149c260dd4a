"""What the receipt tells of a job's probe, read from the outputs of its stages."""

from dissolution.findings import GateDecision, NotRun
from dissolution.job import Job
from dissolution.ports.store import UnitOfWork
from dissolution.probing import ProbeItem, Score, Split
from dissolution.receipt.probe import PrecisionShares, ProbeRound, ProbeSummary
from dissolution.values import NotMeasured
from probe.diagnosis import diagnose
from probe.judge import cross_examination
from workers.probe.outcomes import Faced, HistoryReport, RepairReport, SealedBank, outcome


def probe_summary(work: UnitOfWork, job: Job) -> ProbeSummary | NotMeasured:
    """The probe in numbers and words; why there is none when no bank was sealed."""
    sealed = outcome(work, job, "question_bank", SealedBank)
    if isinstance(sealed, NotRun):
        return NotMeasured(not_measured=sealed.not_run)
    history = outcome(work, job, "history_arm", HistoryReport)
    policy = job.policy.probe
    crossed = cross_examination(scores_of(work, job))
    repaired = outcome(work, job, "repair", RepairReport)
    repairs = () if isinstance(repaired, NotRun) else tuple(one.line for one in repaired.rounds)
    return ProbeSummary(
        seal=sealed.seal,
        origin=sealed.bank.origin,
        writer=sealed.bank.writer,
        reader="nobody read" if isinstance(history, NotRun) else history.reader,
        judge=policy.judge,
        policy=policy.gate.name,
        enforced=policy.enforced,
        held_out=len(sealed.bank.split(Split.HELD_OUT)),
        train=len(sealed.bank.split(Split.TRAIN)),
        refused=len(sealed.bank.rejected),
        history_share=NotMeasured(not_measured=history.not_run) if isinstance(history, NotRun) else history.share,
        floor_share=NotMeasured(not_measured=history.not_run) if isinstance(history, NotRun) else history.floor,
        need=sealed.need,
        topped_up=sealed.topped_up,
        bank_of=sealed.of_job,
        history_of=None if isinstance(history, NotRun) else history.of_job,
        agreement=crossed.share,
        cross_examined=crossed,
        rounds=rounds_of(work, job),
        repairs=repairs,
    )


def scores_of(work: UnitOfWork, job: Job) -> tuple[Score, ...]:
    """Every answer that the verdicts rest on, scored: of the history to all questions, of each candidate to its own."""
    history = outcome(work, job, "history_arm", HistoryReport)
    past = () if isinstance(history, NotRun) else history.scores
    repaired = outcome(work, job, "repair", RepairReport)
    further = () if isinstance(repaired, NotRun) else (one.history for one in repaired.rounds)
    again = (score for one in further if one is not None for score in one.scores)
    return (*past, *again, *(item.candidate_score for items in items_of(work, job) for item in items))


def rounds_of(work: UnitOfWork, job: Job) -> tuple[ProbeRound, ...]:
    """What each candidate met, the first one and those that repairs amended; none before the gate has decided."""
    faced = outcome(work, job, "candidate_arm", Faced)
    decision = outcome(work, job, "gate", GateDecision)
    repaired = outcome(work, job, "repair", RepairReport)
    if isinstance(faced, NotRun) or isinstance(decision, NotRun):
        return ()
    later = () if isinstance(repaired, NotRun) else repaired.rounds
    return (round_of(faced, decision), *(round_of(one.faced, one.decision) for one in later))


def round_of(faced: Faced, decision: GateDecision) -> ProbeRound:
    """One candidate's round in numbers and words."""
    crossed = cross_examination(score for item in faced.items for score in (item.history_score, item.candidate_score))
    return ProbeRound(
        claims=faced.claims,
        asked=len(faced.items) + len(faced.unanswered),
        unanswered=len(faced.unanswered),
        reading=faced.reading,
        agreement=crossed.share,
        cross_examined=crossed,
        precision=PrecisionShares(
            checked=len(faced.precision.checked),
            supported=faced.precision.supported,
            contradicted=faced.precision.contradicted,
            absent=faced.precision.absent,
        ),
        decision=decision,
        weak=diagnose(faced.items).words,
    )


def items_of(work: UnitOfWork, job: Job) -> tuple[tuple[ProbeItem, ...], ...]:
    """The questions with both answers, of each candidate in turn."""
    faced = outcome(work, job, "candidate_arm", Faced)
    repaired = outcome(work, job, "repair", RepairReport)
    if isinstance(faced, NotRun):
        return ()
    later = () if isinstance(repaired, NotRun) else repaired.rounds
    return (faced.items, *(one.faced.items for one in later))
