"""Webhooks over HTTP: named by admins, with a secret that is shown and not stored; delivered elsewhere."""

from dataclasses import replace

import pytest
from fastapi.testclient import TestClient

from dissolution.errors import InputError
from dissolution.job import JobStatus
from tests.unit.api.serving import Served, problem, stored
from workers.tenants.webhooks import given_up

HOOK = {"url": "https://example.com/hook", "description": "ours", "notices": ["dissolution.committed"]}


def test_an_endpoint_is_named_read_rotated_and_forgotten(client: TestClient) -> None:
    made = client.post("/v1/webhooks", json=HOOK, headers={"idempotency-key": "hook"})

    assert made.status_code == 201
    told = made.json()
    assert told["secret"].startswith("whsec_")
    again = client.post("/v1/webhooks", json=HOOK, headers={"idempotency-key": "hook"}).json()
    assert again == told
    place = made.headers["location"]
    assert client.get(place).json() == {**told, "secret": None}
    assert client.get("/v1/webhooks").json()["items"] == [{**told, "secret": None}]
    assert client.post(f"{place}/rotate").json()["secret"] not in {told["secret"], None}
    assert client.delete(place).status_code == 204
    problem(client.get(place), 404, "not_found")
    problem(client.delete(place), 404, "not_found")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"url": "http://example.com"}, "invalid_input"),
        ({"url": "https://example.com:22"}, "invalid_input"),
        ({"url": "https://user:secret@example.com"}, "invalid_input"),
        ({"url": ""}, "invalid_request"),
        ({"url": "https://example.com", "notices": ["odd"]}, "invalid_request"),
    ],
)
def test_odd_endpoints_are_refused(client: TestClient, body: object, code: str) -> None:
    problem(client.post("/v1/webhooks", json=body), 422, code)


def test_an_address_that_cannot_be_reached_is_refused_and_a_repeat_asks_nobody(api: Served) -> None:
    asked: list[str] = []

    def down(url: str, _private: bool) -> None:  # noqa: FBT001 - in the place of a function
        asked.append(url)
        if len(asked) > 1:
            raise InputError(f"webhook URL {url!r}", "it cannot be reached (connection refused)")

    api.app.state.api = replace(api.app.state.api, reach=down)
    client = api.client()
    first = client.post("/v1/webhooks", json=HOOK, headers={"idempotency-key": "hook"})
    again = client.post("/v1/webhooks", json=HOOK, headers={"idempotency-key": "hook"})
    assert (first.status_code, again.json()) == (201, first.json())
    assert asked == [HOOK["url"]]
    told = problem(client.post("/v1/webhooks", json=HOOK), 422, "invalid_input")
    assert "connection refused" in told["detail"]
    assert len(client.get("/v1/webhooks").json()["items"]) == 1


def test_a_local_receiver_is_refused_with_the_setting_that_lets_it_be_one(client: TestClient) -> None:
    for url in ("http://127.0.0.1:9000/hook", "https://localhost/hook", "https://example.com:9000/hook"):
        told = problem(client.post("/v1/webhooks", json={"url": url}), 422, "invalid_input")
        assert "DISSOLVE_WEBHOOK_PRIVATE_ADDRESSES=true" in told["detail"]


def test_nobody_names_endpoints_without_end(client: TestClient) -> None:
    for number in range(20):
        assert client.post("/v1/webhooks", json={"url": f"https://example.com/{number}"}).status_code == 201
    problem(client.post("/v1/webhooks", json={"url": "https://example.com/21"}), 422, "invalid_input")


def test_deliveries_are_shown_and_sent_again(api: Served, client: TestClient) -> None:
    hook = client.post("/v1/webhooks", json={"url": "https://example.com/hook"}).json()["id"]
    other = client.post("/v1/webhooks", json={"url": "https://example.com/other"}).json()["id"]
    stored(client)
    job = client.post("/v1/dissolutions", json={"conversation": "talk"}).json()["id"]
    client.post(f"/v1/dissolutions/{job}/cancel")

    (told,) = client.get(f"/v1/webhooks/{hook}/deliveries").json()["items"]
    assert (told["notice"], told["state"], told["dissolution"]) == (
        f"dissolution.{JobStatus.CANCELLED}",
        "waiting",
        job,
    )
    with api.services.unit_of_work() as work:
        taken = work.service.webhooks.take(api.clock.now(), 9, 60)
        for delivery, _ in taken:
            work.service.webhooks.settle(given_up(delivery, api.clock.now(), "it answered 500", 500))
        work.commit()
    (told,) = client.get(f"/v1/webhooks/{hook}/deliveries").json()["items"]
    assert (told["state"], told["status"], told["problem"]) == ("given_up", 500, "it answered 500")
    place = f"/v1/webhooks/{hook}/deliveries/{told['id']}/redeliver"
    again = client.post(place)
    assert (again.status_code, again.json()["state"], again.json()["attempts"]) == (202, "waiting", 0)
    problem(client.post(place.replace(hook, other)), 422, "invalid_input")
    problem(client.post(f"/v1/webhooks/{hook}/deliveries/none/redeliver"), 404, "not_found")


def test_a_disabled_endpoint_is_enabled_again(api: Served, client: TestClient) -> None:
    hook = client.post("/v1/webhooks", json={"url": "https://example.com/hook"}).json()["id"]
    with api.services.unit_of_work() as work:
        endpoint = work.service.webhooks.get("default", hook)
        work.service.webhooks.add(
            endpoint.model_copy(update={"disabled_at": api.clock.now(), "disabled_why": "it answered 410 Gone"})
        )
        work.commit()
    assert client.get(f"/v1/webhooks/{hook}").json()["disabled_why"] == "it answered 410 Gone"
    assert client.post(f"/v1/webhooks/{hook}/enable").json()["disabled_at"] is None
