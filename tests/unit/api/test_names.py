"""Any name that is accepted round-trips through every route, header and link that has it."""

import tempfile
from pathlib import Path
from urllib.parse import quote, unquote

import pytest
from fastapi.testclient import TestClient
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.types import Receive, Scope, Send

from api.schemas import NAME
from tests.unit.api.serving import TURNS, Served, dissolved, served

ODD = (
    "会议",
    "🙂 launch",
    "cafe\u0301",
    "a?b#c",
    "100%",
    "%2F",
    "a b",
    'say "hi"',
    "\u200b\u202e",
    "..a",
    "a\\b",
    "ü" * 120,
)

MORE = {"turns": [{"role": "user", "content": "And one thing more."}]}


def client_of(api: Served) -> TestClient:
    """A client whose paths are decoded once, as servers do it; that of the library decodes `%252F` twice."""

    async def once(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope = {**scope, "path": unquote(scope["raw_path"].decode("ascii"))}
        await api.app(scope, receive, send)

    return TestClient(once, base_url="http://localhost", client=("127.0.0.1", 50_000), raise_server_exceptions=False)


@pytest.fixture
def client(api: Served) -> TestClient:
    return client_of(api)


def at(name: str, *more: str) -> str:
    return "/".join(["/v1/conversations", quote(name, safe=""), *more])


@pytest.mark.parametrize("name", ODD)
def test_a_conversation_of_an_odd_name_is_found_where_its_answers_say(client: TestClient, name: str) -> None:
    made = client.post("/v1/conversations", json={"name": name, "turns": TURNS})
    assert made.status_code == 201, made.text
    assert made.headers["location"] == at(name)
    assert client.get(made.headers["location"]).json() == made.json()["conversation"]
    assert client.get(made.headers["location"]).headers["etag"] == made.headers["etag"]
    grown = client.post(at(name, "turns"), json=MORE)
    assert grown.status_code == 201, grown.text
    assert grown.json()["conversation"] == name
    added = client.get(grown.headers["location"]).json()["items"]
    assert [turn["number"] for turn in added] == [len(TURNS) + 1]


def test_links_of_a_dissolution_lead_to_a_conversation_of_an_odd_name(api: Served, client: TestClient) -> None:
    for name in ODD:
        assert client.post("/v1/conversations", json={"name": name, "turns": TURNS}).status_code == 201
        job = dissolved(api, client, name)
        told = client.get(f"/v1/dissolutions/{job}").json()
        assert told["conversation"] == name
        assert client.get(told["links"]["conversation"]).json()["name"] == name


def test_links_of_a_stability_run_lead_to_a_conversation_of_an_odd_name(client: TestClient) -> None:
    assert client.post("/v1/conversations", json={"name": "a?b#会议", "turns": TURNS}).status_code == 201
    run = client.post("/v1/stability-runs", json={"conversation": "a?b#会议", "at": [2, 4]})
    assert run.status_code == 202, run.text
    assert client.get(run.json()["links"]["conversation"]).json()["name"] == "a?b#会议"


@settings(max_examples=60, deadline=None)
@given(name=st.from_regex(NAME, fullmatch=True).filter(lambda name: len(name) <= 120))
@pytest.mark.slow  # many examples, each over HTTP
def test_any_accepted_name_round_trips_and_a_repeat_gives_the_same_answer(name: str) -> None:
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as api:
        client = client_of(api)
        body, once = {"name": name, "turns": TURNS}, {"idempotency-key": "one"}
        made, again = (client.post("/v1/conversations", json=body, headers=once) for _ in range(2))
        assert (made.status_code, made.headers["location"]) == (201, at(name))
        assert (again.status_code, again.content, again.headers["location"]) == (201, made.content, at(name))
        assert again.headers["etag"] == made.headers["etag"]
        once = {"idempotency-key": "two"}
        grown, again = (client.post(at(name, "turns"), json=MORE, headers=once) for _ in range(2))
        assert (grown.status_code, grown.json()["turns"]) == (201, len(TURNS) + 1)
        assert (again.status_code, again.content) == (201, grown.content)
        assert again.headers["location"] == grown.headers["location"]
        assert [one["name"] for one in client.get("/v1/conversations").json()["items"]] == [name]
        watched = client.put(at(name, "triggers"), json={})
        assert (watched.status_code, watched.json()["conversation"]) == (200, name)
        for route in ("", "turns", "redactions", "triggers", "triggers/log", "context?budget_tokens=5000", "recall"):
            reply = client.get(at(name, route) if route else at(name))
            assert reply.status_code == 200, (route, reply.text)
        missing = client.get(at(name, "boundary"))
        assert (missing.status_code, missing.json()["code"]) == (404, "no_boundary")
        assert client.delete(at(name), params={"reason": name}).json()["conversation"] == name
        assert client.get(at(name)).status_code == 404


def test_two_names_that_differ_behind_a_question_mark_are_two_requests(client: TestClient) -> None:
    for name in ("a?b", "a#b"):
        client.post("/v1/conversations", json={"name": name, "turns": TURNS})
    once = {"idempotency-key": "one"}
    assert client.post(at("a?b", "turns"), json=MORE, headers=once).status_code == 201
    other = client.post(at("a#b", "turns"), json=MORE, headers=once)
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")


def test_a_repeat_of_a_webhook_has_the_location_of_the_first(client: TestClient) -> None:
    once = {"idempotency-key": "one"}
    body = {"url": "https://hooks.example.com/a"}
    first, again = (client.post("/v1/webhooks", json=body, headers=once) for _ in range(2))
    assert (again.status_code, again.content) == (first.status_code, first.content)
    assert again.headers["location"] == first.headers["location"]
