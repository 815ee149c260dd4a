import pytest

from dissolution.premises import PremiseStatus
from frame_agent.wordings import LEFT_OPEN, by_lists, comments, doubts_before, of_spoken


@pytest.mark.parametrize(
    "text",
    [
        "I guess the chimney is 12 metres high.",
        "As a placeholder the margin is 30 percent.",
        "I suppose the tide is nine.",
    ],
)
def test_what_the_lists_call_a_guess_stays_one(text: str) -> None:
    assert by_lists(text) == PremiseStatus.HEDGED.value
    assert of_spoken(text, asks=False)[0] is PremiseStatus.HEDGED


def test_wordings_of_no_list_are_told_with_the_words_that_told_them() -> None:
    text = "The Viscora hangs on to 48 hours, as far as the man who put it in told somebody who told me."
    status, reason = of_spoken(text, asks=False)
    assert status is PremiseStatus.HEDGED
    assert reason


def test_a_question_is_one_by_its_mark_whatever_its_words() -> None:
    assert of_spoken("The boiler was certainly replaced, was it?", asks=True)[0] is PremiseStatus.PROPOSED


def test_what_is_said_to_be_open_keeps_that_reason() -> None:
    assert of_spoken("Whether the annex is heated is still open.", asks=False) == (PremiseStatus.PROPOSED, LEFT_OPEN)


@pytest.mark.parametrize("text", ["That's a guess.", "Don't hold me to that.", "Nobody has checked."])
def test_a_comment_doubts_the_sentence_before(text: str) -> None:
    assert doubts_before(text)


def test_a_statement_comments_on_nothing() -> None:
    assert not comments("The annex is heated from October to April.")
    assert not doubts_before("The annex is heated from October to April.")
