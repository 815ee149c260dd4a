import pytest
from hypothesis import given

from tests.unit.wording.support import TEXTS, assert_in_order
from wording.hedges import hedge_spans, is_hedged


@pytest.mark.parametrize(
    ("text", "cue"),
    [
        ("I think it works.", "I think"),
        ("We don’t believe it.", "We don’t believe"),
        ("Ravi thinks it works.", "Ravi thinks"),
        ("It probably works.", "probably"),
        ("As far as I know it holds.", "As far as I know"),
        ("It may be wrong.", "may"),
        ("The bay may bolster it.", "may"),
        ("It might fail.", "might"),
        ("It could be JIT.", "could be"),
        ("That is unverified.", "unverified"),
        ("It was not confirmed.", "not confirmed"),
        ("Nobody has ever measured it.", "Nobody has ever measured"),
        ("Nothing has been checked.", "Nothing has been checked"),
        ("Somebody told me that years ago.", "Somebody told me"),
        ("Growth is a guess.", "a guess"),
        ("A6, guess.", "guess"),
        ("Guesses only: 15 percent.", "Guesses only:"),
        ("It seems slow.", "seems"),
        ("Rain is likely.", "is likely"),
        ("From memory, 7 of 11.", "From memory"),
        ("I'm not sure.", "I'm not sure"),
        ("The likely cause is X.", "The likely cause"),
        ("They are said to be equal.", "are said to"),
    ],
)
def test_hedged(text: str, cue: str) -> None:
    assert [text[span.start : span.end] for span in hedge_spans(text)] == [cue]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The launch is on May 12.",
        "May I go in May?",
        "The expected file is here.",
        "Mark it as likely.",
        "You may deploy.",
        "Only Ilse may change nginx.",
        "Who may say no to a producer?",
        "They believe in us.",
        "I thought about it.",
        "This is not a guess.",
        "I let no guess pose as measurement.",
        "The name appears in the log.",
        "The label says “probably”.",
        "Set `maybe` to 1.",
        "We could not reproduce it.",
        "Every assumption gets a number.",
    ],
)
def test_not_hedged(text: str) -> None:
    assert not is_hedged(text)


@given(TEXTS)
def test_spans_are_ordered_and_inside(text: str) -> None:
    assert_in_order(hedge_spans(text), text)


@pytest.mark.parametrize(
    "text",
    ["I guess about 15 percent are on Safari.", "I'm assuming we get 20 percent off.", "The team is still guessing."],
)
def test_guesses_of_amounts_and_in_progress_are_hedges(text: str) -> None:
    assert is_hedged(text)


def test_thinking_about_something_is_no_hedge() -> None:
    assert not is_hedged("I think about the plan every day.")
