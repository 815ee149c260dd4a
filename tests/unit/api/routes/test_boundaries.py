"""Boundaries over HTTP: as they stand, as they stood on both axes, what changed, and what people do."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests.stating import STATING
from tests.unit.api.serving import Served, dissolved, problem, served, stored

AT = "/v1/conversations/talk"


@pytest.fixture
def api(tmp_path: Path) -> Iterator[Served]:
    """A fleet that states claims: excerpts have none that people could act on."""
    with served(tmp_path, STATING) as made:
        yield made


@pytest.fixture
def grown(api: Served, client: TestClient) -> TestClient:
    """A conversation with two versions of its boundary."""
    stored(client)
    dissolved(api, client)
    api.clock.advance(3600)
    more = [
        {"role": "user", "content": "We decided to hire Maria as the designer."},
        {"role": "assistant", "content": "Maria is hired as the designer."},
    ]
    client.post(f"{AT}/turns", json={"turns": more})
    dissolved(api, client)
    return client


def texts(reply: dict[str, list[dict[str, str]]]) -> str:
    return " ".join(claim["text"] for claim in reply["claims"])


def test_without_a_boundary_the_history_holds(client: TestClient) -> None:
    stored(client)
    problem(client.get(f"{AT}/boundary"), 404, "no_boundary")
    assert client.get(f"{AT}/boundary/versions").json()["items"] == []
    assert client.get(f"{AT}/boundary/as-of").json()["claims"] == []
    problem(client.get(f"{AT}/boundary/versions/1"), 404, "not_found")


def test_the_boundary_stands_with_its_etag(grown: TestClient) -> None:
    first = grown.get(f"{AT}/boundary")
    assert (first.json()["version"], first.json()["conversation"]) == (2, "talk")
    assert grown.get(f"{AT}/boundary", headers={"if-none-match": first.headers["etag"]}).status_code == 304
    assert "Maria" in texts(first.json())
    assert "Maria" not in texts(grown.get(f"{AT}/boundary/versions/1").json())


def test_both_axes_are_read(grown: TestClient) -> None:
    assert "Maria" not in texts(grown.get(f"{AT}/boundary/as-of?turn=2").json())
    assert "Maria" in texts(grown.get(f"{AT}/boundary/as-of?turn=6").json())
    assert "Maria" not in texts(grown.get(f"{AT}/boundary/as-of?version=1").json())
    assert "Maria" not in texts(grown.get(f"{AT}/boundary/as-of?recorded=2026-03-01T09:30:00Z").json())
    assert "Maria" in texts(grown.get(f"{AT}/boundary/as-of?recorded=2026-03-01T11:00:00%2B01:00").json())
    problem(grown.get(f"{AT}/boundary/as-of?version=9"), 404, "not_found")
    for query in ("turn=0", "turn=x", "instant=2026-03-01", "recorded=0.5", "recorded=2026-03-01T09:30:00"):
        problem(grown.get(f"{AT}/boundary/as-of?{query}"), 422, "invalid_request")
    both = grown.get(f"{AT}/boundary/as-of?version=1&recorded=2026-03-01T09:30:00Z")
    problem(both, 422, "invalid_request")


def test_versions_are_listed_and_compared(grown: TestClient) -> None:
    page = grown.get(f"{AT}/boundary/versions?limit=1").json()
    assert [event["version"] for event in page["items"]] == [1]
    rest = grown.get(f"{AT}/boundary/versions?cursor={page['next']}").json()
    assert ([event["version"] for event in rest["items"]], rest["next"]) == ([2], None)
    told = grown.get(f"{AT}/boundary/diff?from=1").json()
    assert (told["from_version"], told["to_version"]) == (1, 2)
    assert any("Maria" in item["claim"]["text"] for item in told["items"] if item["kind"] == "added")
    assert grown.get(f"{AT}/boundary/diff?from=2&to=2").json()["items"] == []
    problem(grown.get(f"{AT}/boundary/diff?from=2&to=1"), 422, "invalid_input")
    problem(grown.get(f"{AT}/boundary/diff?to=9"), 422, "invalid_input")


def test_a_roll_back_is_a_version_and_is_not_done_twice(grown: TestClient) -> None:
    body = {"version": 1, "reason": "Maria left", "expected_version": 2}
    headers = {"idempotency-key": "back"}

    first = grown.post(f"{AT}/boundary/rollback", json=body, headers=headers)
    again = grown.post(f"{AT}/boundary/rollback", json=body, headers=headers)

    assert (first.status_code, first.json()["version"], first.json()["restored"]) == (201, 3, 1)
    assert again.json() == first.json()
    assert "Maria" not in texts(grown.get(f"{AT}/boundary").json())
    stale = grown.post(f"{AT}/boundary/rollback", json=body)
    problem(stale, 409, "version_conflict")
    problem(grown.post(f"{AT}/boundary/rollback", json={"version": 9, "reason": "x"}), 404, "not_found")
    for past in (2**31, 2**63, 10**30):
        told = problem(
            grown.post(f"{AT}/boundary/rollback", json={"version": past, "reason": "x"}), 422, "invalid_request"
        )
        assert told["errors"][0]["field"] == "body.version"


def test_reasons_lose_their_secrets(grown: TestClient) -> None:
    secret = "Xk9" + "&pQ7zLm2R"
    claim = grown.get(f"{AT}/boundary").json()["claims"][0]["id"]
    pinned = grown.post(f"{AT}/acts", json={"kind": "pinned", "claim": claim, "reason": f"pw={secret}"})
    back = grown.post(f"{AT}/boundary/rollback", json={"version": 1, "reason": f"pw={secret} again"})

    assert (pinned.status_code, back.status_code) == (201, 201)
    first, second = pinned.json()["reason"], back.json()["reason"]
    assert first.startswith("pw=[secret:password:")
    assert second == f"{first} again"
    assert secret not in grown.get(f"{AT}/boundary/log").text


def test_people_act_on_claims(grown: TestClient) -> None:
    claim = grown.get(f"{AT}/boundary").json()["claims"][0]["id"]
    body = {"kind": "pinned", "claim": claim, "reason": "always show it"}

    event = grown.post(f"{AT}/acts", json=body, headers={"idempotency-key": "pin"})
    again = grown.post(f"{AT}/acts", json=body, headers={"idempotency-key": "pin"})

    assert (event.status_code, event.json()["kind"], event.json()["actor"]) == (201, "pinned", "loopback")
    assert again.json() == event.json()
    marks = next(one["marks"] for one in grown.get(f"{AT}/boundary").json()["claims"] if one["id"] == claim)
    assert marks == ["pinned"]
    problem(grown.post(f"{AT}/acts", json=body), 422, "invalid_input")
    problem(grown.post(f"{AT}/acts", json={**body, "claim": "none"}), 404, "not_found")
    problem(grown.post(f"{AT}/acts", json={**body, "kind": "committed"}), 422, "invalid_request")


def test_claims_are_found_by_words_section_and_time(grown: TestClient) -> None:
    assert "Maria" in grown.get(f"{AT}/recall?q=designer").json()["claims"][0]["text"]
    decided = grown.get(f"{AT}/recall?section=DECIDED&limit=1").json()["claims"]
    assert [claim["section"] for claim in decided] == ["DECIDED"]
    assert "Maria" not in texts(grown.get(f"{AT}/recall?version=1&state=all").json())
    problem(grown.get(f"{AT}/recall?section=odd"), 422, "invalid_request")
    problem(grown.get(f"{AT}/recall?state=closed"), 422, "invalid_request")
