"""A bank whose questions a language model wrote from the snapshot: each proposal is shaped, checked, and sealed.

What the model says is taken for nothing: its kinds and sections sort the questions, its turns are where they are
looked up, and a question enters only when a reader answers it from those turns alone and fails it without any text.
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from dissolution.conversation import Snapshot
from dissolution.policy.calibration import CALIBRATION
from dissolution.probing import (
    ANSWER_WORDS,
    NOT_ESTABLISHED,
    BankOrigin,
    Question,
    QuestionBank,
    QuestionKind,
    Score,
    Split,
    Third,
)
from dissolution.written_questions import ProposedQuestion
from language.reading import read
from probe.scoring import declines, says

NEAR = CALIBRATION.probe.same_question

NEARLY_ONE = CALIBRATION.probe.nearly_one_question

LEAST_WORDS = 3
"""Words of a question at least."""

LETTER = "w"
"""What the ids of written questions begin with; their number follows."""

TRAIN_EACH = 4
"""Every fourth question of the strata in turn is for repair; the rest is held out."""


def shaped(
    snapshot: Snapshot, proposed: Sequence[ProposedQuestion], *, earlier: Sequence[Question] = ()
) -> tuple[tuple[Question, ...], tuple[str, ...]]:
    """The proposals that can be asked, as questions, and why the others cannot, one line each.

    Left out are those that name no turn of the snapshot, quote their own answer, are too short or too long in the
    answer, ask the same as an earlier one, or do not decline exactly where nothing is established.

    Args:
        snapshot: What they are about.
        proposed: From the writer.
        earlier: Questions of banks that were written before, none of which is asked again; numbers go on from theirs.
    """
    kept: list[Question] = []
    refused: list[str] = []
    first = 1 + max((int(question.id.removeprefix(LETTER)) for question in earlier), default=0)
    for place, one in enumerate(proposed, start=first):
        twice = (_same for other in (*earlier, *kept) if (_same := _twice(one, other)))
        problem = _problem(snapshot, one) or next(twice, None)
        if problem is None:
            kept.append(_question(snapshot, one, f"{LETTER}{place:03}"))
        else:
            refused.append(f"{LETTER}{place:03}: {problem}")
    return tuple(kept), tuple(refused)


def _problem(snapshot: Snapshot, one: ProposedQuestion) -> str | None:
    """The first thing that is wrong with a proposal on its own."""
    open_ended, declined = one.kind is QuestionKind.NOT_ANSWERABLE, declines(one.answer)
    several = one.kind is QuestionKind.MULTI_HOP
    problems = {
        "names a turn that the conversation does not have": any(turn > snapshot.through for turn in one.turns),
        "names no turn": not open_ended and not one.turns,
        "is not answerable, and is answered or rests on turns": open_ended and (bool(one.turns) or not declined),
        "declines, and is said to be answerable": not open_ended and declined,
        "is too short to be understood": len(read(one.question).tokens) < LEAST_WORDS,
        f"has an answer of more than {ANSWER_WORDS} words": len(one.answer.split()) > ANSWER_WORDS,
        "is said to need several turns, and names one": several and len(set(one.turns)) == 1,
        "quotes its own answer": not open_ended and _quotes(one),
    }
    return next((problem for problem, holds in problems.items() if holds), None)


def _quotes(one: ProposedQuestion) -> bool:
    """Whether the question says its answer, in its words or in all the content of it."""
    told = read(one.answer).stems
    return says(one.answer, one.question) or bool(told and told <= read(one.question).stems)


def _twice(one: ProposedQuestion, other: Question) -> str | None:
    mine, theirs = read(one.question).stems, read(other.text).stems
    share = len(mine & theirs) / len(mine | theirs) if mine | theirs else 1.0
    same_answer = one.answer.casefold() == other.reference.casefold()
    alike = share >= NEARLY_ONE or (share >= NEAR and same_answer)
    return f"asks the same as {other.id}" if alike else None


def _question(snapshot: Snapshot, one: ProposedQuestion, name: str) -> Question:
    open_ended = one.kind is QuestionKind.NOT_ANSWERABLE
    held = {one.answer.casefold(), *(variant.casefold() for variant in one.variants)}
    taken_back = [value for value in one.wrong if value.casefold() not in held]
    return Question(
        id=name,
        text=" ".join(one.question.split()),
        kind=one.kind,
        section=one.section,
        third=None if open_ended else Third.of(max(one.turns), snapshot.through),
        reference=NOT_ESTABLISHED if open_ended else one.answer,
        variants=() if open_ended else one.variants,
        reject=tuple(rf"(?<!\w){re.escape(value)}(?!\w)" for value in taken_back),
        evidence_turns=tuple(sorted(set(one.turns))),
    )


def checked(
    questions: Sequence[Question], without_text: Mapping[str, bool], from_evidence: Mapping[str, Score]
) -> tuple[tuple[Question, ...], tuple[str, ...]]:
    """The questions that are answerable from their evidence alone and from nothing else, and why others are not.

    Args:
        questions: From `shaped`.
        without_text: Whether a reader was right without any text, by question.
        from_evidence: How a reader did on the evidence turns alone, by question; none for what is not answerable.
    """
    kept: list[Question] = []
    refused: list[str] = []
    for question in questions:
        bare, told = without_text.get(question.id), from_evidence.get(question.id)
        if question.kind is QuestionKind.NOT_ANSWERABLE:
            problem = None if bare else "is answered from general knowledge"
        elif bare is None or bare:
            problem = "was not asked without a text" if bare is None else "is answered from general knowledge"
        else:
            problem = None if told is not None and told.right else "is not answered from its evidence alone"
        if problem is None:
            kept.append(question)
        else:
            refused.append(f"{question.id}: {problem}")
    return tuple(kept), tuple(refused)


def written_bank(
    snapshot: Snapshot, questions: Sequence[Question], *, writer: str, refused: Sequence[str]
) -> QuestionBank:
    """The bank of these questions: both splits hold of every stratum, the order follows the snapshot's digest.

    Args:
        snapshot: What they are about.
        questions: From `checked`.
        writer: Who wrote them.
        refused: Why other proposals did not enter, one line each.
    """
    strata: dict[tuple[str, str, str], list[Question]] = defaultdict(list)
    for question in questions:
        third = "" if question.third is None else question.third.value
        strata[question.section.value, third, question.kind.value].append(question)
    in_turn = [question for name in sorted(strata) for question in strata[name]]
    split = [
        question.model_copy(update={"split": Split.TRAIN if place % TRAIN_EACH == TRAIN_EACH - 1 else Split.HELD_OUT})
        for place, question in enumerate(in_turn)
    ]
    return QuestionBank(
        snapshot_digest=snapshot.digest,
        origin=BankOrigin.WRITTEN,
        writer=writer,
        questions=tuple(sorted(split, key=lambda question: _lot(snapshot.digest, question.id))),
        rejected=tuple(refused),
    )


def _lot(digest: str, name: str) -> str:
    return hashlib.sha256(f"{digest}{name}".encode()).hexdigest()
