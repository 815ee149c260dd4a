import pytest
from hypothesis import given

from language.words import STOPWORDS, content_sequence, content_words, stem, words
from tests.unit.language.support import TEXTS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ()),
        ("Web-a1 runs r418, user_id = 5", ("web-a1", "runs", "r418", "user_id", "5")),
        ("Don’t stop", ("don't", "stop")),
        ("61,000 at 10:43 is 2.3.8.", ("61,000", "at", "10:43", "is", "2.3.8")),
        ("yes,no note:this", ("yes", "no", "note", "this")),
        ("_word_ _trace __init__ ___", ("word", "_trace", "__init__")),
        ("settings/hardening.py", ("settings", "hardening.py")),
        ("Salão Norte – “ok”", ("salão", "norte", "ok")),
    ],
)
def test_words(text: str, expected: tuple[str, ...]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    "family",
    [
        ("use", "uses", "used", "using"),
        ("stop", "stops", "stopped", "stopping"),
        ("policy", "policies"),
        ("try", "tries", "tried"),
        ("process", "processes", "processed"),
        ("decide", "decides", "decided", "deciding"),
        ("call", "calls", "called", "calling"),
        ("agree", "agreed"),
        ("cancel", "cancelled", "cancels"),
    ],
)
def test_forms_of_one_word_share_a_stem(family: tuple[str, ...]) -> None:
    assert len({stem(word) for word in family}) == 1


@pytest.mark.parametrize("word", ["r418", "user_id", "redis", "status", "string", "élan", "as"])
def test_words_that_are_not_inflected_stay(word: str) -> None:
    assert stem(word) == word


def test_content_words_leave_grammar_out_and_keep_identifiers() -> None:
    assert content_words("The owner's 61,000 read-only web-a1 nodes are, and 5") == {
        "owner", "61000", "read", "only", "web-a1", "nod", "5"
    } - STOPWORDS  # fmt: skip


@given(TEXTS)
def test_words_are_lower_case_and_never_empty(text: str) -> None:
    for word in words(text):
        assert word
        assert word == word.lower() or not word.isascii()
    assert all(content_words(text))


def test_content_sequence_keeps_order_and_repeats() -> None:
    assert content_sequence("The pump feeds the pump of web-a1") == ("pump", "fe", "pump", "web-a1")
