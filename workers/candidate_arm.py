"""The candidate_arm step: the held-out questions answered from the candidate, batch by batch until the gate settles."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from dissolution.answers import MemberFailure
from dissolution.conversation import Snapshot
from dissolution.findings import Consensus, NotRun
from dissolution.job import Job
from dissolution.probing import ArmAnswer, ArmName, GateState, ProbeItem, Question, QuestionBank, Score, Split
from probe.claim_precision import check_claims
from probe.evaluate import paired
from probe.gate import read_gate
from probe.judge import judged
from probe.reading import ArmText, claims_text
from workers.arm_readers import ArmReader, answers_of, judge_of, reader_of, shuffled
from workers.candidate import current_candidate
from workers.outcomes import StepResult
from workers.probe_outcomes import Faced, HistoryReport, SealedBank, outcome
from workers.questioning import absent
from workers.services import Services

STAGE = "candidate_arm"


class Asked(NamedTuple):
    """The questions of a job with what the history answered to them."""

    bank: QuestionBank
    history: HistoryReport

    @property
    def past(self) -> Mapping[str, tuple[ArmAnswer, Score]]:
        """Answer and score of the history arm by question; those the reader left out are not in it."""
        pairs = zip(self.history.answers, self.history.scores, strict=True)
        return {answer.question: (answer, score) for answer, score in pairs}

    def of(self, split: Split, seed: str) -> tuple[Question, ...]:
        """The questions of a split that the history arm answered, in an order by the seal and `seed`."""
        past = self.past
        return shuffled([one for one in self.bank.split(split) if one.id in past], self.history.seal, seed)


def ask_candidate(services: Services, job: Job) -> StepResult:
    """Put held-out questions to the candidate that the audit left, and check a sample of its claims."""
    with services.unit_of_work() as work:
        snapshot = work.conversations.get(job.conversation).snapshot(job.through)
        sealed = outcome(work, job, "question_bank", SealedBank)
        history = outcome(work, job, "history_arm", HistoryReport)
        consensus = current_candidate(work, job)
    if isinstance(sealed, NotRun):
        return absent(sealed)
    if isinstance(history, NotRun):
        return absent(history)
    asking = Asking(services, job, STAGE)
    questions = Asked(sealed.bank, history)
    faced = face(asking, questions, questions.of(Split.HELD_OUT, "candidate"), consensus, snapshot)
    if faced.failure is not None and not faced.items:
        return absent(NotRun(not_run=faced.failure))
    return StepResult(output=faced, note=in_words(faced))


class Asking(NamedTuple):
    """On whose behalf a candidate is asked."""

    services: Services
    job: Job
    stage: str


def face(
    asking: Asking, asked: Asked, questions: Sequence[Question], consensus: Consensus, snapshot: Snapshot
) -> Faced:
    """What a candidate answers to these questions, up to the batch that settles the gate.

    The reader is given the candidate's text and the words of one batch. What it leaves out counts for neither arm.
    """
    services, job, stage = asking
    policy = job.policy.probe
    reader, text = reader_of(services, job, stage), claims_text(consensus.claims)
    items: list[ProbeItem] = []
    left_out: list[str] = []
    failure: str | None = None
    for start in range(0, len(questions), policy.batch):
        batch = questions[start : start + policy.batch]
        read = answers_of(ArmName.CANDIDATE, text, batch, reader)
        if isinstance(read, MemberFailure):
            failure = f"reader {reader.name} failed on the candidate: {read.error_class.value}"
            break
        left_out += sorted({question.id for question in batch} - {answer.question for answer in read})
        items += compared(asking, asked, batch, read, text)
        if read_gate([item.outcome for item in items], policy.gate).state is not GateState.OPEN:
            break
    return Faced(
        claims=len(consensus.claims),
        items=tuple(items),
        unanswered=tuple(left_out),
        reading=read_gate([item.outcome for item in items], policy.gate),
        precision=check_claims(snapshot, consensus.claims, share=policy.precision_share),
        failure=failure,
    )


def compared(
    asking: Asking, asked: Asked, batch: Sequence[Question], read: Sequence[ArmAnswer], text: ArmText
) -> list[ProbeItem]:
    """The answers of one batch scored and set beside those of the history."""
    by_id = {question.id: question for question in batch}
    judge = judge_of(asking.services, asking.job, asking.stage)
    scores = judged([by_id[answer.question] for answer in read], read, judge)
    past, items = asked.past, list[ProbeItem]()
    for answer, told in zip(read, scores, strict=True):
        question, (history, history_score) = by_id[answer.question], past[answer.question]
        items.append(
            ProbeItem(
                question=question,
                history=history,
                history_score=history_score,
                candidate=answer,
                candidate_score=told,
                outcome=paired(question, history_score, told, text),
            )
        )
    return items


def read_split(
    asking: Asking, asked: Asked, questions: Sequence[Question], consensus: Consensus, reader: ArmReader
) -> list[ProbeItem] | MemberFailure:
    """Every one of these questions put to a candidate at once: for repair, where no gate is read."""
    text = claims_text(consensus.claims)
    read = answers_of(ArmName.CANDIDATE, text, questions, reader)
    if isinstance(read, MemberFailure):
        return read
    return compared(asking, asked, questions, read, text)


def in_words(faced: Faced) -> str:
    """A few words without content."""
    reading = faced.reading
    told = f"{len(faced.items)} questions: {reading.lost} lost, {reading.gained} gained, {reading.state.value}"
    return told if faced.failure is None else f"{told}; {faced.failure}"
