"""What is over, and what is only told in the past tense."""

import pytest

from wording.temporal_past import past_cues


@pytest.mark.parametrize(
    ("sentence", "cue"),
    [
        ("We used to meet here.", "used to"),
        ("The ward used to close at nine.", "used to"),
        ("There used to be a bridge.", "used to"),
        ("The bus used to stop here, which is handy.", "used to"),
        ("The key used to open safes.", "used to"),
        ("The clerk used to check the keys.", "used to"),
        ("Bread previously cost a penny.", "previously cost"),
        ("They were going to build a tower.", "were going to"),
        ("Before the reform it was free.", "Before the"),
        ("It was free until the reform.", "until "),
        ("When we were small, it rained more.", "When we were"),
        ("In 1999 he owned a boat.", "In 1999"),
        ("It had been green.", "had been"),
        ("My aunt always kept bees.", "always kept"),
        ("For context: we were six until the move.", "until "),
    ],
)
def test_over(sentence: str, cue: str) -> None:
    (span,) = past_cues(sentence)
    assert sentence[span.start : span.end] == cue


@pytest.mark.parametrize(
    "sentence",
    [
        "The lamp is used to dry ink.",
        "I am used to noise.",
        "The key used to open the safe is missing.",
        "The tool used to cut opens the box.",
        "The biopsy showed nothing.",
        "It was 180 ms last night.",
        "Until now it was quiet.",
        "The drain stays until the fever is gone.",
        "She was admitted in March.",
        "The release was in October 2018.",
        "We leave before the rain.",
        "",
    ],
)
def test_not_over(sentence: str) -> None:
    assert past_cues(sentence) == ()
