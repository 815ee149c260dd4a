"""What the client makes of replies, of lost ones and of refusals, without a network."""

import asyncio
import json
from collections.abc import Callable

import httpx
import pytest

from dissolution_client import AsyncClient, Client, ConnectionLost, ProblemError, Recalled, UnusableOption
from dissolution_client import requests as built
from dissolution_client.agents_session import message_of, open_calls

PROBLEM = {
    "type": "urn:dissolution:problem:invalid_request",
    "code": "invalid_request",
    "detail": "two fields cannot be used",
    "errors": [{"field": "body.name", "message": "too long"}],
}
CONVERSATION = {"name": "talk", "title": None, "turns": 2, "boundary_version": 0, "told_by": "a newer service"}


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    def at_once(_attempt: int, _response: httpx.Response | None) -> float:
        return 0.0

    monkeypatch.setattr(built, "pause_s", at_once)


def a_client(answer: Callable[[httpx.Request], httpx.Response], attempts: int = 3) -> Client:
    return Client("http://service", api_key="dsk_x", attempts=attempts, transport=httpx.MockTransport(answer))


def test_a_repeat_carries_the_same_key_so_that_nothing_is_done_twice() -> None:
    keys: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        keys.append(request.headers["idempotency-key"])
        if len(keys) < 3:
            return httpx.Response(503, headers={"retry-after": "0"})
        return httpx.Response(201, json={"conversation": CONVERSATION, "warnings": []})

    with a_client(answer) as client:
        assert client.create_conversation([{"role": "user", "content": "Hi."}], "talk").turns == 2
        first = set(keys)
        client.create_conversation([{"role": "user", "content": "Hi."}], "talk")
    assert len(keys) == 4
    assert len(first) == 1
    assert len(set(keys)) == 2  # another call, another key


def test_a_file_of_another_program_is_sent_as_it_is() -> None:
    bodies: list[object] = []

    def answer(request: httpx.Request) -> httpx.Response:
        bodies.append(json.loads(request.content))
        return httpx.Response(201, json={"conversation": CONVERSATION, "warnings": []})

    with a_client(answer) as client:
        assert client.import_conversation("[1]\n", "talk", pick="c").turns == 2
        client.import_conversation("x")
    assert bodies == [{"text": "[1]\n", "name": "talk", "pick": "c"}, {"text": "x"}]


RECALLED = {
    "conversation": "talk",
    "matched_by": "words",
    "notes": ["words alone were compared"],
    "results": [
        {"rank": 1, "kind": "turn", "id": "3", "state": "said", "text": "8 shards", "role": "user", "speaker": "Ann",
         "words": [{"turn": 3, "start": 4, "end": 12, "text": "8 shards"}],
         "became": [{"claim": "c1", "state": "superseded", "by": "c2"}]},
        {"rank": 2, "kind": "claim", "id": "c2", "state": "open", "section": "DECIDED", "text": "20 shards.",
         "words": [{"turn": 9, "start": 0, "end": 2, "text": "20"}]},
        {"rank": 3, "kind": "dissent", "id": "d1", "state": "too_few", "section": "KNOWN", "text": "9 shards."},
    ],
    "claims": [{"id": "c2", "section": "DECIDED", "text": "20 shards.", "evidence": [{"turn": 9, "text": "20"}]}],
}  # fmt: skip


@pytest.mark.parametrize("awaited", [False, True])
def test_recall_asks_for_kinds_and_gives_claims_dissent_and_turns(*, awaited: bool) -> None:
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.query.decode())
        return httpx.Response(200, json=RECALLED)

    async def use() -> tuple[Recalled, Recalled]:
        async with AsyncClient("http://service", transport=httpx.MockTransport(answer)) as client:
            first = await client.recall("talk", "shards", kinds={"turn", "claim"}, state="all", turn=9, limit=3)
            return first, await client.recall("talk")

    if awaited:
        found, _ = asyncio.run(use())
    else:
        with a_client(answer) as client:
            found = client.recall("talk", "shards", kinds={"turn", "claim"}, state="all", turn=9, limit=3)
            client.recall("talk")
    assert asked == [
        "q=shards&kind=claim&kind=turn&state=all&match=auto&turn=9&limit=3",
        "state=open&match=auto&limit=20",
    ]
    assert [one.rank for one in (*found.turns, *found.dissent)] == [1, 3]
    assert (found.turns[0].turns, found.turns[0].became[0].by) == ((3,), "c2")
    assert (found.claims[0].id, found.claims[0].evidence[0].turn) == ("c2", 9)
    assert found.results[1].words[0].text == "20"


