"""Replies with one list: whole entries are taken, broken ends cost what follows, anything else is a failure."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devtools.scripted import SCRIPTED_USAGE
from dissolution.answers import FinishReason, Reply
from dissolution.errors import MemberContentFiltered, MemberRefused, MemberReplyUnusable
from prompts.json_lists import MAX_REPLY_CHARS, list_format, read_list


def a_reply(text: str, finish: FinishReason = FinishReason.STOP) -> Reply:
    return Reply(text=text, finish=finish, usage=SCRIPTED_USAGE)


def taken(text: str, finish: FinishReason = FinishReason.STOP) -> list[dict[str, object]]:
    return read_list(a_reply(text, finish), "answers", member="m", about="the answers")


WHOLE = '{"answers": [{"id": "a", "answer": "1"}, {"id": "b", "answer": "2"}]}'


@pytest.mark.parametrize("text", [WHOLE, f"```json\n{WHOLE}\n```", f"```\n{WHOLE}\n```", f"  {WHOLE}\n", WHOLE + "\n"])
def test_a_whole_object_is_read_bare_or_in_a_fence(text: str) -> None:
    assert [entry["id"] for entry in taken(text)] == ["a", "b"]


def test_what_stands_before_a_token_limit_is_kept() -> None:
    cuts = range(len('{"answers": [{"id": "a", "answer": "1"}'), len(WHOLE))
    first = {"id": "a", "answer": "1"}
    assert [cut for cut in cuts if taken(WHOLE[:cut], FinishReason.LENGTH)[0] != first] == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "garbage",
        "[]",
        "{}",
        '{"answers": []}',
        '{"answers": 7}',
        '{"others": [{"id": "a"}]}',
        '{"answers": [1, 2]}',
        '{"answers": [{"id": "a", "id": "b"}]}',
        '{"answers": [{"id": NaN}]}',
        f"Here you are: {WHOLE}",
        f"{WHOLE} I hope this helps.",
        '{"answers": [{"id": "a"}], "more": 1}',
        '{"answers": [{"id": "a"} and more]}',
        WHOLE[:-2],
        "{" * 5000,
    ],
)
def test_anything_else_is_unusable_and_no_word_of_it_is_repeated(text: str) -> None:
    with pytest.raises(MemberReplyUnusable) as raised:
        taken(text)
    assert "hope" not in str(raised.value)


def test_refusals_and_withheld_replies_are_told_apart() -> None:
    with pytest.raises(MemberRefused):
        taken("I'm sorry, but I can't help with that request.")
    with pytest.raises(MemberRefused):
        taken(WHOLE, FinishReason.REFUSAL)
    with pytest.raises(MemberContentFiltered):
        taken(WHOLE, FinishReason.CONTENT_FILTER)
    with pytest.raises(MemberReplyUnusable, match="characters"):
        taken('{"answers": [' + " " * MAX_REPLY_CHARS + "]}")


@given(st.lists(st.dictionaries(st.text(max_size=8), st.text(max_size=8) | st.integers(), max_size=3), min_size=1))
def test_any_list_of_objects_comes_back(entries: list[dict[str, object]]) -> None:
    assert taken(json.dumps({"answers": entries})) == entries


@given(st.text(max_size=80))
def test_no_reply_raises_anything_but_a_member_error(text: str) -> None:
    try:
        taken(text)
    except (MemberReplyUnusable, MemberRefused):
        return


def test_the_form_requires_every_field_and_no_other() -> None:
    form = json.loads(json.dumps(list_format("n", "answers", {"id": {"type": "string"}})))
    entry = form["json_schema"]["schema"]["properties"]["answers"]["items"]
    assert entry["required"] == ["id"]
    assert entry["additionalProperties"] is False
    assert form["json_schema"]["strict"] is True
