"""Structures by which nobody vouches for what is said, in sentences that stand in no corpus of the project."""

import pytest

from frame_agent.guesses import GUESS


@pytest.mark.parametrize(
    "text",
    [
        "It wouldn't be fair to swear, but I could swear we had 12 licences.",
        "My gut says the second batch was contaminated.",
        "One reading would be that the gauge drifts.",
        "Ostensibly the heat pump does 55 degrees.",
        "There's a good chance the gearbox was swapped.",
        "The old firmware should be around 2.1.",
        "Word has it the supplier is closing.",
        "My brother-in-law says the pump cavitates.",
        "It ought to be 40 a second, but nobody counted.",
        "Assume a headcount of 14.",
        "Call it 250 guests.",
        "The lease ends in June, or so the agent says.",
    ],
)
def test_a_statement_nobody_vouches_for_is_told(text: str) -> None:
    assert GUESS.search(text) is not None


@pytest.mark.parametrize(
    "text",
    [
        "The invoice is about 4,200 euros.",
        "The trip takes roughly three hours.",
        "Think about the drainage first.",
        "I thought about it and we take the blue one.",
        "The likelihood ratio is 3.2.",
        "The estimate from the builder is 12,000.",
        "I've been told to fix both before May.",
        "The hall holds 60.",
    ],
)
def test_an_approximate_figure_or_a_deed_is_no_guess(text: str) -> None:
    assert GUESS.search(text) is None
