"""What later turns take back."""

import pytest

from dissolution.conversation import Role, Snapshot
from fleet.extractive.corrections import dead_names, denied_values, withdrawn
from fleet.extractive.discourse import read
from fleet.extractive.segments import sentences
from tests.factories import a_snapshot, a_turn


def killed(*contents: str) -> set[str]:
    found = sentences(a_snapshot(*contents))
    gone = withdrawn(read(found))
    return {sentence.quote for sentence in found if (sentence.turn, sentence.index) in gone}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Roach is 45 kg per ha, not 54.", {"54"}),
        ("The 1.2 million is gone.", {"1.2"}),
        ("The 74 I gave you contains margin.", {"74"}),
        ("We ship r420 instead of r419.", {"r419"}),
        ("It isn't the 20th.", {"20th"}),
        ("Fine, kill the 49.", {"49"}),
        ("The window is 20 minutes.", set[str]()),
    ],
)
def test_denied_values(text: str, expected: set[str]) -> None:
    assert denied_values(text) == expected


def test_dead_names() -> None:
    assert dead_names("Grupo Alvorada is out entirely, and r419 is withdrawn.") == {"grupo alvorada", "r419"}
    assert dead_names("Alvorada signs the contract.") == frozenset()


def test_a_denied_value_of_the_same_subject_goes() -> None:
    assert killed("Roach biomass is 54 kg per ha.", "Noted.", "Roach biomass is 45 kg per ha, not 54.") == {
        "Roach biomass is 54 kg per ha."
    }


def test_the_same_number_of_another_subject_stays() -> None:
    assert killed("The pump has 54 blades.", "Noted.", "Roach biomass is 45 kg per ha, not 54.") == set()


def test_a_moved_date_replaces_the_old_one() -> None:
    gone = killed("Launch is on 12 January.", "Noted.", "Launch moves to 1 March.")
    assert gone == {"Launch is on 12 January."}


def test_a_new_window_replaces_the_window() -> None:
    gone = killed("The window is Saturday 14 September, 22:00.", "Noted.", "New window: Sunday 15 September, 05:00.")
    assert gone == {"The window is Saturday 14 September, 22:00."}


def test_another_value_for_the_same_symbol_replaces_it() -> None:
    assert killed("R = 32 replacements per anchor.", "Noted.", "R = 64 replacements from here on.") == {
        "R = 32 replacements per anchor."
    }
    assert killed("R = 32 replacements.", "Noted.", "S = 64 samples.") == set()


def test_a_plan_with_what_is_out_goes_and_the_ruling_out_stays() -> None:
    gone = killed("We go with Alvorada as our partner.", "Noted.", "Alvorada is out entirely.")
    assert gone == {"We go with Alvorada as our partner."}


def test_a_reversed_decision_of_one_shared_word_goes() -> None:
    gone = killed(
        "Decided, the replica goes to us-east-2.", "Noted.", "I'm reversing it: the replica goes to eu-central-1."
    )
    assert gone == {"Decided, the replica goes to us-east-2."}


def test_a_day_alone_denies_the_date() -> None:
    gone = killed("The workshop deadline is 20 March.", "Noted.", "The deadline isn't the 20th, I misread the call.")
    assert gone == {"The workshop deadline is 20 March."}


def test_questions_and_guesses_correct_nothing() -> None:
    assert killed("The budget is 900 euros.", "Noted.", "Is the budget 800 euros, not 900?") == set()
    assert killed("The budget is 900 euros.", "Noted.", "I guess the budget is 800 euros, not 900.") == set()


def test_a_document_corrects_nothing_that_was_said() -> None:
    turns = (
        a_turn(1, "The budget limit is 900 euros."),
        a_turn(2, "The budget limit is 800 euros, not 900.", Role.TOOL),
        a_turn(3, "The rate is 7 percent of revenue, not 9.", Role.TOOL),
    )
    found = sentences(Snapshot(conversation="c", turns=turns))
    assert withdrawn(read(found)) == frozenset()


def test_nothing_is_corrected_within_one_turn_or_backwards() -> None:
    assert killed("Roach biomass is 54 kg. Roach biomass is 45 kg, not 54.") == set()
    assert killed("Roach biomass is 45 kg, not 54.", "Noted.", "Roach biomass was 54 kg in the old sheet.") == set()


NEW = "New window: Sunday 15 September, 05:00."
AGAIN = "Moved again: Sunday 22 September, 04:30."


def test_moved_again_takes_back_what_moved_last_and_its_repeats() -> None:
    repeat = "The window for the board is Sunday 15 September, 05:00."
    gone = killed("The review is on 3 October.", "Noted.", NEW, repeat, AGAIN)
    assert gone == {NEW, repeat}


@pytest.mark.parametrize(
    "later",
    [
        "The printer moved again to room 22.",  # names its subject
        "Moved again.",  # to nothing
        "Moved again: 22 boxes.",  # a value of another unit
        "> Moved again: Sunday 22 September, 04:30.",  # quoted
        "Moved again: Sunday 15 September, 05:00.",  # where it was
    ],
)
def test_moved_again_needs_a_new_value_of_the_same_unit(later: str) -> None:
    assert killed(NEW, "Noted.", later) == set()


def test_moved_again_leaves_what_never_moved() -> None:
    assert killed("The review is on 3 October.", "Noted.", AGAIN) == set()
