"""Structures that bound a request to one occasion."""

import pytest

from frame_agent.bounds import ONCE


@pytest.mark.parametrize(
    "text",
    [
        "Just this once, answer in French.",
        "In your next message, use French.",
        "Answer in French for now, then switch back.",
        "Keep today's answers short, my eyes are tired.",
        "Skip the sources this time.",
        "Not as a rule, but skip the sources here.",
        "For this outline ignore the word counts.",
        "For today only, write me a checklist.",
    ],
)
def test_a_bounded_request_is_told(text: str) -> None:
    assert ONCE.search(text) is not None


@pytest.mark.parametrize(
    "text", ["Always answer in French.", "List prices only for the first six months.", "The lamp is on at night."]
)
def test_what_stands_is_not_bounded(text: str) -> None:
    assert ONCE.search(text) is None
