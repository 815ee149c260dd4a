"""Joined words are found whole and in parts, and a text's words in any inflection."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context.terms import terms


@pytest.mark.parametrize(
    ("text", "among"),
    [
        ("see src/app/main.py.", {"src/app/main.py", "main.py", "main", "src", "app"}),
        ("the user_id of it", {"user_id", "user", "id"}),
        ("call getUserName()", {"get", "user", "nam"}),
        ("on web-a1:8080", {"web-a1", "web", "a1", "8080"}),
        ("by 2026-03-15", {"2026-03-15", "2026", "03", "15"}),
        ("at 15:30", {"15:30", "15", "30"}),
        ("release v2.3.8", {"v2.3.8", "2.3.8"}),
        ("costs $1,100.50", {"1100.50"}),
        ("mail ann@example.org", {"ann@example.org", "example.org"}),
        ("read-only files", {"read-only", "read", "fil"}),
        ("r418 went out", {"r418", "418"}),
        (r"in C:\logs\today", {r"c:\logs\today", "today"}),
        ("今天天气很好", {"今天", "天气"}),
        ("Der VERTRAG läuft", {"vertrag", "läuft"}),
    ],
)
def test_the_whole_and_the_parts_are_terms(text: str, among: set[str]) -> None:
    assert among <= set(terms(text))


@pytest.mark.parametrize(("one", "other"), [("1,100", "1100"), ("weekends", "Weekend"), ("user’s", "users")])
def test_two_spellings_of_one_word_share_their_terms(one: str, other: str) -> None:
    assert set(terms(one)) == set(terms(other))


def test_words_without_a_subject_are_terms_only_of_a_text_that_has_no_others() -> None:
    assert terms("the shop") == ("shop",)
    assert terms("the") == ("the",)
    assert terms(" ?! ") == ()


@given(st.lists(st.text(max_size=20), max_size=6))
def test_a_text_has_the_terms_of_its_parts(parts: list[str]) -> None:
    together = " ".join(parts)
    content = [term for part in together.split() for term in terms(part) if term in terms(f"subject {part}")]

    assert not set(content) - set(terms(f"subject {together}"))
