"""The question_bank step: questions are written from the snapshot alone and sealed before any candidate exists."""

from collections.abc import Collection

from dissolution.conversation import Snapshot
from dissolution.findings import NotRun
from dissolution.job import Job
from dissolution.ports.store import UnitOfWork
from dissolution.probing import BankOrigin, Split
from probe.cloze import write_cloze_bank
from probe.need import bank_need, questions_wanted, whole_bank
from workers.probe.bank_top_up import topped_up
from workers.probe.earlier_jobs import earlier_outcomes
from workers.probe.outcomes import SealedBank
from workers.probe.question_writer import member_bank
from workers.services import Services
from workers.stages.trigger_pressure import notable_turns
from workers.step_results import StepResult

STAGE = "question_bank"

TOO_FEW = "bank_too_small"
"""Event of a job whose policy asks for fewer questions than its bounds need; its detail says what is done about it."""

SWITCHED_OFF = NotRun(not_run="the policy switches the probe off")


def write_bank(services: Services, job: Job) -> StepResult:
    """Write the job's questions from its snapshot, and store them with their seal.

    The step runs beside the fan-out and before the consensus, so no candidate exists that it could know. An earlier
    job on the same turns with the same writer leaves its bank to this one, so that its history answers hold here too.
    """
    if not job.policy.probe.on:
        return absent(SWITCHED_OFF)
    with services.unit_of_work() as work:
        snapshot = work.conversations.snapshot(job.conversation, job.through, job.snapshot_digest)
        need = bank_need(job.policy.probe, snapshot)
        kept = None if job.policy.probe.writer is None else kept_bank(work, job, snapshot)
        notable = notable_in(work, job)
        if need.short and all(event.kind != TOO_FEW for event in work.jobs.events(job.id)):
            work.jobs.record(job.id, services.clock.now(), TOO_FEW, need.words)
            work.commit()
    if job.policy.probe.writer is None:
        found = cloze_bank(snapshot, job, notable)
    elif kept is not None:
        found = kept
    else:
        found = member_bank(services, job, snapshot, size=whole_bank(need.written), notable=notable)
        if job.policy.probe.gate.enlarge:
            found = topped_up(services, job, snapshot, found, wanted=need.wanted)
    return sealed(found if isinstance(found, NotRun) else found.model_copy(update={"need": need}))


def kept_bank(work: UnitOfWork, job: Job, snapshot: Snapshot) -> SealedBank | None:
    """The bank that the same members wrote and checked for an earlier job on the same turns; None when none did."""
    for other, found in earlier_outcomes(work, job, STAGE, SealedBank):
        mine, theirs = job.policy.probe, other.policy.probe
        alike = (mine.writer, mine.reader, mine.judge, bank_need(mine, snapshot).written) == (
            theirs.writer,
            theirs.reader,
            theirs.judge,
            bank_need(theirs, snapshot).written,
        )
        if alike and (other.fleet, found.bank.origin) == (job.fleet, BankOrigin.WRITTEN):
            return found.model_copy(update={"of_job": found.of_job or other.id})
    return None


def notable_in(work: UnitOfWork, job: Job) -> tuple[int, ...]:
    """Turns of the snapshot since the last boundary that were far more surprising than the talk around them.

    They are facts of the snapshot, measured as it was said; nothing of a candidate is in them. None for a conversation
    that triggers do not watch.
    """
    if work.triggers.state(job.conversation) is None:
        return ()
    boundary = work.boundaries.current(job.conversation)
    found = notable_turns(work, job.conversation, after=0 if boundary is None else boundary.through)
    return tuple(turn for turn in found or () if turn <= job.through)


def cloze_bank(snapshot: Snapshot, job: Job, notable: Collection[int]) -> SealedBank | NotRun:
    """The bank without a language model; the same turns and notable turns always give the same."""
    bank = write_cloze_bank(snapshot, size=bank_size(job, snapshot), notable=notable)
    if not bank.split(Split.HELD_OUT):
        return NotRun(not_run="no question can be asked: the conversation states too little that could be masked")
    return SealedBank(bank=bank, seal=bank.seal)


def bank_size(job: Job, snapshot: Snapshot) -> int:
    """Questions to write so that the held-out split has as many as the gate needs; every fourth is for repair."""
    return questions_wanted(job.policy.probe, snapshot)


def sealed(found: SealedBank | NotRun) -> StepResult:
    """The step's result, with a note."""
    if isinstance(found, NotRun):
        return absent(found)
    bank = found.bank
    held_out, train = len(bank.split(Split.HELD_OUT)), len(bank.split(Split.TRAIN))
    how = "sentences with a gap" if bank.origin is BankOrigin.CLOZE else f"written by {bank.writer}"
    again = "" if found.of_job is None else f", those of job {found.of_job}"
    note = f"{held_out} questions to test with, {train} for repairs: {how}{again}"
    return StepResult(output=found, note=note)


def absent(why: NotRun) -> StepResult:
    """The result of a stage of the probe that has nothing to do, or could not do it."""
    return StepResult(output=why, note=f"not run: {why.not_run}")
