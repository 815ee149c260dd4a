"""Rollouts of Codex: one of the two logs, scaffolding apart, and turns that were taken back."""

import json
from typing import Any

import pytest

from dissolution.errors import InvalidConversation
from language.intake.options import Form
from language.intake.read import Reading
from tests.unit.language.intake.foreign.support import fixture
from tests.unit.language.intake.support import noted, read, said


def of(*rows: object) -> Reading:
    """The reading of a rollout with these rows."""
    return read("\n".join(json.dumps(one) for one in rows), "rollout.jsonl")


def item(**payload: Any) -> dict[str, Any]:  # noqa: ANN401 - any key
    return {"timestamp": "2026-04-03T10:00:00Z", "type": "response_item", "payload": payload}


def message(text: str, role: str = "user") -> dict[str, Any]:
    return item(type="message", role=role, content=[{"type": "input_text", "text": text}])


def test_a_rollout_is_read_from_its_log_of_items_alone() -> None:
    reading = read(fixture("codex.jsonl"))

    assert (reading.form, reading.reason) == (Form.CODEX, "rows with timestamp, type and payload")
    assert reading.conversation.id == "0198c0de-1111-7000-8000-000000000001"
    assert reading.conversation.title == "Empty feed"
    environment = "<environment_context>\n  <cwd>/srv/feed</cwd>\n  <shell>bash</shell>\n</environment_context>"
    rules = "# AGENTS.md instructions for /srv/feed\n\n<INSTRUCTIONS>\nNever change the public API.\n</INSTRUCTIONS>"
    assert said(reading) == [
        ("system", "system", "<permissions instructions>Ask before you write.</permissions instructions>"),
        ("system", "AGENTS.md", rules),
        ("tool", "codex", environment),
        ("user", "user", "Why is the feed empty?"),
        ("assistant", "assistant", '[tool call] exec_command({"cmd":"cat feed.log"})'),
        ("tool", "exec_command", "no rows"),
        ("assistant", "assistant", "[tool call] apply_patch(*** Begin Patch\n*** End Patch)"),
        ("tool", "apply_patch", '{"output":"Success","metadata":{"exit_code":0}}'),
        ("assistant", "assistant", '[tool call] web_search({"type": "search", "query": "atom feed"})'),
        ("assistant", "assistant", "The query has no rows since March 1."),
        ("tool", "summary", "The user asked about an empty feed."),
        ("tool", "codex", "<turn_aborted>\nThe user interrupted.\n</turn_aborted>"),
        ("user", "user", "Keep the log; fix the query."),
    ]
    assert noted(reading) == (
        "read as codex: rows with timestamp, type and payload",
        "1 outputs stand in the file more than once and were read once",
        "2 turns were taken back and left out",
        "1 items of unknown type 'new_kind' were left out",
        "1 thinking blocks were left out: they are no part of what was said",
    )


def test_the_projects_rules_are_not_quoted_and_the_environment_is() -> None:
    rules, environment = read(fixture("codex.jsonl")).conversation.turns[1:3]
    assert rules.quoted == ()
    assert [(span.start, span.end) for span in environment.quoted] == [(0, len(environment.content))]


def test_rollouts_without_envelopes_are_read_too() -> None:
    rows = [one["payload"] for one in (message("hi"), item(type="reasoning", summary=[]), message("yes", "assistant"))]
    reading = of({"id": "old-1", "timestamp": "2025-06-01T00:00:00Z", "instructions": None}, *rows)
    assert (reading.form, reading.conversation.id) == (Form.CODEX, "old-1")
    assert [content for _, _, content in said(reading)] == ["hi", "yes"]


def test_an_output_is_a_text_a_list_or_an_object() -> None:
    call = item(type="function_call", name="f", arguments="{}", call_id="c")
    for output, text in [
        ("plain", "plain"),
        ([{"type": "input_text", "text": "listed"}], "listed"),
        ({"content": "inside", "success": True}, "inside"),
        ("", "[no output]"),
        ({"rows": 3}, 'output({"rows": 3})'),
    ]:
        answer = item(type="function_call_output", call_id="c", output=output)
        assert said(of(message("hi"), call, answer))[-1] == ("tool", "f", text)


@pytest.mark.parametrize(
    ("number", "left"), [(1, ["a", "A"]), (2, []), (99, []), (0, ["a", "A", "b", "B"]), (True, ["a", "A", "b", "B"])]
)
def test_as_many_turns_are_taken_back_as_the_row_says(number: object, left: list[str]) -> None:
    rows = [message("a"), message("A", "assistant"), message("b"), message("B", "assistant")]
    taken = {"timestamp": "x", "type": "event_msg", "payload": {"type": "thread_rolled_back", "num_turns": number}}
    assert [content for _, _, content in said(of(*rows, taken, message("end")))] == [*left, "end"]


@pytest.mark.parametrize(
    ("row", "refusal"),
    [
        (item(type=3), "line 2: an item has the type 3"),
        (item(type="message", role="robot"), "line 2 has the role 'robot': one of user, assistant"),
        (item(type="message", role=["user"]), "line 2 has the role a list"),
        (item(type="message", role="user", content={"a": 1}), "line 2: content is an object"),
        (item(type="function_call_output", call_id="c", output=3), "line 2: content is 3"),
        ({"timestamp": "x", "type": "response_item", "payload": "text"}, "line 2: payload is 'text'"),
    ],
)
def test_what_is_broken_is_named_with_its_line(row: object, refusal: str) -> None:
    with pytest.raises(InvalidConversation) as refused:
        of(message("hi"), row)
    assert refusal in str(refused.value)


def test_a_forced_form_that_does_not_fit_is_refused() -> None:
    with pytest.raises(InvalidConversation, match="Codex"):
        read('{"a": 1}', form=Form.CODEX)
