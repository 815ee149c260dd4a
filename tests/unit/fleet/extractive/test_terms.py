"""Content words and values."""

import pytest

from fleet.extractive.terms import Slot, jaccard, names, slots, terms, values


def test_terms_leave_out_grammar_and_talk() -> None:
    assert terms("Well, I think the salons are paying") == ("salon", "pay")


def test_terms_of_unspaced_scripts_are_pairs_of_characters() -> None:
    assert terms("数据库迁移") == ("数据", "据库", "库迁", "迁移")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on 12 January at 15:20", {"12 january", "15:20"}),
        ("r418 and web-a3 use 2.3.8", {"r418", "web-a3", "2.3.8"}),
        ("not the 20th but 5 %", {"20th", "5 %"}),
        ("the CFO wants six hires", {"cfo", "six"}),
        ("user_id in /billing/return", {"user_id", "/billing/return"}),
        ("nothing to see", set[str]()),
    ],
)
def test_values(text: str, expected: set[str]) -> None:
    assert values(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("8 shards", Slot("8", "shard")),
        ("at 07:30", Slot("07:30", "time")),
        ("on March 5", Slot("march 5", "date")),
        ("the 20th", Slot("20th", "date")),
        ("78 %", Slot("78 %", "percent")),
        ("us-east-2", Slot("us-east-2", "a-a-9")),
        ("it is 38", Slot("38", "number")),
        ("it is 38 the", Slot("38", "number")),
    ],
)
def test_slots_know_what_a_value_measures(text: str, expected: Slot) -> None:
    assert slots(text) == (expected,)


def test_codes_of_one_shape_share_a_unit() -> None:
    assert slots("us-east-2")[0].unit == slots("eu-central-1")[0].unit != slots("r418")[0].unit


def test_names_do_not_count_the_first_word() -> None:
    assert names("Support goes to Grupo Alvorada and I agree") == {"grupo alvorada"}


def test_jaccard() -> None:
    assert jaccard(("a", "b"), ("b", "c")) == pytest.approx(1 / 3)
    assert jaccard((), ()) == 0.0
