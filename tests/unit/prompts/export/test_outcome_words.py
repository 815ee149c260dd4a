"""What came of a member in words: every class has its own, and lateness is told."""

from dissolution.answers import AnswerClass, FailureClass, MemberCard, MemberKind
from dissolution.receipt.job_receipt import MemberReport
from dissolution.values import NotMeasured
from prompts.export.outcome_words import ANSWERS, FAILURES, KINDS, outcome_in_words

ABSENT = NotMeasured(not_measured="not asked")


def a_report(**update: object) -> MemberReport:
    card = MemberCard(name="a", family="gpt", model="m", kind=MemberKind.LANGUAGE_MODEL)
    made = MemberReport(card=card, latency_s=ABSENT, usage=ABSENT, signature=ABSENT)
    return made.model_copy(update=update)


def test_every_class_has_words_and_no_stored_value_is_shown() -> None:
    assert set(KINDS) == set(MemberKind)
    told = [outcome_in_words(a_report(failure=one)) for one in FailureClass]
    told += [outcome_in_words(a_report(answer_class=one)) for one in AnswerClass]
    assert len(told) == len(FAILURES) + len(ANSWERS)
    assert not any("_" in words for words in told)


def test_who_has_not_answered_yet_and_who_was_late_are_told() -> None:
    assert outcome_in_words(a_report()) == "no answer yet"
    assert outcome_in_words(a_report(answer_class=AnswerClass.OK, late=True)) == "answered, too late"
