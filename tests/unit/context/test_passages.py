"""Passages that are embedded, and the words of a turn that are shown."""

from hypothesis import given
from hypothesis import strategies as st

from context.passages import MOST_PASSAGES, PASSAGE, QUOTE, passages, quote
from context.terms import terms

LONG = "\n".join(f"line {number} says nothing of note" for number in range(400))


def test_a_short_text_is_one_passage_and_a_long_one_is_cut_at_lines() -> None:
    assert passages("one two") == ("one two",)
    assert passages("") == ("",)
    found = passages(LONG)
    assert all(part.startswith("line ") and len(part) <= PASSAGE for part in found)
    assert "\n".join(found) == LONG


def test_passages_are_bounded() -> None:
    assert len(passages("x" * 10**6)) == MOST_PASSAGES


def test_the_sentence_with_most_of_the_words_is_shown() -> None:
    text = "We met on Monday. " + "Nothing was said. " * 60 + "The weekend rate is 1,100 EUR. And so on."
    span = quote(text, "weekend 1100")

    assert span is not None
    assert "The weekend rate is 1,100 EUR." in text[span.start : span.end]
    assert span.end - span.start <= QUOTE


def test_long_output_is_shown_around_the_words() -> None:
    text = "```\n" + " ".join(f"token{number}" for number in range(30_000)) + " needle " + "x " * 5000 + "\n```"
    span = quote(text, "needle")

    assert span is not None
    assert "needle" in text[span.start : span.end]
    assert span.end - span.start <= QUOTE


def test_a_blank_text_has_no_words() -> None:
    assert quote(" \n", "x") is None


@given(st.text(max_size=900), st.text(max_size=30))
def test_what_is_shown_stands_in_the_text(text: str, query: str) -> None:
    span = quote(text, query)

    assert (span is None) is (not text.strip())
    if span is not None:
        assert 0 <= span.start < span.end <= len(text)


@given(st.lists(st.from_regex(r"[a-z]{3,8}\.", fullmatch=True), min_size=1, max_size=200))
def test_a_word_of_the_text_is_in_what_is_shown(words: list[str]) -> None:
    text = f"{' '.join(words)} quixotry. {' '.join(words)}"
    span = quote(text, "quixotry")

    assert span is not None
    assert set(terms("quixotry")) <= set(terms(text[span.start : span.end]))
