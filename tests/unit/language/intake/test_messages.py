"""OpenAI-style, Anthropic-style and one message a line; content parts and blocks."""

import json
from typing import Any

import pytest

from dissolution.errors import InvalidConversation
from language.intake.options import Form
from tests.unit.language.intake.support import noted, read, said, turn

CALL = {"id": "c1", "type": "function", "function": {"name": "search", "arguments": '{"q": "x"}'}}


def quoted(reading_turn: Any) -> list[tuple[str, str]]:  # noqa: ANN401 - a Turn
    return [(span.kind.value, reading_turn.content[span.start : span.end]) for span in reading_turn.quoted]


def test_calls_and_their_results_are_quoted_and_named() -> None:
    data = [
        turn("look", name="Mara"),
        turn("I search.", "assistant", tool_calls=[CALL]),
        turn([{"type": "text", "text": "found"}], "tool", tool_call_id="c1"),
        turn("", "tool", tool_call_id="zz"),
        turn(None, "assistant", function_call={"name": "old", "arguments": "{}"}),
        turn("done", "function", name="old"),
        turn(None, "assistant", refusal="I cannot."),
    ]
    reading = read(data)

    assert reading.form is Form.OPENAI
    assert said(reading) == [
        ("user", "Mara", "look"),
        ("assistant", "assistant", 'I search.\n\n[tool call] search({"q": "x"})'),
        ("tool", "search", "found"),
        ("tool", "tool", "[no output]"),
        ("assistant", "assistant", "[tool call] old({})"),
        ("tool", "old", "done"),
        ("assistant", "assistant", "I cannot."),
    ]
    assert quoted(reading.conversation.turns[1]) == [("tool_call", '[tool call] search({"q": "x"})')]
    assert quoted(reading.conversation.turns[2]) == [("tool_output", "found")]


def test_parts_that_are_no_text_become_notes() -> None:
    parts = [
        "plain",
        {"type": "input_text", "text": "typed"},
        {"type": "image_url", "image_url": {"url": "data:…"}},
        {"type": "file", "file": {"filename": "plan.pdf"}},
        {"type": "input_audio"},
        {"type": "hologram"},
        {"type": "odd type!"},
        {"type": "refusal", "refusal": "no"},
        {"type": "text", "text": ""},
    ]
    reading = read([turn(parts)])

    assert reading.conversation.turns[0].content.split("\n\n") == [
        "plain", "typed", "[image]", "[file: plan.pdf]", "[audio]", "[hologram]", "[unknown part]", "no",
    ]  # fmt: skip
    assert [text for _, text in quoted(reading.conversation.turns[0])] == [
        "[image]", "[file: plan.pdf]", "[audio]", "[hologram]", "[unknown part]",
    ]  # fmt: skip
    assert noted(reading) == (
        "1 content parts of unknown type 'hologram' are kept as a note only",
        "1 content parts of unknown type 'odd type!' are kept as a note only",
    )


def test_blocks_of_the_other_kind() -> None:
    data = {
        "system": [{"type": "text", "text": "Be brief."}],
        "title": " T ",
        "messages": [
            turn([{"type": "thinking", "thinking": "hm"}], "assistant"),
            turn(
                [
                    {"type": "redacted_thinking", "data": "x"},
                    {"type": "text", "text": "I look."},
                    {"type": "tool_use", "id": "t1", "name": "ls", "input": {"p": "/"}},
                    {"type": "web_search_tool_result", "content": [{"type": "text", "text": "web"}]},
                    {"type": "code_execution_tool_result", "content": {"stdout": "1"}},
                    {"type": "bash_tool_result", "content": None},
                ],
                "assistant",
            ),
            turn(
                [
                    {"type": "text", "text": "before"},
                    {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "a b"}]},
                    {"type": "tool_result", "content": "plain"},
                    {"type": "tool_result", "tool_use_id": 3},
                    {"type": "document", "title": "Plan", "source": {"type": "text", "data": "do it"}},
                    {"type": "document", "source": {"type": "base64"}},
                    {"type": "document", "source": {"type": "content", "content": [{"type": "text", "text": "in"}]}},
                    {"type": "search_result", "title": "S", "content": [{"type": "text", "text": "hit"}]},
                    {"type": "image", "source": {}},
                ]
            ),
        ],
    }
    reading = read(data)

    assert reading.form is Form.ANTHROPIC
    assert reading.conversation.title == "T"
    assert said(reading) == [
        ("system", "system", "Be brief."),
        (
            "assistant",
            "assistant",
            'I look.\n\n[tool call] ls({"p": "/"})\n\nweb\n\n{"stdout": "1"}\n\n[no output]',
        ),
        ("user", "user", "before"),
        ("tool", "ls", "a b"),
        ("tool", "tool", "plain"),
        ("tool", "tool", "[no output]"),
        (
            "user",
            "user",
            "[document: Plan]\ndo it\n\n[document]\n\n[document]\nin\n\n[search result: S]\nhit\n\n[image]",
        ),
    ]
    assert [kind for kind, _ in quoted(reading.conversation.turns[1])] == ["tool_call"] + ["tool_output"] * 3
    assert {kind for kind, _ in quoted(reading.conversation.turns[6])} == {"document"}
    assert noted(reading) == ("2 thinking blocks were left out: they are no part of what was said",)


