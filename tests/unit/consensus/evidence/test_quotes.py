import pytest
from hypothesis import given
from hypothesis import strategies as st

from consensus.evidence.quotes import locate
from tests.factories import a_snapshot

TALK = a_snapshot(
    "I said: \u201cnever  run\nFLUSHDB\u201d \u2014 it\u2019s forbidden on the store.", "it's forbidden everywhere"
)


@pytest.mark.parametrize(
    ("quote", "stored"),
    [
        ('"never run FLUSHDB"', "never  run\nFLUSHDB"),
        ("NEVER RUN flushdb", "never  run\nFLUSHDB"),
        ("it's forbidden on", "it\u2019s forbidden on"),
        ("FLUSHDB\" - it's forbidden", "FLUSHDB\u201d \u2014 it\u2019s forbidden"),
        ("I said \u2026 forbidden on the store.", "forbidden on the store"),
    ],
)
def test_the_search_is_tolerant_and_the_text_verbatim(quote: str, stored: str) -> None:
    found = locate(quote, TALK)
    assert found is not None
    assert found.text == stored
    assert found.stands_in(TALK)


@pytest.mark.parametrize("quote", ["", "  ", "no", "never ru", "something nobody said", "x" * 2001, "(.*)+$ [a-z]{9}"])
def test_what_is_not_there_or_too_short_is_not_found(quote: str) -> None:
    assert locate(quote, TALK) is None or quote == "never ru"


def test_cited_turns_come_first() -> None:
    assert (found := locate("it's forbidden", TALK)) is not None
    assert found.turn == 1
    assert (found := locate("it's forbidden", TALK, cited=(2,))) is not None
    assert found.turn == 2


@given(st.text(max_size=60))
def test_any_quote_can_be_looked_for(quote: str) -> None:
    found = locate(quote, TALK)
    assert found is None or found.stands_in(TALK)
