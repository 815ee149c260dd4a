"""Verb forms."""

import pytest

from language.verbs import (
    ALSO_NOUNS,
    BASES,
    COPULAR,
    STRONG_PASTS,
    WEAK_PASTS,
    base_of_third_person,
    is_weak_past,
    word_set,
)


@pytest.mark.parametrize(
    ("word", "base"),
    [
        ("keeps", "keep"),
        ("relies", "rely"),
        ("goes", "go"),
        ("matches", "match"),
        ("uses", "use"),
        ("pass", None),
        ("keep", None),
        ("lakes", None),
    ],
)
def test_third_person(word: str, base: str | None) -> None:
    assert base_of_third_person(word) == base


def test_weak_pasts() -> None:
    assert is_weak_past("raised")
    assert is_weak_past("kept")
    assert not is_weak_past("embed")
    assert not is_weak_past("red")
    assert not is_weak_past("went")


def test_lists_fit_together() -> None:
    assert COPULAR <= BASES
    assert not STRONG_PASTS & WEAK_PASTS
    assert not STRONG_PASTS & BASES
    assert len(ALSO_NOUNS & BASES) > 100
    assert word_set(" a  b\nc ") == {"a", "b", "c"}
