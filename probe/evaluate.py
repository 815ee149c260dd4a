"""The probe of one candidate, from the bank to the report; stands alone, and is what the path calls in its stages."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from dissolution.conversation import Snapshot
from dissolution.errors import InputError
from dissolution.policy.gate import BALANCED, GatePolicy, TokenPressure
from dissolution.probing import (
    NO_FLOOR,
    ArmAnswer,
    ArmName,
    GateReading,
    GateState,
    PairedOutcome,
    ProbeItem,
    ProbeReport,
    Question,
    QuestionBank,
    Score,
    Split,
)
from dissolution.values import Measured, NotMeasured
from probe.cloze import write_cloze_bank
from probe.diagnosis import diagnose
from probe.gate import decide, error_share, read_gate
from probe.judge import Compared, Judge, cross_examination, judged, known_of, vetoes
from probe.reading import NO_TEXT, ArmText, Reader, RetrievalReader, asked, history_text

BATCH = 10
"""Questions the candidate arm is asked at once: one prompt's worth, after which the gate is read."""


def check_bank(bank: QuestionBank, snapshot: Snapshot, seal: str | None = None) -> None:
    """Refuse a bank of another snapshot, or one that is not what was sealed. Raises InputError."""
    if bank.snapshot_digest != snapshot.digest:
        raise InputError(
            f"question bank {bank.seal[:12]!r} was written from other turns than {snapshot.conversation!r} has",
            "give the history that the bank belongs to",
        )
    if seal is not None and bank.seal != seal:
        raise InputError(
            f"question bank {bank.seal[:12]!r} is not the one sealed as {seal[:12]!r}",
            "a bank is never changed once it is sealed; write another",
        )


def read_arm(arm: ArmName, text: ArmText, questions: Sequence[Question], reader: Reader) -> tuple[ArmAnswer, ...]:
    """One arm's answers. The reader sees this text and the questions' words, and nothing else."""
    said = reader.read(text, asked(questions))
    return tuple(
        ArmAnswer(question=question.id, arm=arm, text=answer, reader=reader.name)
        for question, answer in zip(questions, said, strict=True)
    )


def probe(
    history: Snapshot,
    context: ArmText | str,
    bank: QuestionBank | None = None,
    *,
    policy: GatePolicy = BALANCED,
    reader: Reader | None = None,
    judge: Judge | None = None,
    second: Judge | None = None,
    history_answers: Sequence[ArmAnswer] | None = None,
    pressure: TokenPressure = TokenPressure.NONE,
    repaired: int = 0,
    repair_rounds_left: int = 0,
    ask_all: bool = False,
) -> ProbeReport:
    """Whether a context answers questions about a history about as well as the history does.

    Args:
        history: What was talked about.
        context: What is to replace it: any text, or passages. Nothing of it is seen by whoever writes the bank.
        bank: Questions; a cloze bank is written from the history when there is none.
        policy: Thresholds of the gate.
        reader: Answers from one text; the retrieval reader by default. The same one reads both arms.
        judge: Scores the answers; what it leaves out counts for neither arm. Without one rules score them, which shows
            how a context does and proves nothing.
        second: A judge of another family, without whose word nothing is vetoed; the judge itself when None.
        history_answers: Answers of the history arm to all held-out questions, kept from an earlier check.
        pressure: How badly the history needs to be replaced.
        repaired: Repairs that this candidate has behind it. All candidates of one history share the policy's
            `false_accept`; a repaired one needs a bank that none has met.
        repair_rounds_left: Repairs the caller would still make; 0 where there is nobody to ask again.
        ask_all: Ask the candidate the whole bank, for the diagnosis; the verdict is the same as without.

    Raises:
        InputError: The bank belongs to another history, has no held-out question, or the kept answers are of others.
    """
    chosen = write_cloze_bank(history, size=_size_for(policy)) if bank is None else bank
    check_bank(chosen, history)
    used = RetrievalReader() if reader is None else reader
    text = lines_of(context) if isinstance(context, str) else context
    questions = chosen.split(Split.HELD_OUT)
    if not questions:
        raise InputError(
            f"no question can be asked about {history.conversation!r}",
            "give a bank of questions, or a longer history: it states too little that could be masked",
        )
    past = _kept(questions, history_answers) or read_arm(ArmName.HISTORY, history_text(history), questions, used)
    history_arm = _settled(questions, past, judged(questions, past, judge))
    asking = _Asking(used, judge, second, policy, error_share(repaired, repaired + repair_rounds_left), ask_all)
    items, reading = _sequentially(history_arm, text, asking)
    share = _share_right(history_arm.scores)
    crossed = cross_examination((*history_arm.scores, *(item.candidate_score for item in items)))
    decision = decide(
        reading,
        policy,
        history_share=share,
        repair_rounds_left=repair_rounds_left,
        repairable=any(chosen.split(Split.TRAIN)),
        pressure=pressure,
    )
    return ProbeReport(
        seal=chosen.seal,
        policy=policy.name,
        reader=used.name,
        asked=len(questions),
        history_share=share,
        floor_share=_floor(questions, used, judge),
        agreement=crossed.share,
        cross_examined=crossed,
        reading=reading,
        decision=decision,
        items=tuple(items),
        diagnosis=diagnose(items),
    )


