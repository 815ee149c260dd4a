"""The history_arm step: every question answered from the full history, once for all candidates and all later jobs."""

from collections.abc import Mapping, Sequence
from functools import partial

from dissolution.answers import MemberFailure
from dissolution.conversation import Snapshot
from dissolution.findings import NotRun
from dissolution.job import Job
from dissolution.ports.store import UnitOfWork
from dissolution.probing import NO_FLOOR, ArmAnswer, ArmName, Question, Score, Split
from dissolution.values import Measured, NotMeasured
from probe.evaluate import check_bank
from probe.judge import NOTHING_KNOWN, Judge, Words, cross_examination, judged, known_of
from probe.reading import NO_TEXT
from workers.concurrency.parallel import at_once
from workers.members.arm_source import parts
from workers.probe.arm_readers import ArmReader, answers_of, judge_of, reader_of, shuffled
from workers.probe.earlier_jobs import earlier_outcomes
from workers.probe.outcomes import HistoryReport, SealedBank, outcome
from workers.services import Services
from workers.stages.question_bank import absent
from workers.step_results import StepResult

STAGE = "history_arm"


def ask_history(services: Services, job: Job) -> StepResult:
    """Answer both splits of the bank from the history, or take the answers of an earlier job with the same seal."""
    with services.unit_of_work() as work:
        snapshot = work.conversations.snapshot(job.conversation, job.through, job.snapshot_digest)
        found = outcome(work, job, "question_bank", SealedBank)
    if isinstance(found, NotRun):
        return absent(found)
    reader = reader_of(services, job, STAGE)  # it has a transaction of its own
    with services.unit_of_work() as work:
        kept = kept_report(work, job, found.seal, reader.name)
    check_bank(found.bank, snapshot, found.seal)
    report = kept or fresh_report(services, job, found, snapshot, reader)
    if isinstance(report, NotRun):
        return absent(report)
    share = report.share if isinstance(report.share, NotMeasured) else f"{report.share:.0%}"
    again = "" if report.of_job is None else f"; answers of job {report.of_job}"
    return StepResult(output=report, note=f"{len(report.answers)} answers by {report.reader}, {share} right{again}")


def kept_report(work: UnitOfWork, job: Job, seal: str, reader: str) -> HistoryReport | None:
    """What an earlier job on the same turns found with the same bank, reader and judge; None when none did."""
    for other, report in earlier_outcomes(work, job, STAGE, HistoryReport):
        if (report.seal, report.reader, report.judge) == (seal, reader, job.policy.probe.judge):
            return report.model_copy(update={"of_job": report.of_job or other.id})
    return None


def fresh_report(
    services: Services, job: Job, found: SealedBank, snapshot: Snapshot, reader: ArmReader, *, stage: str = STAGE
) -> HistoryReport | NotRun:
    """The history read now, on behalf of a stage; NotRun when the reader failed."""
    bank = found.bank
    questions = shuffled(bank.questions, found.seal, "history")
    answers: list[ArmAnswer] = []
    readings = [partial(answers_of, ArmName.HISTORY, snapshot, part, reader) for part in parts(questions)]
    for read in at_once(services.abandon, readings):
        if isinstance(read, MemberFailure):
            return NotRun(not_run=f"reader {reader.name} failed on the history: {read.error_class.value}")
        answers += read
    known = known_of(found.judged, found.scores)
    kept, scores = settled(questions, answers, judge_of(services, job, stage), known)
    held_out = {question.id for question in bank.split(Split.HELD_OUT)}
    return HistoryReport(
        seal=found.seal,
        reader=reader.name,
        judge=job.policy.probe.judge,
        answers=kept,
        scores=scores,
        share=share_right([one for one in scores if one.question in held_out]),
        floor=floor_of(bank.split(Split.HELD_OUT), found.floor, reader),
        cross_examined=cross_examination(scores),
    )


def settled(
    questions: Sequence[Question],
    answers: Sequence[ArmAnswer],
    judge: Judge | None,
    known: Mapping[Words, Score] = NOTHING_KNOWN,
) -> tuple[tuple[ArmAnswer, ...], tuple[Score, ...]]:
    """The answers with their scores; those that the judge left out are in neither and count for no arm."""
    by_id = {question.id: question for question in questions}
    told = judged([by_id[answer.question] for answer in answers], answers, judge, known)
    kept = [(answer, score) for answer, score in zip(answers, told, strict=True) if score is not None]
    return tuple(answer for answer, _ in kept), tuple(score for _, score in kept)


def share_right(scores: Sequence[Score]) -> Measured:
    """Share of right ones."""
    if not scores:
        return NotMeasured(not_measured="the reader answered no held-out question from the history")
    return sum(one.right for one in scores) / len(scores)


def floor_of(questions: Sequence[Question], known: Sequence[ArmAnswer], reader: ArmReader) -> Measured:
    """Share of the answerable questions that the reader gets right without any text.

    Of a bank that was checked by asking without text those answers are known; a reader that fails here fails nothing
    else.
    """
    answerable = [question for question in questions if question.third is not None]
    if not answerable:
        return NO_FLOOR
    read = known or answers_of(ArmName.NO_CONTEXT, NO_TEXT, answerable, reader)
    if isinstance(read, MemberFailure):
        return NotMeasured(not_measured=f"the reader failed without context: {read.error_class.value}")
    by_id = {question.id: question for question in answerable}
    said = [answer for answer in read if answer.question in by_id]
    if not said:
        return NO_FLOOR
    return share_right([one for one in judged([by_id[answer.question] for answer in said], said, None) if one])
