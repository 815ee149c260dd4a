"""What may be masked, and which answers restore it."""

import pytest

from dissolution.probing import ItemKind
from probe.items import items, repeats, restores, same_slot


def masked(statement: str) -> list[tuple[ItemKind, str]]:
    return [(item.kind, item.text) for item in items(statement)]


def test_numbers_dates_names_and_refusals_are_masked() -> None:
    found = masked("We ruled out MongoDB, and Norvik pays 350 euros until 12 June.")
    assert (ItemKind.NUMBER, "350 euros") in found
    assert (ItemKind.DATE, "12 June") in found
    assert (ItemKind.NAME, "Norvik") in found
    assert any(kind is ItemKind.CHOICE for kind, _ in found)


def test_the_spans_hold_the_words() -> None:
    statement = "The limit is 350 requests per minute, says Ravi."
    assert all(statement[item.start : item.end] == item.text for item in items(statement))


def test_values_that_are_taken_back_are_left_out() -> None:
    assert (ItemKind.DATE, "1 March") not in masked("The launch is 19 April, not 1 March.")
    assert (ItemKind.DATE, "19 April") in masked("The launch is 19 April, not 1 March.")


@pytest.mark.parametrize("statement", ["", "nothing here", "one of them is two things", "🙂"])
def test_nothing_to_mask(statement: str) -> None:
    assert items(statement) == ()


@pytest.mark.parametrize(
    ("kind", "reference", "answer", "right"),
    [
        (ItemKind.NUMBER, "8 hours", "It takes 28800 seconds.", True),
        (ItemKind.NUMBER, "8 hours", "It takes 9 hours.", False),
        (ItemKind.NUMBER, "20 percent", "It is 20.", False),
        (ItemKind.DATE, "12 June", "on 2026-06-12", True),
        (ItemKind.DATE, "12 June", "in June", False),
        (ItemKind.DATE, "12 June", "on 13 June", False),
        (ItemKind.NAME, "Norvik", "norvik pays", True),
        (ItemKind.NAME, "Norvik", "Norvikson pays", False),
        (ItemKind.CHOICE, "ruled out", "MongoDB is ruled out.", True),
        (ItemKind.CHOICE, "ruled out", "We chose MongoDB.", False),
    ],
)
def test_restoring(kind: ItemKind, reference: str, answer: str, right: bool) -> None:  # noqa: FBT001 - a column
    assert restores(kind, reference, answer) is right


def test_slots_are_of_one_kind_and_unit() -> None:
    (minutes,) = (item for item in items("It waits 30 minutes here.") if item.kind is ItemKind.NUMBER)
    (hours,) = (item for item in items("It waits 2 hours here.") if item.kind is ItemKind.NUMBER)
    (euros,) = (item for item in items("It costs 30 euros here.") if item.kind is ItemKind.NUMBER)
    assert same_slot(minutes, hours)
    assert not same_slot(minutes, euros)


def test_a_statement_that_says_its_answer_twice_is_seen() -> None:
    statement = "The limit of 350 requests is 350 requests."
    assert repeats(statement, items(statement)[0])
    assert not repeats("The limit is 350 requests.", items("The limit is 350 requests.")[0])
