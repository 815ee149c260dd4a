"""Exact counts: hand-checked against the published vocabularies."""

import pytest

from fleet.litellm_gateway import openai_vocabulary
from fleet.vocabulary import VocabularyTokenCounter


@pytest.fixture(name="counter", scope="module")
def a_counter() -> VocabularyTokenCounter:
    vocabulary = openai_vocabulary("openai/gpt-4o")
    assert vocabulary is not None
    return VocabularyTokenCounter(vocabulary)


def test_the_name_is_the_vocabularys(counter: VocabularyTokenCounter) -> None:
    assert counter.name == "o200k_base"


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("hello world", 2),  # "hello", " world"
        ("1234567", 3),  # digits go in threes: 123 456 7
        ("a" * 800, 100),  # a run of one letter goes in eights
    ],
)
def test_counts_are_the_vocabularys(counter: VocabularyTokenCounter, text: str, tokens: int) -> None:
    assert counter.count(text) == tokens


def test_marks_and_broken_text_are_plain_text(counter: VocabularyTokenCounter) -> None:
    assert counter.count("<|endoftext|>") > 1
    assert counter.count("\ud800") >= 1
    assert counter.count("日本語 🙂") >= 3
