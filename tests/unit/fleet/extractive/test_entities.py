"""Method "entities"."""

from fleet.extractive.candidates import read_snapshot
from fleet.extractive.entities import score
from tests.factories import a_snapshot


def scores(*contents: str) -> dict[str, float]:
    reading = read_snapshot(a_snapshot(*contents))
    return {c.text: s for c, s in zip(reading.candidates, score(reading), strict=True)}


def test_values_make_the_score() -> None:
    found = scores("Boiler 7 burns 40 tons in hall 3.", "The boiler burns wood.", "The turbine takes 5 tons.")
    assert found["The boiler burns wood."] == 0.0
    assert found["Boiler 7 burns 40 tons in hall 3."] > found["The turbine takes 5 tons."] > 0


def test_the_latest_statement_of_a_value_speaks_for_it() -> None:
    found = scores("The boiler burns 40 tons.", "So 40 tons feed the boiler daily.")
    assert found["40 tons feed the boiler daily."] > found["The boiler burns 40 tons."]


def test_a_guessed_value_counts_less() -> None:
    found = scores("The boiler burns 40 tons.", "The turbine probably takes 50 tons.")
    assert found["The boiler burns 40 tons."] > found["The turbine probably takes 50 tons."]
