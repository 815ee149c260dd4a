"""What stands as a guess is one by its words or by the next sentence's."""

import pytest

from dissolution.claims import Section
from dissolution.premises import PremiseStatus
from frame_agent.record import parts_of
from frame_agent.vouching import after, doubts, is_guess, settled
from tests.unit.frame_agent.framed import ASSISTANT, TOOL, USER, a_claim, record_of


@pytest.mark.parametrize(
    "text",
    [
        "Nobody has a count.",
        "Haven't looked.",
        "I've talked to no one there, mind.",
        "Can't prove it.",
        "That's a guess.",
        "Take it as flat.",
        "But let us not build on a rumour.",
    ],
)
def test_a_denied_way_of_knowing_doubts_what_stands_before(text: str) -> None:
    assert doubts(text)


@pytest.mark.parametrize(
    "text", ["", "So no cat, then.", "Then let's do it.", "Only there.", "I want it, he wants it."]
)
def test_talk_that_goes_on_doubts_nothing(text: str) -> None:
    assert not doubts(text)


def test_a_sentence_is_a_guess_by_its_own_words_or_by_the_next() -> None:
    record = record_of(
        (USER, "I guess the boiler serves 40 flats."),
        (USER, "The chimney is 12 metres high. Nobody has measured it."),
        (USER, "The cellar has two doors and a red gate."),
        (TOOL, "The roof probably holds 3 tonnes of snow.\nThe roof is 9 metres wide."),
    )
    guesses = [said.found.text for said in record.said if is_guess(record, said)]
    assert "I guess the boiler serves 40 flats." in guesses
    assert "The chimney is 12 metres high." in guesses
    assert "The roof probably holds 3 tonnes of snow." in guesses
    assert "The cellar has two doors and a red gate." not in guesses
    assert "The roof is 9 metres wide." not in guesses


def test_the_next_sentence_is_that_of_the_same_turn() -> None:
    record = record_of(
        (USER, "The boiler hums at night.\n- Nobody has looked."), (ASSISTANT, "It stands in the cellar.")
    )
    assert after(record, record.said[0]) == "Nobody has looked."
    assert after(record, record.said[-1]) == ""


@pytest.mark.parametrize(
    ("asked", "answer", "expected"),
    [
        (ASSISTANT, "Forty flats on the boiler it is.", True),
        (ASSISTANT, "The chimney is 12 metres high.", False),
        (USER, "Forty flats on the boiler it is.", False),
    ],
)
def test_the_user_settles_what_the_assistant_would_do(asked: object, answer: str, expected: bool) -> None:  # noqa: FBT001 - a case
    first = ASSISTANT if asked is ASSISTANT else USER
    record = record_of((first, "I'd say the boiler serves 40 flats."), (USER, answer))
    (part,) = parts_of(a_claim(Section.DECIDED, "The boiler serves 40 flats.", record.snapshot))
    assert record.said[0].found.status in {PremiseStatus.HEDGED, PremiseStatus.PROPOSED}
    assert settled(record, record.said[0], part) is expected
