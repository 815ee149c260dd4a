"""Right or wrong by rules."""

import pytest

from dissolution.probing import ItemKind, QuestionKind
from probe.scoring import by_rules, says, score
from tests.unit.probe.asking import a_question


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("12 June", True),
        ("The launch is on June 12.", True),
        ("It is on 13 June.", False),
        ("not established", False),
        ("", False),
    ],
)
def test_the_reference_has_to_be_said(answer: str, right: bool) -> None:  # noqa: FBT001 - a column
    assert score(a_question(), answer).right is right


@pytest.mark.parametrize(
    ("reference", "answer", "right"),
    [
        ("350 requests per minute", "The limit is 350 requests per minute.", True),
        ("Norvik pays 350 euros", "350 euros are what Norvik pays.", True),
        ("Norvik pays 350 euros", "Norvik pays 351 euros.", False),
        ("Norvik pays 350 euros", "Harbour pays 350 euros.", False),
        ("deploys are allowed", "deploys are not allowed", False),
        ("", "anything", False),
    ],
)
def test_saying(reference: str, answer: str, right: bool) -> None:  # noqa: FBT001 - a column
    assert says(reference, answer) is right


def test_patterns_accept_and_reject() -> None:
    question = a_question(accept=(r"\b12\b",), reject=(r"\b13\b",))
    assert score(question, "the 12th? on 12/6").right
    assert not score(question, "12 or 13").right
    assert score(question, "It launches on 13 June.").asserts_rejected


@pytest.mark.parametrize("answer", ["Until last week it used to be 13 June.", "It is not 13 June."])
def test_a_value_told_as_over_is_not_asserted(answer: str) -> None:
    told = score(a_question(reject=(r"\b13 June\b",)), answer)
    assert not told.right
    assert not told.asserts_rejected


@pytest.mark.parametrize(
    ("answer", "right"),
    [("not established", True), ("The text does not say.", True), ("It is 40 euros.", False)],
)
def test_the_unanswerable_has_to_be_declined(answer: str, right: bool) -> None:  # noqa: FBT001 - a column
    assert score(a_question(kind=QuestionKind.NOT_ANSWERABLE), answer).right is right


def test_a_cloze_item_is_restored_or_not() -> None:
    question = a_question(item=ItemKind.DATE, reject=(r"(?<!\w)13\ June(?!\w)",))
    assert score(question, "We launch on 12 June, not on 13 June.").right
    wrong = score(question, "We launch on 13 June.")
    assert (wrong.right, wrong.asserts_rejected) == (False, True)
    assert not score(question, "We launch soon.").right


def test_declining_restores_no_refusal() -> None:
    assert not score(a_question(item=ItemKind.CHOICE, reference="ruled out"), "not established").right


def test_words_alone_are_for_a_judge() -> None:
    question = a_question(reference="because nobody can look after it", variants=("too much work",))
    assert by_rules(question, "for lack of people") is None
    assert not score(question, "for lack of people").right
    assert score(question, "It is too much work.").right
