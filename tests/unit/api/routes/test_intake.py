"""Rules of intake over HTTP: what may be named, and that turns are read under it from then on."""

import pytest
from fastapi.testclient import TestClient

from tests.unit.api.serving import problem, stored


def test_rules_hold_from_now_on(client: TestClient) -> None:
    said = [{"role": "user", "content": "My badge is B-123456."}]
    stored(client, "before", turns=said)
    rules = {"patterns": [{"kind": "badge", "pattern": r"B-\d{6}"}], "personal_data": None}

    assert client.put("/v1/intake", json=rules).json() == rules
    assert client.get("/v1/intake").json() == rules
    stored(client, "after", turns=said)

    contents = [client.get(f"/v1/conversations/{n}/turns").json()["items"][0]["content"] for n in ("before", "after")]
    assert contents[0] == "My badge is B-123456."
    assert contents[1].startswith("My badge is [custom:badge:")


def test_what_may_not_be_used_is_refused(client: TestClient) -> None:
    for rules, code in (
        ({"patterns": [{"kind": "bad", "pattern": "(a+)+b"}]}, "invalid_input"),
        ({"patterns": [{"kind": "Bad Kind", "pattern": "abcd"}]}, "invalid_request"),
        ({"personal_data": "nobody"}, "invalid_policy"),
        ({"odd": 1}, "invalid_request"),
    ):
        problem(client.put("/v1/intake", json=rules), 422, code)
    assert client.get("/v1/intake").json() == {"patterns": [], "personal_data": None}


@pytest.mark.slow  # loads a recogniser
def test_a_policy_names_a_recogniser_for_the_turns_a_job_brings(client: TestClient) -> None:
    turns = [{"role": "user", "content": "Write to ann@example.com about Postgres."}]
    body = {"inline": {"name": "talk", "turns": turns}, "policy": {"personal_data": "presidio"}}

    assert client.post("/v1/dissolutions", json=body).status_code == 202

    assert client.get("/v1/conversations/talk/redactions").json()["kinds"] == {"email_address": 1}
