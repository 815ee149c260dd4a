"""Method "cues"."""

from fleet.extractive.candidates import read_snapshot
from fleet.extractive.cues import score
from tests.factories import a_snapshot


def scores(*contents: str) -> dict[str, float]:
    reading = read_snapshot(a_snapshot(*contents))
    return {c.text: s for c, s in zip(reading.candidates, score(reading), strict=True)}


def test_commitments_score_and_plain_statements_do_not() -> None:
    found = scores("Always give prices without VAT. The boiler runs at 300 volts.")
    assert found["The boiler runs at 300 volts."] == 0.0
    assert found["Always give prices without VAT."] > 1.0


def test_a_guess_weighs_less_than_a_decision() -> None:
    found = scores("We decided to rent hall 3.", "It's probably the network card of hall 3.")
    assert found["We decided to rent hall 3."] > found["It's probably the network card of hall 3."] > 0


def test_many_questions_weigh_less_each() -> None:
    nouns = ("pump", "valve", "sensor", "boiler", "turbine", "filter", "gasket", "piston", "nozzle", "rotor", "shaft")
    few = scores("Does the pump leak oil badly? Fine by me then.")
    many = scores(*(f"Does the {noun} leak oil{n} badly{n}? Fine by me then." for n, noun in enumerate(nouns)))
    assert max(many.values()) < max(few.values())


def test_a_choice_that_is_named_as_one_weighs_more_than_a_plan() -> None:
    found = scores("We decided on a vegetarian menu. The vegetarian menu will be on a board.")
    assert found["We decided on a vegetarian menu."] > found["The vegetarian menu will be on a board."]
