import pytest

from dissolution.premises import Dependant, DependantKind
from frame_agent.register import register_of
from frame_agent.resting import kind_of
from tests.factories import a_snapshot


def resting(*said: str) -> tuple[Dependant, ...]:
    return register_of(a_snapshot(*said)).premises[0].dependants


def test_a_sentence_with_a_word_of_inference_and_shared_terms_rests_on_the_premise() -> None:
    (one,) = resting("I guess the boiler serves 40 flats.", "Then 40 flats on one boiler cost 9,000 a year.")
    assert one.evidence.turn == 2
    assert one.kind is DependantKind.CONCLUSION


def test_without_an_inference_or_without_shared_terms_nothing_rests() -> None:
    assert resting("I guess the boiler serves 40 flats.", "The boiler serves 40 flats in the east wing.") == ()
    assert resting("I guess the boiler serves 40 flats.", "So the roof leaks on Tuesdays.") == ()


def test_what_follows_so_rests_on_what_precedes_it() -> None:
    (one,) = resting("I guess the boiler serves 40 flats, so two pumps suffice.")
    assert one.evidence.text == "so two pumps suffice."


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("So we use two pumps.", DependantKind.DECISION),
        ("Then the valve must be replaced.", DependantKind.PLAN),
        ("That means 9,000 a year.", DependantKind.CONCLUSION),
    ],
)
def test_what_rests_is_a_decision_a_plan_or_a_conclusion(text: str, kind: DependantKind) -> None:
    assert kind_of(text) is kind


def test_a_question_in_passing_stays_open_and_one_that_hands_over_is_answered_by_what_touches_it() -> None:
    asked = "Does the city council own the courtyard gate?"
    (passing,) = resting(f"{asked} The soup was good in the harbour.", "The pumps arrive on Friday morning.")
    assert passing.open
    (last,) = resting(asked, "The courtyard gate has always been theirs.")
    assert not last.open
    (yes,) = resting(asked, "Yes.")
    assert not yes.open
    (unheard,) = resting(asked, "The pumps arrive on Friday morning.")
    assert unheard.open


def test_offers_and_short_questions_leave_nothing_open() -> None:
    assert resting("Do you want the whole list of the pumps and valves?", "The soup was good.") == ()
    assert resting("Worth a ticket?", "The soup was good.") == ()


def test_what_is_said_to_be_open_is_a_question_too() -> None:
    (one,) = resting("Whether the city council owns the courtyard gate is open.", "The soup was good.")
    assert (one.kind, one.open) == (DependantKind.QUESTION, True)


def test_a_later_statement_answers_what_was_left_open() -> None:
    (one,) = resting(
        "Does the city council own the courtyard gate? The soup was good.",
        "The pumps arrive on Friday.",
        "The city council owns the courtyard gate.",
    )
    assert not one.open
