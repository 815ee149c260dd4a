"""What helpers may replace of a history, and how they go on with what the service has already."""

import json
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devtools.clock import FixedClock
from dissolution_client import Client, ClientError, ProblemError
from dissolution_client.errors import ConnectionLost, NotCommitted, passes
from dissolution_client.history import cut_of, head_of, hold, open_calls, turns_of
from language.intake.options import ReadingOptions
from language.intake.read import read_bytes
from tests.factories import INSTANT


def said(role: str, content: Any = "Words.", **more: Any) -> dict[str, Any]:  # noqa: ANN401 - text or blocks
    return {"role": role, "content": content, **more}


CALL = said(
    "assistant", None, tool_calls=[{"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]
)
OUTPUT = said("tool", "42", tool_call_id="c1")
USES = said(
    "assistant", [{"type": "text", "text": "Look."}, {"type": "tool_use", "id": "u1", "name": "f", "input": {}}]
)
RESULT = said("user", [{"type": "tool_result", "tool_use_id": "u1", "content": "42"}])


def test_what_is_asked_now_is_left() -> None:
    talk = [said("user"), said("assistant"), said("user"), said("assistant")]
    assert cut_of(talk, 1000) == 2
    assert cut_of(talk[:3], 1000) == 2
    assert cut_of([said("user")], 1000) == 0
    assert cut_of([], 1000) == 0


def test_a_long_run_of_tools_may_be_dissolved_whole_but_never_parts_a_call_from_its_output() -> None:
    long = {**OUTPUT, "content": "4" * 4000}
    assert cut_of([said("user"), said("assistant"), said("user"), CALL, long], 1000) == 5
    assert cut_of([said("user"), CALL, long, {**CALL, "tool_calls": [{"id": "c2"}]}], 1000) == 0
    assert cut_of([said("user"), USES, RESULT], 1000) == 0  # a result is no question of the user's
    assert open_calls([USES]) == {"u1"}
    assert open_calls([USES, RESULT, CALL, OUTPUT]) == set()


def test_system_messages_at_the_beginning_are_told_apart() -> None:
    assert head_of([said("system"), said("developer"), said("user"), said("system")]) == 2
    assert head_of([said("system")]) == 1
    assert head_of([]) == 0


TEXT: Any = {"type": "text", "text": "Some words."}
THOUGHT: Any = {"type": "thinking", "thinking": "Hm.", "signature": "s"}
OUTCOME: Any = {"type": "tool_result", "tool_use_id": "u1", "content": "42"}
USE: Any = {"type": "tool_use", "id": "u1", "name": "f", "input": {}}


def messages_of(role: str, *blocks: Any) -> st.SearchStrategy[dict[str, Any]]:  # noqa: ANN401 - blocks of any kind
    return st.lists(st.sampled_from(blocks), min_size=1, max_size=5).map(lambda parts: said(role, parts))


ASSISTANT, USER = messages_of("assistant", TEXT, THOUGHT, USE), messages_of("user", TEXT, OUTCOME)


@settings(deadline=None, max_examples=60)  # a first call loads the recognisers of languages and secrets
@given(st.lists(st.one_of(ASSISTANT, USER, st.just(said("user"))), min_size=1, max_size=6))
def test_turns_are_counted_as_the_service_counts_them(messages: list[dict[str, Any]]) -> None:
    whole = [said("user", "Begin."), *messages]
    options = ReadingOptions(max_bytes=1_000_000, max_turn_chars=100_000, conversation="c")
    text = json.dumps({"messages": whole}).encode()
    reading = read_bytes(text, "talk", options, key=b"k" * 32, clock=FixedClock(INSTANT))
    assert sum(map(turns_of, whole)) == len(reading.conversation.turns)


class Stored:
    """A service that holds one conversation."""

    def __init__(self, turns: int | None) -> None:
        self.turns = turns
        self.sent: list[dict[str, Any]] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if request.method == "GET":
            if self.turns is None:
                return httpx.Response(404, json={"code": "not_found", "detail": "nothing"})
            return httpx.Response(200, json={"name": "c", "turns": self.turns})
        body = json.loads(request.content)
        assert body.get("expected_turns") == self.turns
        self.sent = body["messages"]
        now = (self.turns or 0) + sum(map(turns_of, self.sent))
        told = {"name": "c", "turns": now}
        return httpx.Response(
            201, json={"conversation": "c", "added": 1, "turns": now} if self.turns else {"conversation": told}
        )


@pytest.mark.parametrize(
    ("stored", "after", "sent", "turns"),
    [(None, 0, 4, 5), (2, 0, 2, 5), (5, 0, 0, 5), (9, 4, 0, 9), (6, 4, 2, 9)],
)
def test_only_what_the_service_has_not_got_is_sent(stored: int | None, after: int, sent: int, turns: int) -> None:
    messages = [
        said("user"),
        said("assistant"),
        said("user", [*RESULT["content"], {"type": "text", "text": "So?"}]),
        CALL,
    ]
    service = Stored(stored)
    with Client("http://service", transport=httpx.MockTransport(service)) as client:
        assert hold(client, "c", messages, after) == turns
    assert service.sent == messages[len(messages) - sent :]


@pytest.mark.parametrize(("stored", "after"), [(3, 0), (9, 0), (2, 4)])
def test_another_conversation_under_the_name_is_refused(stored: int, after: int) -> None:
    messages = [said("user"), said("assistant"), said("user", [*RESULT["content"], {"type": "text", "text": "So?"}])]
    service = Stored(stored)
    with (
        Client("http://service", transport=httpx.MockTransport(service)) as client,
        pytest.raises(ClientError, match=f"'c' has {stored} turns"),
    ):
        hold(client, "c", messages, after)


def test_what_passes_by_itself_is_told_from_what_somebody_has_to_put_right() -> None:
    assert all(passes(error) for error in (ConnectionLost("x"), NotCommitted("x"), ProblemError(503, "x", "x")))
    assert not any(
        passes(error) for error in (ClientError("x"), ProblemError(401, "x", "x"), ProblemError(422, "x", "x"))
    )
