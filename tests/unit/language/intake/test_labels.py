import pytest

from dissolution.conversation import Role
from language.intake.labels import (
    ROLES,
    count_words,
    is_caseless,
    is_known,
    is_ruled_out,
    looks_like_name,
    names_once,
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0), ("one two", 2), ("好的。", 1), ("我们周四发布。", 3), ("木曜日に出荷します", 5), ("db1", 1),
        ("네, 좋아요", 2), ("يوم الخميس", 2), ("東京", 1), ("東京都", 2), ("ตกลงครับ", 4), ("Redis を使う", 3),
    ],
)  # fmt: skip
def test_words_are_counted_where_no_space_parts_them(text: str, words: int) -> None:
    assert count_words(text) == words


@pytest.mark.parametrize(
    ("text", "caseless"),
    [("田中", True), ("אבי", True), ("ნინო", True), ("김", True), ("Mara", False), ("mara", False), ("Иван", False),
     ("ǅ", False), ("1田", False), ("", False), ("「田中」", False)],
)  # fmt: skip
def test_scripts_without_letter_case_are_told_by_the_first_letter(text: str, caseless: bool) -> None:  # noqa: FBT001
    assert is_caseless(text) is caseless


@pytest.mark.parametrize(
    ("label", "name", "once"),
    [
        ("Mara", True, True), ("mara", False, False), ("Jane van Dyk", True, True), ("we all know this", False, False),
        ("田中", True, True), ("ジョン・スミス", True, True), ("李娜说", True, False), ("理由は", True, False),
        ("会議の議事録は以下の通りですので", False, False), ("سارة محمد", True, True),
        ("الخطوات التالية هي", True, False),
        ("אחד שניים שלושה ארבעה חמישה", False, False), ("김민수", True, True), ("Aさん", True, True),
        ("Anna Maria von und zu Thurn", False, False), ("田中 (PM)", True, True),
    ],
)  # fmt: skip
def test_what_looks_like_a_name(label: str, name: bool, once: bool) -> None:  # noqa: FBT001
    assert (looks_like_name(label), names_once(label)) == (name, once)


@pytest.mark.parametrize("label", ["Note", "ValueError", "注意", "议题", "ملاحظة", "הערה", "참고", "Итог", "नोट"])
def test_heads_of_remarks_are_never_speakers(label: str) -> None:
    assert is_ruled_out(label)


def test_roles_and_parts_are_known_in_several_languages() -> None:
    assert (ROLES["用户"], ROLES["アシスタント"], ROLES["система"]) == (Role.USER, Role.ASSISTANT, Role.SYSTEM)
    assert all(is_known(label) for label in ("User", "Speaker 2", "Q", "答", "司会", "מערכת"))
    assert not any(is_known(label) for label in ("Mara", "Speaker of the House", "田中"))


def test_no_label_is_both_a_role_and_ruled_out() -> None:
    assert [label for label in ROLES if is_ruled_out(label)] == []


def test_words_of_a_huge_text_are_counted() -> None:
    """Were they counted anew for each word, this would take hours; how time grows is benchmarks/linear_time.py's."""
    assert count_words("数据" * 200_000) == 200_000
