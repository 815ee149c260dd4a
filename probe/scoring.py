"""What rules say of an answer: strings, numbers with units, dates, names, and patterns. They decide nothing.

A judge's word holds (`probe.judge`). Where there is none, what rules find is reported.
"""

import re
from collections.abc import Sequence

from dissolution.policy.calibration import CALIBRATION
from dissolution.probing import NOT_ESTABLISHED, Question, QuestionKind, Score, ScoredBy
from dissolution.temporal import TemporalClass
from language.dates import conflict
from language.numbers import same_quantity
from language.reading import read
from probe.items import restores

# Ways of saying that the text does not hold the answer.
DECLINED = re.compile(
    r"\bnot (?:been )?(?:yet )?(?:established|stated|specified|mentioned|given|known|provided|recorded|discussed)\b"
    r"|\bun(?:known|specified|stated)\b|\bno (?:information|record|mention|answer)\b"
    r"|\b(?:do(?:es)?(?:n't| not)|cannot|can't) (?:say|state|tell|specify|mention)\b",
    re.IGNORECASE,
)
REFERENCE_COVER = CALIBRATION.probe.reference_cover


def score(question: Question, answer: str) -> Score:
    """Right or wrong by rules; what they cannot tell is wrong, with that reason (see `by_rules`)."""
    told = by_rules(question, answer)
    if told is not None:
        return told
    return _scored(question, right=False, reason="the rules do not find the reference in the answer")


def by_rules(question: Question, answer: str) -> Score | None:
    """What the rules say of an answer; None when only a judge could tell.

    An unanswerable question is right exactly when the answer declines. A value that was taken back makes an answer
    wrong unless it gives the value that holds beside it, and `asserts_rejected` when it is stated as one that holds.
    """
    if question.kind is QuestionKind.NOT_ANSWERABLE:
        right = declines(answer)
        return _scored(question, right=right, reason="declines" if right else "answers what is not established")
    if question.item is not None:
        return _restored(question, answer)
    if _rejected(question, answer):
        return _rejection(question, answer)
    right = _accepted(question, answer)
    if right is not None:
        return _scored(question, right=True, reason=right)
    wrong = _missing(question, answer)
    return None if wrong is None else _scored(question, right=False, reason=wrong)


def _restored(question: Question, answer: str) -> Score:
    """Of a cloze question."""
    right = (
        question.item is not None and not _is_declined(answer) and restores(question.item, question.reference, answer)
    )
    if not right and _rejected(question, answer):
        return _rejection(question, answer)
    return _scored(question, right=right, reason="restores the item" if right else "the item is not restored")


def _accepted(question: Question, answer: str) -> str | None:
    """Why an answer is right; None when the rules do not see that it is."""
    if _is_declined(answer):
        return None
    if any(re.search(pattern, answer, re.IGNORECASE | re.DOTALL) for pattern in question.accept):
        return "matches an accepted pattern"
    said = any(says(reference, answer) for reference in (question.reference, *question.variants))
    return "says the reference" if said else None


def _missing(question: Question, answer: str) -> str | None:
    """Why an answer that is not seen to be right is wrong; None when only a judge could tell."""
    if _is_declined(answer):
        return "declines"
    return "matches no accepted answer" if question.accept or _misses_a_value(question, answer) else None


def _is_declined(answer: str) -> bool:
    return answer.strip().casefold().rstrip(".") in {NOT_ESTABLISHED, ""}


def declines(answer: str) -> bool:
    """Whether an answer says that its text does not hold what is asked for."""
    return DECLINED.search(answer) is not None


def says(reference: str, answer: str) -> bool:
    """Whether an answer says a reference: its words in order, or its numbers, dates, names and nearly all its words.

    An answer that denies what the reference affirms, or the other way round, does not say it.
    """
    if read(reference).is_negated != read(answer).is_negated:
        return False
    if _stands_in(read(reference).tokens, read(answer).tokens):
        return True
    wanted = read(reference).stems
    if not wanted or not _holds_values(reference, answer):
        return False
    return len(wanted & read(answer).stems) >= REFERENCE_COVER * len(wanted)


def gives_rejected(question: Question, answer: str) -> bool:
    """Whether an answer gives a value that was taken back, by the patterns of whoever wrote the question."""
    return _rejected(question, answer)


def _stands_in(wanted: Sequence[str], said: Sequence[str]) -> bool:
    size = len(wanted)
    return bool(size) and any(said[place : place + size] == wanted for place in range(len(said) - size + 1))


def _holds_values(reference: str, answer: str) -> bool:
    amounts, said = read(answer).quantities, read(answer).dates
    return (
        all(any(same_quantity(one, other) for other in amounts) for one in read(reference).quantities)
        and all(any(not conflict(one, other) for other in said) for one in read(reference).dates)
        and {name.casefold() for name in read(reference).names} <= set(read(answer).tokens)
    )


def _misses_a_value(question: Question, answer: str) -> bool:
    """Whether every reference holds a number or date that the answer lacks: then no judge is needed."""
    return not any(_holds_values(one, answer) for one in (question.reference, *question.variants))


def _rejected(question: Question, answer: str) -> bool:
    return any(re.search(pattern, answer, re.IGNORECASE | re.DOTALL) for pattern in question.reject)


def _rejection(question: Question, answer: str) -> Score:
    over = read(answer).temporal.temporal_class in {TemporalClass.CLOSED_HISTORICAL, TemporalClass.BACKWARD_MUTATION}
    holds = not over and not read(answer).is_negated
    reason = "states a value that was taken back" if holds else "gives only a value that was taken back"
    return _scored(question, right=False, reason=reason, asserts=holds)


def _scored(question: Question, *, right: bool, reason: str, asserts: bool = False) -> Score:
    return Score(question=question.id, right=right, by=ScoredBy.RULES, reason=reason, asserts_rejected=asserts)
