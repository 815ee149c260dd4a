"""The candidate_arm step: the held-out questions answered from the candidate, batch by batch until the gate settles."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from dissolution.answers import MemberFailure
from dissolution.conversation import Snapshot
from dissolution.findings import Consensus, NotRun
from dissolution.job import Job
from dissolution.probing import ArmAnswer, ArmName, GateState, ProbeItem, Question, QuestionBank, Score, Split
from dissolution.values import Measured
from probe.claim_precision import check_claims
from probe.evaluate import compared_items
from probe.gate import error_share, read_gate
from probe.judge import cross_examination
from probe.reading import claims_text
from workers.probe.arm_readers import ArmReader, answers_of, judge_of, reader_of, second_judge_of, shuffled
from workers.probe.outcomes import Faced, HistoryReport, SealedBank, outcome
from workers.results.candidate import current_candidate
from workers.services import Services
from workers.stages.gate import repairs_of
from workers.stages.history_arm import share_right
from workers.stages.question_bank import absent
from workers.step_results import StepResult

STAGE = "candidate_arm"


class Asked(NamedTuple):
    """The banks of a job, each with what the history answered to it: the first, and those written for repairs."""

    banks: tuple[tuple[QuestionBank, HistoryReport], ...]

    @property
    def past(self) -> Mapping[str, tuple[ArmAnswer, Score]]:
        """Answer and score of the history arm by question; those the reader left out are not in it."""
        return {
            answer.question: (answer, score)
            for _, history in self.banks
            for answer, score in zip(history.answers, history.scores, strict=True)
        }

    @property
    def questions(self) -> tuple[Question, ...]:
        """Every question of every bank."""
        return tuple(question for bank, _ in self.banks for question in bank.questions)

    @property
    def share(self) -> Measured:
        """Share of the held-out questions of all banks that the history arm got right."""
        past = self.past
        return share_right([past[one.id][1] for one in self.of(Split.HELD_OUT, "")])

    def of(self, split: Split, seed: str) -> tuple[Question, ...]:
        """The questions of a split that the history arm answered, bank after bank, in an order by seal and `seed`."""
        past = self.past
        return tuple(
            question
            for bank, history in self.banks
            for question in shuffled([one for one in bank.split(split) if one.id in past], history.seal, seed)
        )

    def more(self, bank: QuestionBank, history: HistoryReport) -> "Asked":
        """The same with a further bank."""
        return Asked((*self.banks, (bank, history)))


def ask_candidate(services: Services, job: Job) -> StepResult:
    """Put held-out questions to the candidate that the audit left, and check a sample of its claims."""
    with services.unit_of_work() as work:
        snapshot = work.conversations.snapshot(job.conversation, job.through, job.snapshot_digest)
        sealed = outcome(work, job, "question_bank", SealedBank)
        history = outcome(work, job, "history_arm", HistoryReport)
        consensus, repairs = current_candidate(work, job), repairs_of(services, work, job)
    if isinstance(sealed, NotRun):
        return absent(sealed)
    if isinstance(history, NotRun):
        return absent(history)
    asking = Asking(services, job, STAGE)
    questions = Asked(((sealed.bank, history),))
    fresh = questions.of(Split.HELD_OUT, "candidate")
    faced = face(asking, questions, fresh, Candidate(consensus, snapshot, error_share(0, repairs)))
    if faced.failure is not None and not faced.items:
        return absent(NotRun(not_run=faced.failure))
    return StepResult(output=faced, note=in_words(faced))


class Asking(NamedTuple):
    """On whose behalf a candidate is asked."""

    services: Services
    job: Job
    stage: str


class Candidate(NamedTuple):
    """Who faces the questions."""

    consensus: Consensus
    snapshot: Snapshot
    share: float  # of the gate's `false_accept` that it may spend


def face(asking: Asking, asked: Asked, questions: Sequence[Question], candidate: Candidate) -> Faced:
    """What a candidate answers to these questions, up to the batch that settles the gate.

    The reader is given the candidate's text and the words of one batch. What it or the judge leaves out counts for
    neither arm.
    """
    services, job, stage = asking
    policy, claims = job.policy.probe, candidate.consensus.claims
    reader, text = reader_of(services, job, stage), claims_text(claims, candidate.consensus.excerpts)
    reading = read_gate((), policy.gate, share=candidate.share)
    items: list[ProbeItem] = []
    left_out: list[str] = []
    failure: str | None = None
    for start in range(0, len(questions), policy.batch):  # one after the other: the gate may need no further batch
        batch = questions[start : start + policy.batch]
        read = answers_of(ArmName.CANDIDATE, text, batch, reader)
        if isinstance(read, MemberFailure):
            failure = f"reader {reader.name} failed on the candidate: {read.error_class.value}"
            break
        left_out += sorted({question.id for question in batch} - {answer.question for answer in read})
        found = compared(asking, asked, batch, read)
        left_out += sorted({answer.question for answer in read} - {item.question.id for item in found})
        items += found
        reading = read_gate([item.outcome for item in items], policy.gate, share=candidate.share)
        if reading.state is not GateState.OPEN:
            break
    return Faced(
        claims=len(claims),
        items=tuple(items),
        unanswered=tuple(left_out),
        reading=reading,
        precision=check_claims(candidate.snapshot, claims, share=policy.precision_share),
        cross_examined=cross_examination(item.candidate_score for item in items),
        failure=failure,
    )


def compared(asking: Asking, asked: Asked, batch: Sequence[Question], read: Sequence[ArmAnswer]) -> list[ProbeItem]:
    """The answers of one batch judged, and set beside those of the history; what the judge leaves out is left out."""
    by_id = {question.id: question for question in batch}
    services, job, stage = asking
    questions = [by_id[answer.question] for answer in read]
    # One after the other: the second judge is asked about what the first calls wrong, alone.
    judge, second = judge_of(services, job, stage), second_judge_of(services, job, stage)
    return compared_items(questions, read, asked.past, judge, second)


def read_split(
    asking: Asking, asked: Asked, questions: Sequence[Question], consensus: Consensus, reader: ArmReader
) -> list[ProbeItem] | MemberFailure:
    """Every one of these questions put to a candidate at once: for repair, where no gate is read."""
    text = claims_text(consensus.claims, consensus.excerpts)
    read = answers_of(ArmName.CANDIDATE, text, questions, reader)
    if isinstance(read, MemberFailure):
        return read
    return compared(asking, asked, questions, read)


def in_words(faced: Faced) -> str:
    """A few words without content."""
    reading = faced.reading
    told = f"{len(faced.items)} questions: {reading.lost} answers lost, {reading.gained} gained"
    return told if faced.failure is None else f"{told}; {faced.failure}"
