import re

import pytest

from frame_agent import cues

PATTERNS: list[re.Pattern[str]] = [
    getattr(cues, name) for name in sorted(vars(cues)) if isinstance(getattr(cues, name), re.Pattern)
]


@pytest.mark.parametrize("text", ["Yes.", "Agreed, both.", "ok, go ahead", "Good, do it.", "Confirmed."])
def test_a_yes_opens_a_turn(text: str) -> None:
    assert cues.YES.match(text)
    assert not cues.NO.match(text)


@pytest.mark.parametrize("text", ["No.", "nope, wrong house", "Never, that is settled", "Out of the question."])
def test_a_no_opens_a_turn(text: str) -> None:
    assert cues.NO.match(text)
    assert not cues.YES.match(text)


@pytest.mark.parametrize("text", ["No problem.", "No idea, sorry", "Nobody came."])
def test_not_every_no_refuses(text: str) -> None:
    assert not cues.NO.match(text)


@pytest.mark.parametrize("text", ["Shall I send the log?", "Do you want the code?", "Anything else?"])
def test_an_offer_leaves_nothing_open(text: str) -> None:
    assert cues.OFFERING.search(text)


@pytest.mark.parametrize("pattern", PATTERNS, ids=range(len(PATTERNS)))
@pytest.mark.parametrize("text", ["a " * 4000, "so " * 3000, "whether " * 1500, '"' * 8000, "I " * 4000 + "guess"])
def test_every_pattern_comes_back_from_hostile_text(pattern: "re.Pattern[str]", text: str) -> None:
    """One that tried every beginning against every end would not come back."""
    found = pattern.search(text[:8000])
    assert found is None or found.end() <= 8000
