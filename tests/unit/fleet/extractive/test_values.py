"""Method "values"."""

from dissolution.conversation import Role, Snapshot
from fleet.extractive.units import read_snapshot
from fleet.extractive.values import score
from tests.factories import a_snapshot, a_turn


def scores(snapshot: Snapshot) -> dict[str, float]:
    reading = read_snapshot(snapshot)
    return {unit.quote: value for unit, value in zip(reading.units, score(reading), strict=True)}


def test_values_make_the_score() -> None:
    found = scores(
        a_snapshot("Boiler 7 burns 40 tons in hall 3.", "The boiler burns wood.", "The turbine takes 5 tons.")
    )
    assert found["The boiler burns wood."] == 0.0
    assert found["Boiler 7 burns 40 tons in hall 3."] > found["The turbine takes 5 tons."] > 0


def test_the_latest_statement_of_a_value_speaks_for_it() -> None:
    found = scores(a_snapshot("The boiler burns 40 tons.", "So 40 tons feed the boiler daily."))
    assert found["So 40 tons feed the boiler daily."] > found["The boiler burns 40 tons."]


def test_the_output_of_a_tool_counts_less_than_speech() -> None:
    turns = (a_turn(1, "The boiler burns 40 tons."), a_turn(2, "The furnace burns 50 tons.", Role.TOOL))
    found = scores(Snapshot(conversation="c", turns=turns))
    assert found["The furnace burns 50 tons."] == found["The boiler burns 40 tons."] / 2