def test_a_connection_that_breaks_is_tried_again_and_then_given_up() -> None:
    tried: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        tried.append(request.url.path)
        message = "cut"
        raise httpx.ConnectError(message, request=request)

    with a_client(answer) as client, pytest.raises(ConnectionLost, match="3 attempts"):
        client.conversation("talk")
    assert len(tried) == 3


def test_a_refusal_is_told_with_its_code_and_fields_and_not_tried_again() -> None:
    tried: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        tried.append(request.headers["authorization"])
        return httpx.Response(422, json=PROBLEM)

    with a_client(answer) as client, pytest.raises(ProblemError, match=r"body\.name: too long") as raised:
        client.conversation("talk")
    assert (raised.value.status, raised.value.code) == (422, "invalid_request")
    assert raised.value.fields == (("body.name", "too long"),)
    assert tried == ["Bearer dsk_x"]


@pytest.mark.parametrize("body", [b"<html>502</html>", b"[]", b'{"code": 1}', b""])
def test_a_proxys_page_is_an_error_with_its_status(body: bytes) -> None:
    with a_client(lambda _: httpx.Response(404, content=body)) as client, pytest.raises(ProblemError) as raised:
        client.conversation("talk")
    assert (raised.value.status, raised.value.code) == (404, "unknown_reply")


@pytest.mark.parametrize("body", [b"{}", b"not json", b'{"name": 1}'])
def test_a_reply_of_another_form_is_no_value(body: bytes) -> None:
    client = a_client(lambda _: httpx.Response(200, content=body))
    with client, pytest.raises(ProblemError, match="this client"):
        client.conversation("talk")


def test_names_cannot_leave_their_place_in_an_address() -> None:
    asked = built.conversation("../keys?x=1#y")
    assert asked.path == "/v1/conversations/..%2Fkeys%3Fx%3D1%23y"


def test_items_of_an_agent_become_messages() -> None:
    call = {"type": "function_call", "name": "look", "arguments": '{"x": 1}', "call_id": "c1"}
    output = {"type": "function_call_output", "call_id": "c1", "output": "42"}
    spoken = {"role": "assistant", "type": "message", "content": [{"type": "output_text", "text": "It is 42."}]}
    made = [message_of(item) for item in ({"role": "user", "content": "Look."}, call, output, spoken)]  # type: ignore[arg-type]
    assert made == [
        {"role": "user", "content": "Look."},
        {"role": "assistant", "content": 'look({"x": 1})'},
        {"role": "tool", "content": "42"},
        {"role": "assistant", "content": "It is 42."},
    ]
    assert message_of({"type": "reasoning", "id": "r", "summary": []}) is None
    assert open_calls([call]) == {"c1"}  # type: ignore[list-item]
    assert open_calls([call, output]) == set()  # type: ignore[list-item]


@pytest.mark.parametrize("make", [Client, AsyncClient])
@pytest.mark.parametrize("key", ["", " ", "dsk_x\n", "dsk_ключ", "Bearer dsk_x"])
def test_a_key_that_no_service_made_is_refused_and_not_repeated(make: type[Client | AsyncClient], key: str) -> None:
    with pytest.raises(UnusableOption, match=r"^api_key (is empty|holds blanks)") as refused:
        make("http://service", api_key=key)
    assert "dsk_" not in str(refused.value)


@pytest.mark.parametrize("url", ["", "service", "ftp://service", "http://", "http://[::1"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(UnusableOption, match="write http://HOST:PORT"):
        Client(url)


def test_who_does_not_answer_is_named_with_the_reason() -> None:
    def down(_request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("connection refused")

    told = r"no answer from http://service in 3 attempts \(connection refused\); is the service running there\?"
    with pytest.raises(ConnectionLost, match=told):
        a_client(down).conversation("talk")
