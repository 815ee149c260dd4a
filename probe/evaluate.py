"""The probe of one candidate, from the bank to the report; stands alone, and is what the path calls in its stages."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from dissolution.claims import Section
from dissolution.conversation import Snapshot
from dissolution.errors import InputError
from dissolution.findings import GateDecision, Verdict
from dissolution.gate_policy import BALANCED, GatePolicy, TokenPressure
from dissolution.probing import (
    NO_FLOOR,
    ArmAnswer,
    ArmName,
    BankOrigin,
    GateReading,
    GateState,
    PairedOutcome,
    ProbeItem,
    ProbeReport,
    Question,
    QuestionBank,
    Score,
    Split,
    VetoKind,
)
from dissolution.values import Measured, NotMeasured
from probe.cloze import write_cloze_bank
from probe.diagnosis import diagnose
from probe.gate import decide, error_share, read_gate
from probe.items import restores
from probe.judge import CROSS_EXAMINED, Judge, cross_examination, judged, sample_left
from probe.precision import check_precision
from probe.reading import NO_TEXT, ArmText, Reader, RetrievalReader, asked, history_text, sentences_of
from probe.scoring import score
from wording.words import content_words

BATCH = 10
"""Questions the candidate arm is asked at once: one prompt's worth, after which the gate is read."""

SAME_SUBJECT = 2
"""Content words a sentence must share with a question to be about it."""


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
        judge: Scores what rules cannot tell; without one that counts as wrong, on both arms. A sample of what they can
            tell is put to it as well, for the agreement.
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
    past_scores = judged(questions, past, judge, sample=CROSS_EXAMINED)
    asking = _Asking(used, judge, policy, error_share(repaired, repaired + repair_rounds_left), ask_all)
    items, reading = _sequentially(_History(questions, past, past_scores), text, asking)
    share = sum(one.right for one in past_scores) / len(questions)
    repairable = any(chosen.split(Split.TRAIN))
    crossed = cross_examination((*past_scores, *(item.candidate_score for item in items)))
    decision = decide(
        reading,
        policy,
        history_share=share,
        precision=check_precision(history, sentences_of(text)) if chosen.origin is BankOrigin.CLOZE else None,
        repair_rounds_left=repair_rounds_left,
        repairable=repairable,
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
    """The held-out questions with what the history arm answered to all of them up front."""

    questions: Sequence[Question]
    answers: Sequence[ArmAnswer]
    scores: Sequence[Score]


class _Asking(NamedTuple):
    """Who reads, who judges, and when it is enough."""

    reader: Reader
    judge: Judge | None
    policy: GatePolicy
    share: float  # of `false_accept`
    ask_all: bool


def _sequentially(history: _History, text: ArmText, asking: _Asking) -> tuple[list[ProbeItem], GateReading]:
    """Batches of the candidate arm until the gate is settled or the bank ends; the items to report."""
    items: list[ProbeItem] = []
    reading = read_gate((), asking.policy, share=asking.share)
    for start in range(0, len(history.questions), BATCH):
        batch = history.questions[start : start + BATCH]
        answers = read_arm(ArmName.CANDIDATE, text, batch, asking.reader)
        left = sample_left(item.candidate_score for item in items)
        scores = judged(batch, answers, asking.judge, sample=left)
        for place, (answer, told) in enumerate(zip(answers, scores, strict=True), start=start):
            items.append(
                ProbeItem(
                    question=history.questions[place],
                    history=history.answers[place],
                    history_score=history.scores[place],
                    candidate=answer,
                    candidate_score=told,
                    outcome=paired(history.questions[place], history.scores[place], told, text),
                )
            )
        reading = read_gate([item.outcome for item in items], asking.policy, share=asking.share)
        if reading.state is not GateState.OPEN and not asking.ask_all:
            return items[: reading.used], reading
    return items, reading


def paired(question: Question, history: Score, candidate: Score, text: ArmText) -> PairedOutcome:
    """The outcome of one question on both arms, with a veto where no average may outweigh it.

    A commitment or prohibition is lost only when no sentence of the candidate about it answers the question: that
    tells a candidate that lost it from a reader that looked at the wrong sentence. A masked question, whose kind is
    read from wording, vetoes only where it is a standing rule and the candidate says its answer nowhere.
    """
    return PairedOutcome(
        question=question.id,
        history_right=history.right,
        candidate_right=candidate.right,
        veto=_veto(question, history, candidate, text),
        masked=question.item is not None,
    )


def _veto(question: Question, history: Score, candidate: Score, text: ArmText) -> VetoKind | None:
    if candidate.right or not history.right:
        return None
    if candidate.asserts_rejected:
        return VetoKind.ASSERTED_SUPERSEDED
    if not question.binds:
        return None
    if question.item is not None:
        said = question.section is not Section.IDENTITY or any(
            restores(question.item, question.reference, passage) for passage in text.passages
        )
        return None if said else VetoKind.LOST_COMMITMENT
    about = content_words(question.text)
    said = (one for one in sentences_of(text) if len(about & content_words(one)) >= SAME_SUBJECT)
    return None if any(score(question, one).right for one in said) else VetoKind.LOST_COMMITMENT


def _floor(questions: Sequence[Question], reader: Reader, judge: Judge | None) -> Measured:
    answers = read_arm(ArmName.NO_CONTEXT, NO_TEXT, questions, reader)
    answerable = [
        told for question, told in zip(questions, judged(questions, answers, judge), strict=True) if question.third
    ]
    return sum(told.right for told in answerable) / len(answerable) if answerable else NO_FLOOR


def is_committed(decision: GateDecision) -> bool:
    """Whether the context may replace the history, degraded or not."""
    return decision.verdict in {Verdict.COMMIT, Verdict.COMMIT_DEGRADED}


def shown_share(share: Measured) -> str:
    """A share for a person."""
    return str(share) if isinstance(share, NotMeasured) else f"{share:.0%}"
