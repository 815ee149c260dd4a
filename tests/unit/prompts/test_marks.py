"""Bullets, emphasis, references, and the word for nothing."""

import pytest

from prompts.marks import (
    BULLET,
    MAX_TURN,
    is_none,
    is_turn,
    leading_reference,
    read_turns,
    trailing_reference,
    unwrapped,
    without_words,
)


@pytest.mark.parametrize(
    "line", ["- a", "* a", "\u2022 a", "1. a", "(a) b", "iv) c", "- [ ] d", "\u2013 e", "\u2713 f"]
)
def test_bullets(line: str) -> None:
    assert BULLET.match(line)


@pytest.mark.parametrize("line", ["-5 degrees", "*word* here", "1.5 bits", "2026. was", "a b", "r419. x"])
def test_no_bullets(line: str) -> None:
    assert not BULLET.match(line)


@pytest.mark.parametrize(
    "text",
    ["none", "None.", "- none".removeprefix("- "), "(none)", "N/A", "Keine.", "Aucun", "\u65e0", "Nothing is open."],
)
def test_none(text: str) -> None:
    assert is_none(text)


@pytest.mark.parametrize("text", ["None of the lakes has one.", "nothing from Quillon", "", "none " * 30])
def test_not_none(text: str) -> None:
    assert not is_none(text)


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        (" **all of it** ", "all of it"),
        ("***_all of it_***", "all of it"),
        ("**A:** b", "**A:** b"),
        ("**a** and **b**", "**a** and **b**"),
        ("__init__", "__init__"),
        ("** spaced **", "** spaced **"),
        ("****", "****"),
        ("   ", ""),
    ],
)
def test_unwrapped(text: str, inner: str) -> None:
    start, end = unwrapped(text, 0, len(text))
    assert text[start:end] == inner


@pytest.mark.parametrize(
    ("text", "own", "turns"),
    [
        ("A holds. [turns 7, 22]", "A holds.", (7, 22)),
        ("A holds (turn 7).", "A holds", (7,)),
        ("A holds. [T7; T22].", "A holds.", (7, 22)),
        ("A holds. [turns 3-5 and 9]", "A holds.", (3, 4, 5, 9)),
        ("A gilt. [Runden 3 bis 5]", "A gilt.", (3, 4, 5)),
        ("A holds. [turn #4]", "A holds. [turn #4]", ()),
        ("A holds. [#4]", "A holds.", (4,)),
        ("A holds. [7, 22]", "A holds.", (7, 22)),
        ("The pair is [1, 2]", "The pair is [1, 2]", ()),
        ("It is in the list (see 3)", "It is in the list (see 3)", ()),
        ("A holds. [turns N, M]", "A holds. [turns N, M]", ()),
        ("A holds)", "A holds)", ()),
        ("[turns 1]", "[turns 1]", ()),
        ("...", "...", ()),
        ("", "", ()),
    ],
)
def test_trailing_reference(text: str, own: str, turns: tuple[int, ...]) -> None:
    end, reference = trailing_reference(text, 0, len(text), 60)
    assert text[:end] == own
    assert reference.turns == turns
    assert reference.problems == ()


def test_leading_reference() -> None:
    text = "[turn 3] Next one."
    end, reference = leading_reference(text, 0, len(text), 60)
    assert (text[end:], reference.turns) == (" Next one.", (3,))
    assert leading_reference("Next [turn 3]", 0, 13, 60)[0] == 0


def test_turns_keep_order_and_name_what_cannot_be() -> None:
    assert read_turns("22, 7, 7", 60).turns == (22, 7, 7)
    assert read_turns("61, 0", 60).problems == ("turn_out_of_range: 61", "turn_out_of_range: 0")
    assert read_turns("9-3", 60).problems == ("turn_range: 9-3",)
    assert read_turns("1-100000", None).problems == ("turn_range: 1-100000",)
    assert is_turn(MAX_TURN, None)
    assert not is_turn(MAX_TURN + 1, None)


@pytest.mark.parametrize(
    ("text", "own", "words"),
    [
        ('We move. [turns 3] [said: "move it then"]', "We move. [turns 3]", ("move it then",)),
        ("We move. [said: \u201cmove it\u201d].", "We move. .", ("move it",)),
        ('We move. [said: "one"] [said: "two [2]"]', "We move.", ("one", "two [2]")),
        ('We move. [said: "one", "two"]', "We move.", ("one", "two")),
        ('We move. [said: "move it"] [turns 3]', "We move.  [turns 3]", ("move it",)),
        ('We move. [said "move it"] [revises c3f2a]', "We move.  [revises c3f2a]", ("move it",)),
        ('We [said: "x"] move.', 'We [said: "x"] move.', ()),
        ('We move. [said: ""]', 'We move. [said: ""]', ()),
    ],
)
def test_copied_words_come_off_wherever_they_stand_among_the_brackets(
    text: str, own: str, words: tuple[str, ...]
) -> None:
    assert without_words(text) == (own, words)
