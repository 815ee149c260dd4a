"""A tenant's own patterns: what they may hold, what they find, and that none of them runs for long."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dissolution.errors import InputError
from dissolution.service import ExtraPattern
from language.secrets.extra_patterns import ExtraPatterns, compiled


def found(pattern: str, text: str) -> list[str]:
    spans = ExtraPatterns([ExtraPattern(kind="badge", pattern=pattern)]).find(text)
    return [text[one.start : one.end] for one in spans]


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        (r"B-\d{6}", "badge B-123456, not XB-123456 nor B-1234567", ["B-123456"]),
        ("[A-Z]{2,4}/[0-9]{4}", "case AB/1234 and ABCDE/1234", ["AB/1234"]),
        (r"\w{3}\.\d{2}", "abc.12 ab.12", ["abc.12"]),
        ("Zürich", "in Zürich.", ["Zürich"]),
    ],
)
def test_what_stands_alone_is_found(pattern: str, text: str, expected: list[str]) -> None:
    assert found(pattern, text) == expected


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("(a+)+b", "at character 1"),
        ("abcd*", "at character 5"),
        ("abcd|efgh", "at character 5"),
        (r"abcd\1", "at character 5"),
        ("[^a]bcd", "at character 1"),
        ("abc[z-a]d", "cannot be read"),
        ("abcd{0}", "repeat"),
        ("a{5,2}bcd", "repeat"),
        ("a{4,999}", "repeat"),
        ("a{1,9}b{1,9}c{1,9}d", "vary in length"),
        ("abc", "4 characters"),
        ("a{0,60}", "4 characters"),
        ("", "at least 1 character"),
    ],
)
def test_what_could_run_for_long_or_match_everything_is_refused(pattern: str, said: str) -> None:
    with pytest.raises((InputError, ValueError), match=said):
        compiled(ExtraPattern(kind="badge", pattern=pattern))


@given(st.text(alphabet="ab[]{}()\\dw0-9,*+?|^$.é", min_size=1, max_size=60))
def test_whatever_is_accepted_comes_back_from_a_long_text(pattern: str) -> None:
    try:
        expression = compiled(ExtraPattern(kind="badge", pattern=pattern))
    except InputError:
        return
    assert all(found.end() <= 20_001 for found in expression.finditer("a" * 20_000 + "b"))  # it comes back
