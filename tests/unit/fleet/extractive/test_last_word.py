"""Method "last-word"."""

from dissolution.conversation import Role, Snapshot
from fleet.extractive.candidates import read_snapshot
from fleet.extractive.last_word import score
from tests.factories import a_snapshot, a_turn


def test_the_last_statement_about_a_recurring_subject_wins() -> None:
    reading = read_snapshot(
        a_snapshot(
            "The boiler burns wood chips.",
            "The boiler needs clean water.",
            "Penguins wear elegant jackets.",
            "The boiler feeds hall four.",
            "Seals prefer cold mornings.",
            "Gulls steal fresh bread.",
            "Otters crack hard mussels.",
            "Herons wait for eels.",
        )
    )
    found = score(reading)
    assert found[3] == max(found) > found[1] > 0
    assert found[0] == 0.0  # two later statements about the boiler
    assert found[2] == 0.0  # no recurring subject


def test_guesses_and_quoted_text_are_nobodys_last_word() -> None:
    turns = (
        a_turn(1, "The boiler burns wood chips."),
        a_turn(2, "The boiler needs clean water.", Role.ASSISTANT),
        a_turn(3, "The boiler feeds hall four."),
        a_turn(4, "The boiler is of the year 1998 and of the type B7.", Role.TOOL),
        a_turn(5, "It's probably the boiler of hall nine."),
        *(a_turn(n, f"Otters crack hard mussels{n}.") for n in range(6, 14)),
    )
    found = score(read_snapshot(Snapshot(conversation="c", turns=turns)))
    assert found[2] == max(found)
    assert found[3] == found[4] == 0.0
