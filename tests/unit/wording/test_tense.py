"""Tense by rule: the conventions, and the published accuracy."""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wording.tense import Tense, tense

DATA = Path(__file__).parents[3] / "benchmarks/data/tense.jsonl"
PRESENT, PAST, FUTURE, UNCLASSIFIED = Tense


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The date has been chosen by a trade fair.", PRESENT),
        ("Nothing had been switched on.", PAST),
        ("The index must shrink.", PRESENT),
        ("Lax would work without special treatment.", PRESENT),
        ("Restart the node.", PRESENT),
        ("Please restart the node.", PRESENT),
        ("The canary starts on Monday.", PRESENT),
        ("It'll grow.", FUTURE),
        ("They won't agree.", FUTURE),
        ("We are going to move.", FUTURE),
        ("We are going home.", PRESENT),
        ("I used to say so.", PAST),
        ("It is used to sign cookies.", PRESENT),
        ("If the count differed, there is no cut-over.", PRESENT),
        ("After the rollback errors fell.", PAST),
        ("Because it rained.", PAST),
        ("Until October we will wait.", FUTURE),
        ("The budget that was approved is 9,000.", PRESENT),
        ("The errors logged on web-a3 are POSTs.", PRESENT),
        ("The user corrected the deadline.", PAST),
        ("The 40 shared documents.", UNCLASSIFIED),
        ("The migration costs are one-time money.", PRESENT),
        ("H1, dilution, leads.", PRESENT),
        ("Schemas remain parked.", PRESENT),
        ("Runs cover Marlow-3B.", PRESENT),
        ("Ravi and Ilse decide.", PRESENT),
        ('He said "it will be fine".', PAST),
        ("`was` is a word.", PRESENT),
        ("The plan (it was long) holds.", PRESENT),
        ("You'd better go.", PRESENT),
        ("That's it.", PRESENT),
        ("Nordhaven's contract keeps it here.", PRESENT),
        ("We never raised the limit.", PAST),
        ("The limit was raised and is 1 GB.", PAST),
        ("The other 201 compared over night.", PAST),
        ("The plan based on usage costs the team a day.", PRESENT),
        ("The rules also.", UNCLASSIFIED),
        ("The fee the user paid and the tax which applies.", PAST),
        ("Two models, 40 documents.", UNCLASSIFIED),
        ("title registered, paper done", PAST),
        ("None of it.", UNCLASSIFIED),
        ("", UNCLASSIFIED),
        ("2024-05-29 14", UNCLASSIFIED),
    ],
)
def test_conventions(sentence: str, expected: Tense) -> None:
    assert tense(sentence) is expected


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
    assert right == {"test": 94, "tune": 95}


@given(st.text(max_size=300))
def test_never_raises(sentence: str) -> None:
    assert tense(sentence) in Tense


def test_a_huge_sentence_is_read_at_its_beginning() -> None:
    assert tense("It holds " + "and so on " * 100_000) is PRESENT
