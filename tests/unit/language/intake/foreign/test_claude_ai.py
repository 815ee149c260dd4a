"""The export of claude.ai."""

import json
from typing import Any

import pytest

from dissolution.conversation import QuotedKind
from dissolution.errors import InvalidConversation
from language.intake.options import Form
from tests.unit.language.intake.foreign.support import fixture
from tests.unit.language.intake.support import noted, read, said

CACHE = "0b7c4c1e-2f10-4c53-9a51-6f3f6a3f0a01"
COLOUR = "0b7c4c1e-2f10-4c53-9a51-6f3f6a3f0a02"


ASKED = "Do we need Redis for the session store?\n\n[file: load.csv]\nhour,sessions\n9,120\n10,140\n\n[file: plan.png]"


def test_one_conversation_of_an_export_is_picked_by_its_id() -> None:
    reading = read(fixture("claude_ai.json"), conversation=CACHE)

    assert (reading.form, reading.reason) == (Form.CLAUDE_AI, "conversations with chat_messages")
    assert (reading.conversation.id, reading.conversation.title) == (CACHE, "Which cache")
    assert said(reading) == [
        (
            "user",
            "user",
            ASKED,
        ),
        ("assistant", "assistant", '[tool call] count({"table": "sessions"})'),
        ("tool", "count", "140 rows"),
        ("assistant", "assistant", "No: 140 sessions fit into the database."),
        ("user", "user", "Then we keep the database."),
    ]
    first = reading.conversation.turns[0]
    assert first.said_at is not None
    assert first.said_at.isoformat() == "2026-02-01T09:00:00+00:00"
    assert {span.kind for span in first.quoted} == {QuotedKind.DOCUMENT}
    assert noted(reading) == (
        "read as claude_ai: conversations with chat_messages",
        "1 thinking blocks were left out: they are no part of what was said",
    )


def test_text_is_read_where_there_is_no_content() -> None:
    reading = read(fixture("claude_ai.json"), conversation=COLOUR)
    assert [content for _, _, content in said(reading)] == ["Name a colour.", "Teal."]
    assert reading.conversation.title is None


def test_several_conversations_are_listed_when_none_is_picked() -> None:
    with pytest.raises(InvalidConversation, match=f"holds 3 conversations \\('{CACHE}', '{COLOUR}'"):
        read(fixture("claude_ai.json"))
    with pytest.raises(InvalidConversation, match=r"'none'.* 3"):
        read(fixture("claude_ai.json"), conversation="none")


def branched(**more: Any) -> dict[str, Any]:  # noqa: ANN401 - any further key
    def one(uuid: str, parent: str | None, sender: str, text: str) -> dict[str, Any]:
        return {"uuid": uuid, "parent_message_uuid": parent, "sender": sender, "text": text}

    messages = [
        one("a", None, "human", "Name a bird."),
        one("b", "a", "assistant", "Wren."),
        one("c", "a", "assistant", "Robin."),
        one("d", "c", "human", "Good."),
    ]
    return {"uuid": "birds", "chat_messages": messages, **more}


def test_the_shown_branch_is_read_where_the_file_says_it() -> None:
    reading = read(branched(current_leaf_message_uuid="d"))
    assert [content for _, _, content in said(reading)] == ["Name a bird.", "Robin.", "Good."]
    assert "1 messages of other branches were left out" in reading.warnings
    assert len(read(branched()).conversation.turns) == 4
    assert len(read(branched(current_leaf_message_uuid="gone")).conversation.turns) == 4


def test_a_circle_of_parents_ends() -> None:
    talk = branched(current_leaf_message_uuid="d")
    talk["chat_messages"][0]["parent_message_uuid"] = "d"
    assert len(read(talk).conversation.turns) == 3


@pytest.mark.parametrize(
    ("messages", "refusal"),
    [
        ("none", "conversation 1 has no list 'chat_messages'"),
        ([], "conversation 'x' has no turns"),
        ([3], "message 1 is 3: each is"),
        ([{"sender": "robot", "text": "hi"}], "message 1 has the sender 'robot': human and assistant are read"),
        ([{"sender": ["human"], "text": "hi"}], "message 1 has the sender a list"),
        ([{"sender": "human", "content": [{"text": "hi"}]}], "message 1: a content part is an object without a type"),
        ([{"sender": "human", "content": {"a": 1}}], "message 1: content is an object"),
    ],
)
def test_what_is_broken_is_named(messages: object, refusal: str) -> None:
    with pytest.raises(InvalidConversation) as refused:
        read(json.dumps([{"uuid": "x", "chat_messages": messages}]))
    assert refusal in str(refused.value)


def test_times_that_are_none_are_left_out_and_told() -> None:
    reading = read([{"uuid": "x", "chat_messages": [{"sender": "human", "text": "hi", "created_at": "yesterday"}]}])
    assert reading.conversation.turns[0].said_at is None
    assert "1 timestamps are no times and were left out" in reading.warnings