def lines_of(context: str) -> ArmText:
    """A text as an arm: each line that says something a passage, as a boundary's claims are."""
    return ArmText(passages=tuple(line.strip() for line in context.splitlines() if line.strip()))


def _size_for(policy: GatePolicy) -> int:
    """Questions to write so that the held-out split has as many as the policy wants."""
    return policy.questions * 4 // 3


def _kept(questions: Sequence[Question], answers: Sequence[ArmAnswer] | None) -> tuple[ArmAnswer, ...]:
    """The kept answers in the order of the questions; empty when there are none."""
    if answers is None:
        return ()
    by_question: Mapping[str, ArmAnswer] = {
        answer.question: answer for answer in answers if answer.arm is ArmName.HISTORY
    }
    missing = [question.id for question in questions if question.id not in by_question]
    if missing:
        raise InputError(f"kept history answers lack questions {missing[:5]!r}", "ask the history arm again")
    return tuple(by_question[question.id] for question in questions)


class _History(NamedTuple):
    """The held-out questions that were settled on the history arm, all of them up front, with answers and scores."""

    questions: Sequence[Question]
    answers: Sequence[ArmAnswer]
    scores: Sequence[Score]


def _settled(questions: Sequence[Question], answers: Sequence[ArmAnswer], scores: Sequence[Score | None]) -> _History:
    """The history arm without the questions that its judge left out: those count for neither arm."""
    kept = [
        (question, answer, told)
        for question, answer, told in zip(questions, answers, scores, strict=True)
        if told is not None
    ]
    return _History([one[0] for one in kept], [one[1] for one in kept], [one[2] for one in kept])


class _Asking(NamedTuple):
    """Who reads, who judges, and when it is enough."""

    reader: Reader
    judge: Judge | None
    second: Judge | None
    policy: GatePolicy
    share: float  # of `false_accept`
    ask_all: bool


def _sequentially(history: _History, text: ArmText, asking: _Asking) -> tuple[list[ProbeItem], GateReading]:
    """Batches of the candidate arm until the gate is settled or the bank ends; the items to report."""
    items: list[ProbeItem] = []
    reading = read_gate((), asking.policy, share=asking.share)
    past = {answer.question: (answer, told) for answer, told in zip(history.answers, history.scores, strict=True)}
    for start in range(0, len(history.questions), BATCH):
        batch = history.questions[start : start + BATCH]
        answers = read_arm(ArmName.CANDIDATE, text, batch, asking.reader)
        items += compared_items(batch, answers, past, asking.judge, asking.second)
        reading = read_gate([item.outcome for item in items], asking.policy, share=asking.share)
        if reading.state is not GateState.OPEN and not asking.ask_all:
            return items[: reading.used], reading
    return items, reading


def compared_items(
    questions: Sequence[Question],
    answers: Sequence[ArmAnswer],
    past: Mapping[str, tuple[ArmAnswer, Score]],
    judge: Judge | None,
    second: Judge | None,
) -> list[ProbeItem]:
    """The candidate's answers scored and set beside the history's; what the judge leaves out is left out here.

    Args:
        questions: One for each answer.
        answers: The candidate's.
        past: Answer and score of the history arm by question.
        judge: Who scores; nobody when None.
        second: Who must agree before anything is vetoed; the judge itself when None.
    """
    said = judged(questions, answers, judge, known_of(*zip(*past.values(), strict=True)) if past else {})
    rows = [
        (Compared(question, past[question.id][1], told, answer), past[question.id][0])
        for question, answer, told in zip(questions, answers, said, strict=True)
        if told is not None
    ]
    found = vetoes([one for one, _ in rows], second or judge)
    return [
        ProbeItem(
            question=one.question,
            history=history,
            history_score=one.history,
            candidate=one.answer,
            candidate_score=one.candidate,
            outcome=PairedOutcome(
                question=one.question.id,
                history_right=one.history.right,
                candidate_right=one.candidate.right,
                veto=veto,
                masked=one.question.item is not None,
            ),
        )
        for (one, history), veto in zip(rows, found, strict=True)
    ]


def _share_right(scores: Sequence[Score]) -> Measured:
    return sum(one.right for one in scores) / len(scores) if scores else NotMeasured(not_measured="nothing was judged")


def _floor(questions: Sequence[Question], reader: Reader, judge: Judge | None) -> Measured:
    answers = read_arm(ArmName.NO_CONTEXT, NO_TEXT, questions, reader)
    scores = judged(questions, answers, judge)
    right = [
        told.right for question, told in zip(questions, scores, strict=True) if question.third and told is not None
    ]
    return sum(right) / len(right) if right else NO_FLOOR


def shown_share(share: Measured) -> str:
    """A share for a person."""
    return str(share) if isinstance(share, NotMeasured) else f"{share:.0%}"
