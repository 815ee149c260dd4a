"""Words and values."""

import pytest

from fleet.extractive.terms import names, terms, values


def test_words_are_stemmed_and_none_is_left_out_for_its_language() -> None:
    assert terms("So, the salons are paying") == ("so", "the", "salon", "are", "pay")


def test_terms_of_unspaced_scripts_are_pairs_of_characters() -> None:
    assert terms("数据库迁移") == ("数据", "据库", "库迁", "迁移")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on 12 January at 15:20", {"12", "15:20"}),
        ("r418 and web-a3 use 2.3.8", {"r418", "web-a3", "2.3.8"}),
        ("not the 20th but 5 %", {"20th", "5 %"}),
        ("der CFO braucht €40", {"cfo", "€40"}),
        ("user_id in /billing/return, maxAge", {"user_id", "/billing/return", "maxage"}),
        ("nothing to see", set[str]()),
    ],
)
def test_values_are_told_by_their_form(text: str, expected: set[str]) -> None:
    assert values(text) == expected


def test_names_do_not_count_the_first_word() -> None:
    assert names("Support goes to Grupo Alvorada on Monday") == {"grupo alvorada", "monday"}
