"""Tense by rule: the conventions, and the published accuracy."""

import json
from collections import Counter
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from language.tense import Tense, tense

DATA = Path(__file__).parents[3] / "benchmarks/data/tense.jsonl"
PRESENT = Tense.PRESENT


def labelled() -> list[dict[str, str]]:
    return [json.loads(line) for line in DATA.read_text("utf-8").splitlines()]


def test_the_labelled_sentences_are_two_hundred_in_two_halves() -> None:
    rows = labelled()
    assert len(rows) == len({row["id"] for row in rows}) == len({row["sentence"] for row in rows}) == 200
    assert Counter(row["split"] for row in rows) == {"tune": 101, "test": 99}
    assert {row["tense"] for row in rows} == {each.value for each in Tense}
    assert min(Counter(row["tense"] for row in rows).values()) >= 30


def test_accuracy_is_what_the_docs_publish() -> None:
    right = Counter(row["split"] for row in labelled() if tense(row["sentence"]).value == row["tense"])
    assert right == {"test": 89, "tune": 93}


@given(st.text(max_size=300))
def test_never_raises(sentence: str) -> None:
    assert tense(sentence) in Tense


def test_a_huge_sentence_is_read_at_its_beginning() -> None:
    assert tense("It holds " + "and so on " * 100_000) is PRESENT
