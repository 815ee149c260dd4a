"""What decides against something."""

import pytest
from hypothesis import given

from language.choice import refusals
from tests.unit.language.support import TEXTS, assert_in_order


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("We use Redis.", []),
        ("EKS is ruled out because nobody can carry it.", ["is ruled out"]),
        ("EKS ruled out.", ["ruled out"]),
        ("Lambda is out, except redrive.", ["is out"]),
        ("We go with Kinesis and drop Kafka.", ["drop"]),
        ("r418 is now rolled back.", ["is now rolled back"]),
        ("The plan was dropped.", ["was dropped"]),
        ("The plan was renamed.", []),
        ("We no longer use EKS.", ["no longer use"]),
        ("Stopping Kafka is discarded.", ["Stopping", "is discarded"]),
        ("Do not drop Redis.", []),
        ("They don\u2019t reject it.", []),
        ("a stop event is lost", []),
        ("run `reject all` now", []),
    ],
)
def test_refusals(text: str, expected: list[str]) -> None:
    assert [text[one.start : one.end] for one in refusals(text)] == expected


@given(TEXTS)
def test_spans_are_ordered_and_stand_in_the_text(text: str) -> None:
    assert_in_order(refusals(text), text)
