import pytest

from consensus.listings import Reading, readings, rivals, says
from tests.factories import a_turn


def test_listings_give_the_values_of_their_keys() -> None:
    first = a_turn(1, "policy:allkeys-lru\nused: 509.88M\n  mode = fast,\nWe meet at noon: bring tea please")
    second = a_turn(2, '"policy": "noeviction"')
    assert readings((first, second)) == (
        Reading(1, "policy", "allkeys-lru"),
        Reading(1, "mode", "fast"),
        Reading(2, "policy", "noeviction"),
    )


def test_a_later_value_of_the_same_key_is_a_rival_and_an_earlier_one_is_not() -> None:
    found = rivals((Reading(1, "policy", "lru"), Reading(2, "policy", "none"), Reading(2, "mode", "fast")))
    assert found == {"lru": frozenset({"none"})}
    assert rivals(()) == {}


@pytest.mark.parametrize(
    ("text", "there"),
    [("It runs allkeys-lru.", True), ("It runs ALLKEYS-LRU", True), ("It runs allkeys-lru-2.", False), ("none", False)],
)
def test_a_value_stands_as_a_word_of_its_own(text: str, there: bool) -> None:  # noqa: FBT001 - a table's column
    assert says(text, "allkeys-lru") is there
