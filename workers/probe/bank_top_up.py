"""A bank that came out too small is written on once, before it is sealed."""

from collections.abc import Sequence

from dissolution.conversation import Snapshot
from dissolution.findings import NotRun
from dissolution.job import Job
from dissolution.probing import Question, QuestionBank, Split
from probe.need import whole_bank
from probe.writer import written_bank
from workers.probe.outcomes import SealedBank
from workers.probe.question_writer import STAGE, further_member_bank
from workers.services import Services

TWICE = 2
"""Times as many are asked for as lack, since some will not pass their checks either."""


def topped_up(
    services: Services,
    job: Job,
    snapshot: Snapshot,
    found: SealedBank | NotRun,
    *,
    wanted: int,
    earlier: Sequence[Question] = (),
    stage: str = STAGE,
) -> SealedBank | NotRun:
    """The bank with what a second request to its writer brings, where fewer questions are held out than wanted.

    The writer is shown the questions that stand, so that it repeats none, and what it gives is checked like the rest. A
    request that fails, or that the job's cap leaves no money for, brings nothing.

    Args:
        services: The fleet, the store, the event loop.
        job: Its policy names writer, reader and judge.
        snapshot: What is asked about.
        found: The bank as it was written first; without one there is nothing to write on.
        wanted: Held-out questions wanted, 0 or more.
        earlier: The questions of the banks before it.
        stage: On whose behalf the members are asked.
    """
    if isinstance(found, NotRun):
        return found
    lacking = wanted - len(found.bank.split(Split.HELD_OUT))
    if lacking <= 0:
        return found
    asked_for = whole_bank(TWICE * lacking)
    more = further_member_bank(
        services, job, snapshot, size=asked_for, earlier=(*earlier, *found.bank.questions), stage=stage
    )
    return found if isinstance(more, NotRun) else together(snapshot, found, more)


def together(snapshot: Snapshot, first: SealedBank, more: SealedBank) -> SealedBank:
    """One bank of both, split anew so that each stratum is in both splits, under a seal of its own."""
    questions: tuple[Question, ...] = (*first.bank.questions, *more.bank.questions)
    bank: QuestionBank = written_bank(
        snapshot, questions, writer=first.bank.writer, refused=(*first.bank.rejected, *more.bank.rejected)
    )
    return SealedBank(bank=bank, seal=bank.seal, floor=(*first.floor, *more.floor), topped_up=len(more.bank.questions))
