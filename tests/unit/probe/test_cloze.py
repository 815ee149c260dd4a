"""The bank without a language model: what is asked, what is not, and that each question is sound."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dissolution.clock import SystemClock
from dissolution.probing import MASK, BankOrigin, ItemKind, Question, QuestionKind, Split
from language.intake.options import ReadingOptions
from language.intake.read import read_file
from probe.cloze import write_cloze_bank
from probe.reading import RetrievalReader, asked, history_text
from probe.scoring import score
from tests.architecture.project import ROOT
from tests.factories import a_snapshot
from tests.unit.probe.asking import working_talk


def bank_of(*turns: str) -> tuple[Question, ...]:
    return write_cloze_bank(a_snapshot(*turns), size=50).questions


def test_the_history_answers_what_is_asked() -> None:
    snapshot = working_talk()
    bank = write_cloze_bank(snapshot, size=50)
    said = RetrievalReader().read(history_text(snapshot), asked(bank.questions))
    assert len(bank.questions) >= 6
    assert all(score(question, text).right for question, text in zip(bank.questions, said, strict=True))
    assert bank.origin is BankOrigin.CLOZE
    assert bank.snapshot_digest == snapshot.digest


def test_no_question_says_its_answer() -> None:
    for question in write_cloze_bank(working_talk(), size=50).questions:
        assert question.text.count(MASK) == 1
        assert not score(question, question.text.replace(MASK, "")).right


def test_the_seal_is_the_same_for_everyone_and_for_nothing_else() -> None:
    one, again = (write_cloze_bank(working_talk(), size=50) for _ in range(2))
    assert one.seal == again.seal
    assert one.seal != write_cloze_bank(working_talk(), size=3).seal
    assert one.model_copy(update={"questions": one.questions[1:]}).seal != one.seal


def test_kinds_and_sections_follow_the_wording() -> None:
    kinds = {
        question.evidence_turns: question.kind
        for question in write_cloze_bank(working_talk(), size=50).questions
        if len(question.evidence_turns) == 1
    }
    assert kinds[9,] is QuestionKind.DECISION
    assert kinds[13,] is QuestionKind.DECISION


def test_a_value_that_was_replaced_is_not_asked_for_and_is_rejected() -> None:
    questions = bank_of(
        "The launch of the billing portal for Norvik is on 12 January.",
        "Understood, thank you very much.",
        "Correction: the launch of the billing portal for Norvik is on 19 April.",
    )
    (asked_for,) = [question for question in questions if question.item is ItemKind.DATE]
    assert (asked_for.reference.strip("."), asked_for.kind) == ("19 April", QuestionKind.CORRECTION)
    assert not score(asked_for, "The launch is on 12 January.").right
    assert score(asked_for, "The launch is on 12 January.").asserts_rejected


def test_what_was_said_twice_is_asked_once() -> None:
    fact = "The rate limit of the public search service is 350 requests per minute."
    assert len(bank_of(fact, "Understood.", fact)) == 1


def test_guesses_questions_and_proposals_are_not_asked() -> None:
    assert (
        bank_of(
            "Is the rate limit of the public search service 350 requests per minute?",
            "I think the rate limit of the public search service is 350 requests per minute, not sure.",
            "We could raise the rate limit of the search service to 500 requests per minute.",
        )
        == ()
    )


def test_the_bank_is_split_and_bounded() -> None:
    bank = write_cloze_bank(working_talk(), size=4)
    assert len(bank.questions) == 4
    assert len(bank.split(Split.TRAIN)) == 1
    assert not set(bank.split(Split.TRAIN)) & set(bank.split(Split.HELD_OUT))


def test_names_in_passing_are_no_values() -> None:
    questions = bank_of("Yesterday the weather at the pier was lovely, said our friend Ravi Patel.")
    assert all(question.item is not ItemKind.NAME for question in questions)


COMING_BACK = (
    "The canary of release r420 goes to web-a3 on Wednesday, Ravi watches the canary errors.",
    "Understood: the canary of release r420 goes to web-a3, and Ravi watches the errors.",
    "Nobody may ever deploy release r420 to the other nodes before the canary on web-a3 is clean.",
    "Agreed, release r420 stays on web-a3 until Ravi has seen the canary errors.",
    "The staging database keeps its backups for 35 days in the Lisbon archive of the billing team.",
    "Noted, backups of the staging database stay 35 days in the Lisbon archive of billing.",
    "MongoDB is ruled out for the ledger of the billing portal.",
    "The cat of my neighbour sat on 17 chairs.",
)


def test_what_the_conversation_comes_back_to_is_held_out_before_what_is_said_once() -> None:
    bank = write_cloze_bank(a_snapshot(*COMING_BACK), size=40)
    held = {question.reference.casefold() for question in bank.split(Split.HELD_OUT)}
    assert {"r420", "web-a3", "35 days"} <= held
    (days,) = [
        question for question in bank.questions if question.reference == "35 days" and "said with" in question.text
    ]
    assert days.evidence_turns == (5, 6)
    assert days.text.startswith("Which number is said with: ")
    assert {"backups", "staging", "archive"} <= set(
        days.text.replace("?", ",").replace(":", ",").replace(" ", "").split(",")
    )


def test_what_is_ruled_out_and_standing_rules_are_held_out_though_said_once() -> None:
    held = write_cloze_bank(a_snapshot(*COMING_BACK), size=40).split(Split.HELD_OUT)
    assert any(question.item is ItemKind.CHOICE and question.evidence_turns == (7,) for question in held)
    assert any(question.binds and 3 in question.evidence_turns for question in held)


def test_a_second_bank_asks_nothing_again() -> None:
    snapshot = a_snapshot(*COMING_BACK)
    first = write_cloze_bank(snapshot, size=40)
    second = write_cloze_bank(snapshot, size=40, excluding=first.questions)
    third = write_cloze_bank(snapshot, size=40, excluding=(*first.questions, *second.questions))
    asked_before = {question.text for question in first.questions}
    assert not asked_before & {question.text for question in second.questions}
    assert not {question.id for question in first.questions} & {question.id for question in second.questions}
    assert second.seal != first.seal
    assert not {q.text for q in (*first.questions, *second.questions)} & {q.text for q in third.questions}


@settings(max_examples=25, deadline=None)
@given(st.lists(st.text(min_size=1, max_size=120).filter(str.strip), min_size=1, max_size=4))
def test_odd_text_makes_no_trouble(turns: list[str]) -> None:
    bank = write_cloze_bank(a_snapshot(*turns), size=20)
    assert all(1 <= question.evidence_turns[0] <= len(turns) for question in bank.questions)


@pytest.mark.parametrize("through", [12, 20, 58])
def test_what_is_held_out_is_not_spent_on_repair(through: int) -> None:
    path = ROOT / "benchmarks" / "data" / "planted" / "st-aws-pipeline.json"
    talk = read_file(path, ReadingOptions(), key=bytes(32), clock=SystemClock()).conversation
    questions = write_cloze_bank(talk.snapshot(through), size=66).questions
    held = {one.reference.casefold() for one in questions if one.split is Split.HELD_OUT}
    spent = {one.reference.casefold() for one in questions if one.split is Split.TRAIN}
    assert spent
    assert not held & spent
