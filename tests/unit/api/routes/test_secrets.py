"""Secrets over HTTP: replaced again when they come back bare, and in whatever else a request brings along."""

import json

import pytest
from fastapi.testclient import TestClient

from tests.unit.api.serving import TURNS, Served, problem, stored

SECRET = "Xk9" + "&pQ7zLm2R"


def everything(api: Served, client: TestClient) -> str:
    """All that is told of the conversation, and the record of erasures."""
    told = client.get("/v1/conversations").text
    with api.services.unit_of_work() as work:
        told += json.dumps([one.model_dump(mode="json") for one in work.ledger.erasures()])
        for name in work.conversations.ids():
            told += work.conversations.get(name).model_dump_json()
    return told


def test_a_secret_that_was_met_once_does_not_come_back_in_a_later_append(api: Served, client: TestClient) -> None:
    stored(client, title=f"about pw={SECRET}")
    say = {"role": "user", "content": f"The password={SECRET} is set."}
    bare = {"role": "assistant", "content": f"I will use {SECRET} then."}
    assert client.post("/v1/conversations/talk/turns", json={"turns": [say]}).status_code == 201
    reply = client.post("/v1/conversations/talk/turns", json={"turns": [bare]})

    assert reply.status_code == 201
    assert reply.json()["warnings"] == ["1 secrets were replaced by placeholders (password 1)"]
    first, second = (turn["content"] for turn in client.get("/v1/conversations/talk/turns?after=4").json()["items"])
    placeholder = first.removeprefix("The password=").removesuffix(" is set.")
    assert second == f"I will use {placeholder} then."
    assert SECRET not in everything(api, client)


def test_the_title_of_messages_is_read_like_that_of_turns(api: Served, client: TestClient) -> None:
    body = {"name": "m", "title": f"pw={SECRET}", "messages": [{"role": "user", "content": "Hello there."}]}
    assert client.post("/v1/conversations", json=body).status_code == 201
    assert SECRET not in everything(api, client)


def test_an_erasure_is_recorded_without_what_it_erased(api: Served, client: TestClient) -> None:
    stored(client, "talk")
    client.post("/v1/conversations/talk/turns", json={"turns": [{"role": "user", "content": f"pw={SECRET}"}]})

    reply = client.delete("/v1/conversations/talk", params={"reason": f"{SECRET} got out"})

    assert reply.json()["reason"] == "[secret removed] got out"
    assert SECRET not in everything(api, client)


@pytest.mark.parametrize(
    ("place", "body", "code"),
    [
        ("/v1/conversations", {"name": f"pw={SECRET}", "turns": TURNS}, "invalid_input"),
        ("/v1/dissolutions", {"inline": {"name": f"pw={SECRET}", "turns": TURNS}}, "invalid_input"),
        ("/v1/dissolutions", {"inline": {"turns": TURNS}, "policy": {"name": f"pw={SECRET}"}}, "invalid_input"),
        ("/v1/webhooks", {"url": f"https://example.com/hook?token={'q7Zt' + '4Wm9Lx2Rb8Vn5Kc3'}"}, "invalid_input"),
    ],
)
def test_names_and_addresses_with_a_secret_are_refused_without_repeating_it(
    client: TestClient, place: str, body: object, code: str
) -> None:
    told = problem(client.post(place, json=body), 422, code)

    assert "holds a secret" in told["detail"]
    assert SECRET not in json.dumps(told)
    assert "4Wm9Lx" not in json.dumps(told)


def test_a_webhooks_description_loses_its_secret_and_a_repeat_finds_the_same(client: TestClient) -> None:
    body = {"url": "https://example.com/hook", "description": f"{'x' * 180} pw={SECRET}"}

    told = client.post("/v1/webhooks", json=body, headers={"idempotency-key": "one"}).json()

    assert SECRET not in told["description"]
    assert len(told["description"]) <= 200
    assert client.post("/v1/webhooks", json=body, headers={"idempotency-key": "one"}).json() == told
