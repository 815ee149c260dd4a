import json
from pathlib import Path

import pytest
from hypothesis import given

from dissolution.ports.models import TokenCounter
from language.tokens import ApproximateTokenCounter
from tests.unit.language.support import TEXTS

PLANTED = Path(__file__).parents[3] / "benchmarks" / "data" / "planted"
# Tokens by cl100k_base, as benchmarks/tokens.py prints them.
EXACT = {
    "co-context-decay": 7856,
    "co-ecology-model": 7979,
    "op-flask-sessions": 8619,
    "op-postgres-migration": 7535,
    "st-aws-pipeline": 7277,
    "st-market-entry": 6581,
}


@pytest.mark.parametrize(("conversation", "exact"), EXACT.items())
def test_the_published_error_holds(conversation: str, exact: int) -> None:
    turns = json.loads((PLANTED / f"{conversation}.json").read_text(encoding="utf-8"))["turns"]
    counted = sum(ApproximateTokenCounter().count(turn["content"]) for turn in turns)
    assert abs(counted / exact - 1) < 0.05


@pytest.mark.parametrize(
    ("text", "fewest", "most"),
    [
        ("", 0, 0),
        (" ", 1, 1),
        ("word", 1, 1),
        ("1234567", 3, 3),
        ("漢字漢字", 3, 6),
        ("Привет мир", 4, 9),
        ("😀", 1, 3),
    ],
)
def test_small_counts(text: str, fewest: int, most: int) -> None:
    assert fewest <= ApproximateTokenCounter().count(text) <= most


def test_it_is_a_token_counter_with_a_name() -> None:
    counter: TokenCounter = ApproximateTokenCounter()
    assert counter.name == "approximate-1"


@given(TEXTS)
def test_text_that_is_not_empty_has_tokens(text: str) -> None:
    assert (ApproximateTokenCounter().count(text) > 0) == bool(text)
