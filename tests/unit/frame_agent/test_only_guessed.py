"""A guess told together with facts is given away by the words that only the guess has."""

import pytest

from dissolution.claims import Section
from frame_agent.only_guessed import only_guessed
from frame_agent.record import Record, Said, parts_of
from frame_agent.vouching import is_guess
from tests.unit.frame_agent.framed import TOOL, USER, a_claim, record_of

GUESS = "I guess the caretaker rotated the passwords."
BOILER = "The standby of the boiler stopped at 22:40 on Thursday."


def alone(record: Record, section: Section, text: str, turn: int = 1) -> Said | None:
    claim = a_claim(section, text, record.snapshot, turn)
    (part,) = parts_of(claim)
    guesses = [said for said in record.near(part.terms) if is_guess(record, said)]
    return only_guessed(record, claim, part, guesses)


def test_several_words_that_only_a_guess_has_give_it_away() -> None:
    record = record_of((USER, BOILER), (USER, GUESS))
    found = alone(record, Section.DECIDED, "The standby of the boiler stopped because the passwords were rotated.")
    assert found is not None
    assert found.found.text == GUESS


def test_words_that_are_vouched_for_elsewhere_do_not() -> None:
    record = record_of((USER, BOILER), (USER, GUESS), (TOOL, "22:41 caretaker rotated passwords"))
    text = "The standby of the boiler stopped because the passwords were rotated."
    assert alone(record, Section.KNOWN, text) is None


@pytest.mark.parametrize(("section", "expected"), [(Section.KNOWN, True), (Section.DECIDED, False)])
def test_one_word_gives_a_fact_away_that_is_about_the_same(section: Section, expected: bool) -> None:  # noqa: FBT001 - a case
    record = record_of((USER, "The cards failed on Monday."), (USER, "I guess the cards are expired."))
    assert (alone(record, section, "The cards that failed are expired.", 2) is not None) is expected


def test_one_word_in_common_with_another_topic_is_chance() -> None:
    record = record_of((USER, "The tower has a green gate of oak."), (USER, "I guess the cards are expired."))
    assert alone(record, Section.KNOWN, "The green oak gate of the tower was renewed with expired varnish.") is None


def test_one_word_in_common_and_nothing_else_is_chance() -> None:
    record = record_of((USER, "I guess the boiler serves 40 flats."))
    assert alone(record, Section.KNOWN, "Tea was served.") is None


def test_a_sentence_that_rests_on_a_guess_does_not_vouch_for_it() -> None:
    record = record_of(
        (USER, "My gut says 55 percent of the starters stay after the offer."),
        (USER, "Then with 55 percent of the starters staying after the offer we need 4,291 of them."),
    )
    assert alone(record, Section.KNOWN, "55 percent of the starters stay after the offer.") is not None