def test_one_message_a_line_of_either_kind() -> None:
    rows = [
        turn("Be brief.", "system"),
        turn("hi"),
        turn([{"type": "tool_use", "id": "t", "name": "ls", "input": {}}], "assistant"),
        turn([{"type": "tool_result", "tool_use_id": "t", "content": "x"}]),
    ]
    reading = read("\n\n".join(json.dumps(row) for row in rows) + "\n")

    assert reading.form is Form.MESSAGE_JSONL
    assert [role for role, *_ in said(reading)] == ["system", "user", "assistant", "tool"]
    assert read(json.dumps(turn("hi"))).form is Form.MESSAGE_JSONL


@pytest.mark.parametrize(
    ("data", "form"),
    [
        ([turn("a"), turn("b", "assistant")], Form.OPENAI),
        ({"messages": [turn("a")]}, Form.OPENAI),
        ({"messages": [turn("a")], "system": "s"}, Form.ANTHROPIC),
        ({"messages": [turn("a"), turn("b", "tool")], "system": "s"}, Form.OPENAI),
        ([turn([{"type": "tool_use", "name": "f", "input": {}}], "assistant")], Form.ANTHROPIC),
        ([turn([{"type": "image_url"}])], Form.OPENAI),
    ],
)
def test_the_two_kinds_are_told_apart_by_content(data: Any, form: Form) -> None:  # noqa: ANN401 - any JSON
    assert read(data, "misleading.txt").form is form


def test_an_empty_system_text_is_no_turn() -> None:
    assert len(read({"messages": [turn("a")], "system": ""}).conversation.turns) == 1


FAULTS: list[tuple[Any, Form | None, str]] = [
    (
        [turn("a"), turn("b", "narrator")],
        None,
        "message 2 has the unknown role 'narrator': use one of user, assistant",
    ),
    ([turn("a"), {"content": "b"}], None, "message 2 has no role"),
    ([turn("a", 5)], None, "message 1 has the unknown role 5"),
    (
        [turn("a", "system")],
        Form.ANTHROPIC,
        "message 1 has the unknown role 'system': use one of user, assistant, or",
    ),
    ([turn("a"), 5], None, "message 2 is 5: write"),
    ([turn(5)], None, "message 1: content is 5: give a string or a list of parts"),
    ([turn([5])], None, "message 1: a content part is 5 without a type"),
    ([turn([{"text": "x"}])], None, "message 1: a content part is an object without a type"),
    ([turn([{"type": "text", "text": 5}])], None, "message 1: a part of type text holds 5 in place of text"),
    ([turn([{"type": "document", "source": {"type": "text"}}])], None, "message 1: a document holds None"),
    ([turn("a", tool_calls=5)], None, "message 1: tool_calls is 5: give a list of calls"),
    ([turn("a", tool_calls=[5])], None, "message 1: a tool call is 5"),
    ([turn(None)], None, "message 1 is empty"),
    ([turn(None, "assistant", tool_calls=[])], None, "message 1 is empty"),
    ({"messages": [turn("a")], "system": 5}, None, "the system text: content is 5"),
    ({"messages": [turn("a")], "system": " "}, None, "the system text is empty"),
    ('{"role": "user", "content": "a"}\n\n{"role": "x"}', None, "line 3 has the unknown role 'x'"),
    ('{"role": "user", "content": "a"}\n{"role": ', None, "at line 2, column 10"),
    ("\n", Form.MESSAGE_JSONL, "is empty"),
]


def refusal_of(data: Any, form: Form | None) -> str:  # noqa: ANN401 - any JSON
    """What is said of what is refused."""
    try:
        read(data, form=form)
    except InvalidConversation as refused:
        return str(refused)
    return "it was read"


def test_each_fault_names_its_message() -> None:
    told = [(refusal_of(data, form), message) for data, form, message in FAULTS]
    assert [(said, message) for said, message in told if message not in said] == []
