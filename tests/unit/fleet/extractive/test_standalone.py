"""Wording that stands alone."""

import pytest

from dissolution.conversation import Role, Snapshot
from fleet.extractive.segments import Sentence, sentences
from fleet.extractive.standalone import LONGEST_JOINED, leans, stand_alone, tidy
from tests.factories import a_turn


def of(content: str, role: Role = Role.USER, speaker: str | None = None) -> tuple[Sentence, ...]:
    return sentences(Snapshot(conversation="c", turns=(a_turn(1, content, role, speaker),)))


@pytest.mark.parametrize(
    ("said", "tidied"),
    [
        ("So the window is Sunday.", "The window is Sunday."),
        ("Okay then, we keep the display.", "We keep the display."),
        ("Right, and the fee is 30 percent.", "The fee is 30 percent."),
        ("Um we uh we keep the the display.", "We keep the display."),
        ("it isn't the same span", "It isn't the same span"),
        ("**Route B** it is, by the way.", "Route B it is."),
        ("No lists with more than five bullets.", "No lists with more than five bullets."),
        ("The rate is 3, 3 per node.", "The rate is 3, 3 per node."),
        ("", ""),
    ],
)
def test_tidying_takes_off_openers_fillers_and_markup_only(said: str, tidied: str) -> None:
    assert tidy(said) == tidied


@pytest.mark.parametrize(
    "text",
    [
        "It costs 38 euros.",
        "That is the plan.",
        "This means a delay.",
        "They agreed to it.",
        "We take the second one.",
        "Both are fine.",
        "She signs it off.",
        "We keep that.",
    ],
)
def test_unresolved_references_lean(text: str) -> None:
    assert leans(text)


@pytest.mark.parametrize(
    "text",
    [
        "The survey is old and it cost 500 euros.",
        "Ravi decides and nobody overrules him.",
        "The rule that matters is the stopping rule.",
        "It takes 14 weeks to certify the till.",
        'The rule is "keep it short".',
        "The Netherlands is out.",
        "No exclusivity in any country.",
    ],
)
def test_resolved_references_do_not_lean(text: str) -> None:
    assert not leans(text)


def test_a_leaning_sentence_takes_the_one_before_it_along() -> None:
    before, own = of("The Tarn 80 prints large codes. It costs 210 euros.")
    wording = stand_alone(own, (before,))
    assert wording.text == "The Tarn 80 prints large codes; it costs 210 euros."
    assert wording.parts == (before, own)
    assert not wording.leaning


def test_without_anything_before_it_it_stays_leaning() -> None:
    (own,) = of("It costs 210 euros.")
    wording = stand_alone(own, ())
    assert wording.leaning
    assert wording.parts == (own,)


def test_joining_that_does_not_help_is_undone() -> None:
    before, own = of("Fine with us. That is the plan.")
    assert stand_alone(own, (before,)).parts == (own,)


def test_joining_stops_at_the_length_of_one_claim() -> None:
    before, own = of(f"The shop sells {' '.join(f'part{n}' for n in range(LONGEST_JOINED))}. It costs 210 euros.")
    assert stand_alone(own, (before,)).parts == (own,)


def test_a_hedge_said_afterwards_stays_with_the_statement() -> None:
    own, hedge = of("The cost of a sale is 540. A pure guess.")
    assert stand_alone(own, (), (hedge,)).text == "The cost of a sale is 540; a pure guess."


def test_who_says_i_is_named() -> None:
    assert stand_alone(of("I own the runbook.")[0], ()).text == "User: I own the runbook."
    label = stand_alone(of("You get my draft.", Role.PARTICIPANT, "Project Manager")[0], ()).text
    assert label == "Project Manager: You get my draft."
    assert stand_alone(of('The sign says "mind your head".')[0], ()).text == 'The sign says "mind your head".'


@pytest.mark.parametrize(
    ("said", "tidied"),
    [
        ("We sell nothing, so no notice is due.", "We sell nothing, so no notice is due."),
        ("Then we went with the ferry.", "We went with the ferry."),
        ("I insist on it.", "I insist on it."),
        ("An ad advertises the fair.", "An ad advertises the fair."),
        ("I would re recommend it.", "I would recommend it."),
        ("The st stuff in the hall stays.", "The stuff in the hall stays."),
    ],
)
def test_a_word_begun_twice_is_said_once_and_a_whole_word_stays(said: str, tidied: str) -> None:
    assert tidy(said) == tidied
