import json
from typing import Any

import pytest

from dissolution.errors import InvalidConversation
from language.intake.options import Form
from tests.unit.language.intake.support import native, noted, read, said, turn


def test_any_label_is_a_speaker_and_ours_are_roles() -> None:
    labels = ["user", "Assistant", "system", "developer", "tool", "function", "Grad E", "mturk_agent_1"]
    turns = read(native(*(turn("x", label) for label in labels))).conversation.turns

    assert [t.role.value for t in turns] == [
        "user", "assistant", "system", "system", "tool", "tool", "participant", "participant",
    ]  # fmt: skip
    assert [t.speaker for t in turns] == labels


def test_the_speaker_is_told_apart_from_the_role_and_may_stand_alone() -> None:
    data = native(
        turn("a", "user", speaker=" Mara "), {"speaker": "Ben", "content": "b"}, turn("c", " ", speaker="tool")
    )

    assert said(read(data)) == [("user", "Mara", "a"), ("participant", "Ben", "b"), ("tool", "tool", "c")]


def test_further_keys_are_ignored_without_a_word() -> None:
    reading = read(native(turn(src_index=3, truth=[1]), gold={"x": 1}, questions=[], licence="CC0", title=5))

    assert noted(reading) == ()
    assert reading.conversation.title is None


def test_times_with_a_zone_become_utc_and_others_need_one() -> None:
    data = native(
        turn("a", said_at="2026-03-01T10:43:00+02:00"), turn("b", said_at="2026-03-01 10:43"), turn("c", said_at=None)
    )

    left_out = read(data)
    placed = read(data, timezone="Europe/Berlin").conversation.turns
    assert noted(left_out) == ("1 timestamps name no time zone and were left out; give --timezone",)
    assert [t.said_at and t.said_at.isoformat() for t in left_out.conversation.turns] == [
        "2026-03-01T08:43:00+00:00", None, None,
    ]  # fmt: skip
    assert placed[1].said_at is not None
    assert placed[1].said_at.isoformat() == "2026-03-01T09:43:00+00:00"


@pytest.mark.parametrize(
    ("turns", "message"),
    [
        ([turn(turn=1), turn(turn=1)], "turn number 1 appears twice: number the turns 1, 2, 3 …"),
        ([turn(turn=1), turn(turn=3)], "turn number 3 stands where 2 is next"),
        ([turn(number=2), turn(number=1)], "turn number 2 stands where 1 is next"),
        ([turn(turn=0)], "turn number 0 stands where 1 is next"),
        ([turn(turn=1), turn()], "turn 2 has no number: number all turns 1, 2, 3 …, or none"),
        ([turn(turn="1")], "turn 1 has the number '1'"),
        ([turn(turn=True)], "turn 1 has the number True"),
        ([turn(turn=1.0)], "turn 1 has the number 1.0"),
        (["hello"], "turn 1 is 'hello': write"),
        ([{"content": "x"}], "turn 1 has neither role nor speaker"),
        ([{"role": "user"}], "turn 1 has no content: write its content as a string"),
        ([turn(["x"])], "turn 1 has a list as content"),
        ([turn("x", 3)], "turn 1: role is 3: write the role as a string"),
        ([turn("x", speaker={})], "turn 1: speaker is an object"),
        ([turn(said_at="yesterday")], "turn 1: said_at 'yesterday' is not a time: write it as in 2026-03-01T10:43:00Z"),
        ([turn(said_at=1772361780)], "turn 1: said_at is 1772361780: write it as ISO 8601 text"),
        ([turn(said_at="0001-01-01T00:00:00+14:00")], "lies outside the calendar"),
    ],
)
def test_each_fault_names_its_turn(turns: list[Any], message: str) -> None:
    with pytest.raises(InvalidConversation) as refused:
        read(native(*turns))

    assert message in str(refused.value)


def lines(*values: Any) -> str:  # noqa: ANN401 - wrong types too
    return "\n\n".join(json.dumps(value) for value in values)


def test_one_of_several_conversations_is_picked_by_its_id() -> None:
    data = lines(native(turn("a"), id="x"), native(turn("b"), id="y"))

    assert said(read(data, conversation="y")) == [("user", "user", "b")]
    assert read(data, conversation="y").conversation.id == "y"
    assert read(lines(native(turn("a"))), "only.jsonl", form=Form.NATIVE_JSONL).conversation.id == "only"


@pytest.mark.parametrize(
    ("data", "picked", "message"),
    [
        (lines(native(turn(), id="x"), native(turn())), None, "holds 2 conversations ('x', one without id): pick one"),
        (
            lines(*(native(turn(), id=f"c{n}") for n in range(12))),
            None,
            "'c8', 'c9', …): pick one with --conversation ID",
        ),
        (
            lines(native(turn(), id="x"), native(turn(), id="y")),
            "z",
            "holds no conversation 'z': pick one of its 2: 'x', 'y'",
        ),
        (lines(native(turn(), id="x"), native(turn(), id="x")), "x", "holds conversation 'x' on lines 1, 3"),
        (lines(native(turn(), id="x")) + "\n[1]", "x", "line 2 holds a list: each line of JSONL must hold one object"),
        (lines(native(turn(), id="x")) + '\n{"id": ', "x", "is not valid JSON: Expecting value at line 2, column 8"),
        (lines(native(turn(), id="x"), {"id": "y", "turns": []}), "y", "line 3' has no turns"),
    ],
)
def test_a_file_of_several_says_what_it_holds(data: str, picked: str | None, message: str) -> None:
    with pytest.raises(InvalidConversation) as refused:
        read(data, conversation=picked, form=Form.NATIVE_JSONL)

    assert message in str(refused.value)


def test_line_separators_inside_strings_end_no_line() -> None:
    data = json.dumps(native(turn("a\u2028b\u0085c"), id="x"), ensure_ascii=False) + "\r\n"

    assert said(read(data, form=Form.NATIVE_JSONL)) == [("user", "user", "a\u2028b\u0085c")]
