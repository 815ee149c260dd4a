"""What a claim is worth whichever method finds it."""

import pytest

from fleet.extractive.candidates import read_snapshot
from fleet.extractive.worth import weighed, worth
from tests.factories import a_snapshot


def factors(*contents: str) -> dict[str, float]:
    reading = read_snapshot(a_snapshot(*contents))
    return {c.text: f for c, f in zip(reading.candidates, worth(reading), strict=True)}


def test_a_standing_rule_outweighs_chatter() -> None:
    found = factors("Always give prices for Grupo Alvorada without VAT. I slept badly again yesterday.")
    assert (
        found["Always give prices for Grupo Alvorada without VAT."] > 2 * found["User: I slept badly again yesterday."]
    )


def test_what_is_said_again_is_worth_more() -> None:
    found = factors(
        "The boiler runs at 300 volts.", "The boiler runs at 300 volts daily.", "The turbine hums at 500 volts."
    )
    assert found["The boiler runs at 300 volts daily."] > found["The turbine hums at 500 volts."]


def test_a_reference_without_a_referent_costs() -> None:
    found = factors("It runs at 300 volts daily.", "Noted.", "Halls run at 300 volts daily.")
    assert found["Halls run at 300 volts daily."] > 3 * found["It runs at 300 volts daily."]


def test_power_zero_leaves_scores_alone() -> None:
    reading = read_snapshot(a_snapshot("The boiler runs at 300 volts.", "The turbine hums at 500 volts."))
    assert weighed(reading, [1.0, 2.0], 0.0) == pytest.approx([1.0, 2.0])
    assert weighed(reading, [1.0, 2.0]) == pytest.approx([worth(reading)[0], 2 * worth(reading)[1]])
