"""Fresh questions for an amended candidate: a further bank, sealed before the candidate that is to meet it exists.

A verdict rests on questions that no earlier candidate has met. Where too few of the job's bank are left, another is
written from the snapshot and from the questions asked so far. It is sealed, and the seal recorded, before the fleet is
asked about the turns that are to be repaired.
"""

from collections.abc import Sequence
from typing import NamedTuple

from dissolution.conversation import Snapshot
from dissolution.findings import NotRun
from dissolution.job import Job
from dissolution.probing import Question, Split
from probe.cloze import write_cloze_bank
from probe.gate import expected_questions, least_questions
from workers.members.follow_up import STAGE
from workers.probe.arm_readers import reader_of
from workers.probe.bank_top_up import topped_up
from workers.probe.outcomes import HistoryReport, SealedBank
from workers.probe.question_writer import further_member_bank
from workers.services import Services
from workers.stages.candidate_arm import Asked
from workers.stages.history_arm import fresh_report
from workers.stages.question_bank import bank_size

SEALED = "bank_sealed"
"""The event that keeps a further bank's seal; its detail is the seal."""


class Fresh(NamedTuple):
    """Held-out questions that no candidate has met, in the order to be asked, and the bank written for them if any."""

    asked: Asked
    questions: tuple[Question, ...]
    bank: SealedBank | None = None
    history: HistoryReport | None = None


def fresh_questions(
    services: Services, job: Job, snapshot: Snapshot, asked: Asked, used: Sequence[str], *, share: float
) -> Fresh | NotRun:
    """The questions for an amended candidate, or why it cannot be given a chance to pass.

    Questions left over are taken first. A further bank is written where they are fewer than a candidate at the gate's
    `accept_loss` needs on average.

    Args:
        services: The fleet, the store, the clock.
        job: The job that repairs.
        snapshot: What it works on.
        asked: Its banks so far.
        used: Ids of the held-out questions that candidates have met.
        share: Of the gate's `false_accept`, what the amended candidate may spend.
    """
    gate = job.policy.probe.gate
    left = unmet(asked, used)
    masked = any(question.item is not None for question in asked.questions)
    if len(left) >= expected_questions(gate, masked=masked, share=share):
        return Fresh(asked, left)
    needed = least_questions(gate, masked=masked, share=share)
    further = further_bank(services, job, snapshot, asked.questions, lacking=needed - len(left))
    if isinstance(further, NotRun):
        fresh, why = Fresh(asked, left), further.not_run
    else:
        bank, history = further
        more = asked.more(bank.bank, history)
        fresh, why = Fresh(more, unmet(more, used), bank, history), "it has too few"
    if len(fresh.questions) >= needed:
        return fresh
    found = f"{len(fresh.questions)} fresh questions are left and {needed} are needed to pass"
    return NotRun(not_run=f"{found}; a further bank: {why}")


def unmet(asked: Asked, used: Sequence[str]) -> tuple[Question, ...]:
    """The held-out questions that no candidate has met, in the order to be asked."""
    met = frozenset(used)
    return tuple(one for one in asked.of(Split.HELD_OUT, "candidate") if one.id not in met)


def further_bank(
    services: Services, job: Job, snapshot: Snapshot, earlier: Sequence[Question], *, lacking: int = 0
) -> tuple[SealedBank, HistoryReport] | NotRun:
    """A bank that asks nothing of what `earlier` asks, sealed, with the history's answers; or why there is none.

    Where it has fewer than the `lacking` held-out questions, without which nothing can pass, its writer is asked once
    more before it is sealed.
    """
    found = write_further(services, job, snapshot, earlier, lacking=lacking)
    if isinstance(found, NotRun):
        return found
    record_seal(services, job, found.seal)
    history = fresh_report(services, job, found, snapshot, reader_of(services, job, STAGE), stage=STAGE)
    return history if isinstance(history, NotRun) else (found, history)


def write_further(
    services: Services, job: Job, snapshot: Snapshot, earlier: Sequence[Question], *, lacking: int = 0
) -> SealedBank | NotRun:
    """The bank itself, by whoever wrote the first."""
    if job.policy.probe.writer is not None:
        size = bank_size(job, snapshot)
        found = further_member_bank(services, job, snapshot, size=size, earlier=earlier, stage=STAGE)
        if not job.policy.probe.gate.enlarge:
            return found
        return topped_up(services, job, snapshot, found, wanted=lacking, earlier=earlier, stage=STAGE)
    bank = write_cloze_bank(snapshot, size=bank_size(job, snapshot), excluding=earlier)
    if not bank.split(Split.HELD_OUT):
        return NotRun(not_run="the conversation states nothing more that could be masked")
    return SealedBank(bank=bank, seal=bank.seal)


def record_seal(services: Services, job: Job, seal: str) -> None:
    """Keep the seal as an event of the job, once, however often the step runs."""
    with services.unit_of_work() as work:
        if all((event.kind, event.detail) != (SEALED, seal) for event in work.jobs.events(job.id)):
            work.jobs.record(job.id, services.clock.now(), SEALED, seal)
            work.commit()
