"""Refusals, courtesies, repetition, broken ends, echoes."""

import json
from pathlib import Path

import pytest

from prompts.symptoms import (
    REPEATING_RATIO,
    _packed,
    breaks_off,
    is_courtesy,
    is_echo,
    is_preamble,
    is_refusal,
    is_repeating,
)

RECORDINGS = Path(__file__).parents[3] / "benchmarks/data/recordings"


@pytest.mark.parametrize(
    "text",
    [
        "I\u2019m sorry, but I can\u2019t help with that.",
        "Unfortunately, I cannot do that.",
        "Thank you. I must respectfully decline.",
        "I won't be able to provide this.",
        "I'm not able to adopt a role here.",
        "As a large language model, I have no commitments.",
        "Your request was flagged as against our usage policies.",
        "Ich kann dir dabei leider nicht helfen.",
        "Je ne peux pas r\u00e9pondre.",
        "N\u00e3o posso ajudar com isso.",
    ],
)
def test_refusals(text: str) -> None:
    assert is_refusal(text)


@pytest.mark.parametrize(
    "text",
    [
        "I refuse to use SameSite=None.",
        "I can't reach the server.",
        "I won't build anything on the pike remark.",
        "Unfortunately the index is too big.",
        "The user says sorry for the delay.",
        "As an author I attack.",
        "The conversation is about a lake.",
    ],
)
def test_statements_are_no_refusals(text: str) -> None:
    assert not is_refusal(text)


@pytest.mark.parametrize(
    "text", ["Sure! Here is it:", "Voici l'\u00e9tat.", "State of the review as I hold it now:", "**Here's** the state"]
)
def test_preambles(text: str) -> None:
    assert is_preamble(text)


def test_content_is_no_preamble() -> None:
    assert not is_preamble("The lake has 83 ha.")
    assert not is_preamble("Sure, " + "and so on " * 200)


@pytest.mark.parametrize(
    "text",
    [
        "Let me know if you need anything else!",
        "I hope this overview is useful!",
        "If you have any other questions, I'm happy to help!",
        "Is there anything else you would like me to add?",
        "N\u2019h\u00e9sitez pas !",
        "Hoffentlich ist das hilfreich.",
    ],
)
def test_courtesies(text: str) -> None:
    assert is_courtesy(text)


@pytest.mark.parametrize(
    "text",
    ["Is there a contract?", "If the count differs, there is no cut-over.", "I help the only DBA.", "Do you lint?"],
)
def test_statements_are_no_courtesies(text: str) -> None:
    assert not is_courtesy(text)


def test_repetition() -> None:
    assert is_repeating("the lake " * 80, [])
    assert is_repeating("".join(chr(0x4E00 + i) for i in range(1500)) + "\u6e56" * 1600, [])
    assert is_repeating("short", ["A holds."] * 3 + ["B holds."] * 3)
    assert not is_repeating("short", ["A holds."] * 2 + ["B holds."] * 2)
    assert not is_repeating("A b c.", ["A.", "B.", "C.", "D.", "E.", "F."])
    assert not is_repeating("", [])


def test_every_recording_stays_far_from_the_repetition_threshold() -> None:
    texts = [json.loads(path.read_text("utf-8"))["answer"] for path in RECORDINGS.glob("*/*.json")]
    ratios = [_packed(" ".join(text.split())) for text in texts]
    assert min(ratios) > 4 * REPEATING_RATIO


@pytest.mark.parametrize(
    ("text", "others", "broken"),
    [
        ("It was not checked and", [], True),
        ("It goes out,", [], True),
        ("The lake (a", [], True),
        ('He calls it "stalled', [], True),
        ("The lake has 83", ["It holds.", "It is green."], True),
        ("The lake has 83", ["It holds", "It is green"], False),
        ("The lake has 83", [], False),
        ("It holds.**", [], False),
        ("It is `rcli`", ["A."], True),
        ("We call it \u201cstalled\u201d", ["A."], False),
        ("", [], False),
    ],
)
def test_breaks_off(text: str, others: list[str], *, broken: bool) -> None:
    assert breaks_off(text, others) is broken


def test_echo() -> None:
    assert is_echo("What do you now know to be true?")
    assert is_echo("**Be concise.**")
    assert is_echo("KNOWN: What do you now know to be true?")
    assert not is_echo("none")
    assert not is_echo("The lake has 83 ha.")
    assert not is_echo("x" * 5000)
