"""What the stages of the probe hand back, and how a later stage reads it."""

from typing import Annotated, TypeVar

from pydantic import Field

from dissolution.bank_need import BankNeed
from dissolution.cross_examining import CrossExamined
from dissolution.findings import Consensus, GateDecision, NotRun
from dissolution.framing import Finding
from dissolution.job import Job, StepStatus
from dissolution.ports.store import UnitOfWork
from dissolution.probing import ArmAnswer, Digest, GateReading, ProbeItem, QuestionBank, Score
from dissolution.receipt.probe import RepairLine
from dissolution.values import Frozen, Measured
from probe.precision import Precision
from workers.concurrency.step_memory import steps_of
from workers.step_results import not_run_of


class SealedBank(Frozen):
    """Output of the question_bank step: the bank and the seal it had when it was stored."""

    bank: QuestionBank
    seal: Digest
    floor: tuple[ArmAnswer, ...] = ()  # what a reader said without any text, where the bank was checked by asking one
    judged: tuple[ArmAnswer, ...] = ()  # what the reader said while the bank was checked, and a judge scored
    scores: tuple[Score, ...] = ()  # in the order of `judged`
    of_job: str | None = None  # an earlier job on the same turns, whose bank it is
    need: BankNeed | None = (
        None  # how many questions the gate needs; None in banks of earlier versions and further ones
    )
    topped_up: Annotated[int, Field(ge=0)] = 0  # questions that a second request brought, before it was sealed


class HistoryReport(Frozen):
    """Output of the history_arm step: every question of both splits, answered from the history."""

    seal: Digest
    reader: Annotated[str, Field(min_length=1)]
    judge: str | None = None
    answers: tuple[ArmAnswer, ...]
    scores: tuple[Score, ...]  # in the order of the answers
    share: Measured  # of held-out questions that were answered, right from the history
    floor: Measured  # of answerable held-out questions, right without any text
    cross_examined: CrossExamined = CrossExamined()  # of these answers, a sample that a judge scored as well
    of_job: str | None = None  # an earlier job whose answers these are


class Faced(Frozen):
    """What one candidate met: output of the candidate_arm step, and of each round of a repair."""

    claims: Annotated[int, Field(ge=0)]
    items: tuple[ProbeItem, ...]  # in the order asked
    unanswered: tuple[str, ...] = ()  # questions the reader left out
    reading: GateReading
    precision: Precision
    cross_examined: CrossExamined = CrossExamined()  # of the candidate's answers, a sample that a judge scored as well
    failure: str | None = None  # why asking ended before the gate was settled


class RepairRound(Frozen):
    """One repair: what was asked again, and what the amended candidate met."""

    line: RepairLine
    spent: tuple[str, ...]  # questions that pointed there
    faced: Faced
    decision: GateDecision  # on the amended candidate
    bank: SealedBank | None = None  # written for this round, and sealed before the amended candidate existed
    history: HistoryReport | None = None  # what the history answered to it
    findings: tuple[Finding, ...] | None = None  # what was said to be missing; None where nobody looked
    blocked: tuple[str, ...] = ()  # why the amended candidate must not be committed


class RepairReport(Frozen):
    """Output of the repair step, when the gate asked for one: before it stands in the gate's output."""

    rounds: tuple[RepairRound, ...]
    decision: GateDecision  # the verdict that holds
    amended: Consensus | None  # None when no round changed the candidate


Report = TypeVar("Report", bound=Frozen)


def outcome(work: UnitOfWork, job: Job, stage: str, form: type[Report]) -> Report | NotRun:
    """The stored output of a finished stage in its form, or why the stage did not run.

    A stage that was put back to queued still has the output of an earlier version of the candidate; it does not count.
    """
    for step in steps_of(work, job):
        if step.stage == stage and step.status is StepStatus.DONE and step.output is not None:
            return not_run_of(step.output) or form.model_validate_json(step.output)
    return NotRun(not_run="it has not run")
