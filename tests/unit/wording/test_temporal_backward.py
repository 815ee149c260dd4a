"""What takes something back, and what only looks like it."""

import pytest

from wording.temporal_backward import backward_cues


@pytest.mark.parametrize(
    "sentence",
    [
        "Corrections to my note of Monday: it is 30.",
        "Let me correct the record, it was 30.",
        "I stand corrected.",
        "Scratch that.",
        "Disregard my earlier message.",
        "I take that back.",
        "We misread the plan.",
        "I had the two columns swapped.",
        "I said March and meant May.",
        "My mistake, it is the left one.",
        "The figure in the summary is wrong.",
        "What I told her was false.",
        "It was invalid from the start.",
        "That was never true.",
        "The door is shut and always was.",
        "It was the pump all along.",
        "Contrary to what we assumed, it holds.",
        "We thought it was rust, but it is paint.",
        "There never was a second key.",
        "No, it has never been blue.",
        "Sorry, the room is 12, not 21.",
    ],
)
def test_takes_back(sentence: str) -> None:
    assert backward_cues(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The correction was accepted.",
        "Sorry for the noise.",
        "Actually, it is nice.",
        "It has always been fun.",
        "The wrong button is red.",
        "Strike it from the plan.",
        "I meant to call you.",
        "Three milliseconds is not even wrong.",
        "She has never been to Oslo.",
        "We moved from 13 to 30.",
        "",
    ],
)
def test_takes_nothing_back(sentence: str) -> None:
    assert backward_cues(sentence) == ()


def test_weak_cues_count_in_pairs_and_both_are_shown() -> None:
    text = "Sorry, I told you the wrong thing"
    assert backward_cues("Sorry, I am late.") == ()
    assert backward_cues("She never smiles.") == ()
    pair = backward_cues("Actually she never smiled.")
    assert len(pair) == 2
    assert pair[0].end <= pair[1].start
    assert backward_cues(text)
