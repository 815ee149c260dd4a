"""Structures by which something is put forward, and words that settle it."""

import pytest

from frame_agent.offers import DECIDES, OFFER


@pytest.mark.parametrize(
    "text",
    [
        "My preference would be the blue roof.",
        "Tom is pushing for the blue roof.",
        "If it were up to me the roof would be blue.",
        "Another approach is to paint the roof.",
        "Could do a heated bench outside.",
        "The blue roof is still under discussion.",
        "We've been kicking around a blue roof.",
        "Strawman: a blue roof.",
    ],
)
def test_what_is_offered_is_told(text: str) -> None:
    assert OFFER.search(text) is not None


@pytest.mark.parametrize("text", ["The roof is blue.", "I want to paint the roof.", "We use the blue paint."])
def test_a_statement_is_no_offer(text: str) -> None:
    assert OFFER.search(text) is None


@pytest.mark.parametrize("text", ["Decided: the roof is blue.", "We're going with blue.", "From now on it is blue."])
def test_words_that_settle_are_told(text: str) -> None:
    assert DECIDES.search(text) is not None


def test_what_is_not_yet_decided_is_not_settled() -> None:
    assert DECIDES.search("We have not decided whether the roof is blue.") is None
