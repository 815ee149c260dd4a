"""Dissolutions over HTTP: taken once, followed, ended, and everything that came of them."""

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from dissolution.job import JobStatus
from dissolution.policy.gate import STRICT
from dissolution.service import KeyScope
from tests.unit.api.serving import TURNS, Served, dissolved, problem, served, stored


def test_a_dissolution_is_taken_and_done_later(api: Served, client: TestClient) -> None:
    stored(client)

    reply = client.post("/v1/dissolutions", json={"conversation": "talk"})

    assert (reply.status_code, reply.headers["retry-after"]) == (202, "2")
    told = reply.json()
    assert (told["status"], told["through"], told["fleet"]) == ("queued", 4, "extractive")
    assert reply.headers["location"] == told["links"]["self"] == f"/v1/dissolutions/{told['id']}"
    ring = api.bell.wait(0)
    assert ring is not None
    assert ring.job == told["id"]
    problem(client.get(f"{told['links']['receipt']}"), 404, "not_run")
    api.run(told["id"])
    ended = client.get(told["links"]["self"]).json()
    assert (ended["status"], {stage["status"] for stage in ended["stages"]}) == ("committed", {"done"})
    for part, link in told["links"].items():
        if part not in {"preview", "probe", "frame"}:
            assert client.get(link).status_code == 200, part
    problem(client.get(told["links"]["preview"]), 404, "not_run")
    problem(client.get(told["links"]["frame"]), 404, "not_run")  # excerpts assert nothing
    shown = client.get(told["links"]["boundary"]).json()
    assert (shown["claims"], shown["decision"]["reasons"][0]) == ([], "nobody has read this")
    assert {"turn", "speaker", "text"} <= shown["excerpts"][0].keys()
    receipt = client.get(told["links"]["receipt"]).json()
    assert (receipt["job"], receipt["conversation"]) == (told["id"], "talk")


def test_turns_may_come_with_the_request(api: Served, client: TestClient) -> None:
    body = {"inline": {"name": "new", "turns": TURNS}, "through": 2, "policy": {"name": "own"}}

    told = client.post("/v1/dissolutions", json=body).json()

    assert (told["conversation"], told["through"], told["policy"]) == ("new", 2, "own")
    problem(client.post("/v1/dissolutions", json=body), 409, "conversation_exists")
    api.run(told["id"])
    assert client.get("/v1/conversations/new/boundary").json()["through"] == 2


@pytest.mark.parametrize(
    ("policy", "place", "meant"),
    [
        ({"qorum": {}}, "qorum", "'quorum'"),
        ({"quorum": {"min_membres": 3}}, "quorum.min_membres", "'min_members'"),
        ({"min_members": 3}, "min_members", "'policy.quorum.min_members'"),
    ],
)
def test_a_field_that_no_policy_has_is_told_with_the_nearest(
    client: TestClient, policy: dict[str, object], place: str, meant: str
) -> None:
    stored(client)
    told = problem(
        client.post("/v1/dissolutions", json={"conversation": "talk", "policy": policy}), 422, "invalid_request"
    )
    (message,) = [one["message"] for one in told["errors"] if one["field"].endswith(place)]
    assert message == f"there is no such field; did you mean {meant}?"
    told = problem(client.post("/v1/policies/validate", json={"policy": policy}), 422, "invalid_request")
    assert any(one["message"].endswith(f"did you mean {meant}?") for one in told["errors"])


def test_a_preset_may_be_given_and_enforced(api: Served, client: TestClient) -> None:
    stored(client)
    asked = {"conversation": "talk", "policy": {"probe": {"gate": "strict", "offline": "enforce"}}}

    told = client.post("/v1/dissolutions", json=asked).json()

    with api.services.unit_of_work() as work:
        probe = work.jobs.get(told["id"]).policy.probe
    assert (probe.gate, probe.enforced) == (STRICT, True)
    asked["policy"] = {"probe": {"gate": "no such preset"}}
    refused = problem(client.post("/v1/dissolutions", json=asked), 422, "invalid_request")
    assert "no such preset" in str(refused)


def test_a_repeat_finds_the_same_job_and_another_body_does_not(client: TestClient) -> None:
    stored(client)
    headers = {"idempotency-key": "once"}
    first = client.post("/v1/dissolutions", json={"conversation": "talk"}, headers=headers)
    again = client.post("/v1/dissolutions", json={"conversation": "talk"}, headers=headers)

    assert (first.status_code, again.status_code) == (202, 202)
    assert first.json()["id"] == again.json()["id"]
    assert first.headers["location"] == again.headers["location"]
    assert len(client.get("/v1/dissolutions").json()["items"]) == 1
    other = client.post("/v1/dissolutions", json={"conversation": "talk", "hold": True}, headers=headers)
    problem(other, 422, "idempotency_key_reused")
    inline = {"inline": {"turns": TURNS}}
    keyed = {"idempotency-key": "inline"}
    one, two = (client.post("/v1/dissolutions", json=inline, headers=keyed).json() for _ in range(2))
    assert (one["id"], one["conversation"]) == (two["id"], two["conversation"])
    problem(
        client.post("/v1/dissolutions", json=inline, headers={"idempotency-key": "a\tb"}),
        400,
        "invalid_idempotency_key",
    )


def test_what_failed_takes_no_key(client: TestClient) -> None:
    headers = {"idempotency-key": "once"}
    problem(client.post("/v1/dissolutions", json={"conversation": "talk"}, headers=headers), 404, "not_found")
    stored(client)
    assert client.post("/v1/dissolutions", json={"conversation": "talk"}, headers=headers).status_code == 202


def test_a_dissolution_is_cancelled_once(client: TestClient) -> None:
    stored(client)
    job = client.post("/v1/dissolutions", json={"conversation": "talk"}).json()["id"]

    assert client.post(f"/v1/dissolutions/{job}/cancel").json()["status"] == "cancelled"
    problem(client.post(f"/v1/dissolutions/{job}/cancel"), 409, "illegal_move")
    problem(client.post(f"/v1/dissolutions/{job}/retry"), 409, "illegal_move")


def test_a_held_one_is_looked_at_and_let_go(api: Served, client: TestClient) -> None:
    stored(client)
    job = dissolved(api, client, hold=True)

    assert client.get(f"/v1/dissolutions/{job}").json()["status"] == "held"
    preview = client.get(f"/v1/dissolutions/{job}/preview").json()
    assert (preview["from_version"], preview["present_version"], preview["verdict"]) == (0, 0, "commit_degraded")
    assert (preview["items"], preview["reasons"][0]) == ([], "nobody has read this")
    assert preview["excerpts"]
    assert client.post(f"/v1/dissolutions/{job}/commit").status_code == 202
    api.run(job)
    assert client.get(f"/v1/dissolutions/{job}").json()["status"] == "committed"
    problem(client.post(f"/v1/dissolutions/{job}/commit"), 422, "invalid_input")


def test_a_held_one_is_discarded_with_a_reason(api: Served, client: TestClient) -> None:
    stored(client)
    job = dissolved(api, client, hold=True)

    told = client.post(f"/v1/dissolutions/{job}/discard", json={"reason": "not now"}).json()

    assert told["status"] == "cancelled"
    assert "not now" in told["reason"]


def test_lists_are_filtered_and_go_back_in_time(api: Served, client: TestClient) -> None:
    stored(client, "one")
    stored(client, "two")
    made: list[str] = []
    for number in range(5):
        name = ("one", "two")[number % 2]
        made.append(client.post("/v1/dissolutions", json={"conversation": name}).json()["id"])
        api.clock.advance(1)
    seen: list[str] = []
    cursor = ""
    while True:
        page = client.get(f"/v1/dissolutions?limit=2{cursor}").json()
        seen += [one["id"] for one in page["items"]]
        if page["next"] is None:
            break
        cursor = f"&cursor={page['next']}"
    assert seen == made[::-1]
    of_two = client.get("/v1/dissolutions?conversation=two").json()["items"]
    assert {one["conversation"] for one in of_two} == {"two"}
    client.post(f"/v1/dissolutions/{made[0]}/cancel")
    cancelled = client.get(f"/v1/dissolutions?status={JobStatus.CANCELLED}").json()["items"]
    assert [one["id"] for one in cancelled] == made[:1]
    problem(client.get("/v1/dissolutions?status=odd"), 422, "invalid_request")


def test_what_stages_did_not_do_is_no_answer(client: TestClient) -> None:
    stored(client)
    job = client.post("/v1/dissolutions", json={"conversation": "talk"}).json()["id"]

    for part in ("receipt", "dissent", "frame", "probe", "preview", "boundary"):
        problem(client.get(f"/v1/dissolutions/{job}/{part}"), 404, "not_run")
    assert client.get(f"/v1/dissolutions/{job}/answers").json()["items"] == []


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"conversation": "none"}, 404, "not_found"),
        ({"conversation": "talk", "through": 9}, 422, "unknown_turn"),
        ({"conversation": "talk", "fleet": "roster:/etc/passwd"}, 422, "invalid_roster"),
        ({"conversation": "talk", "fleet": "../x"}, 422, "invalid_roster"),
        ({"conversation": "talk", "policy": "../../etc/passwd"}, 404, "not_found"),
        ({"conversation": "talk", "policy": {"prompt_version": 99}}, 422, "invalid_policy"),
        ({"conversation": "talk", "policy": {"quorum": {"hard_deadline_s": 7000}}}, 422, "invalid_policy"),
        ({"conversation": "talk", "policy": {"quorum": {"min_members": "2"}}}, 422, "invalid_request"),
        ({"conversation": "talk", "policy": {"budget": {"max_usd": "NaN"}}}, 422, "invalid_request"),
        ({"conversation": "talk", "hold": "yes"}, 422, "invalid_request"),
        ({"conversation": "talk", "inline": {"turns": TURNS}}, 422, "invalid_request"),
        ({}, 422, "invalid_request"),
    ],
)
def test_what_cannot_be_done_says_so_and_stores_nothing(
    client: TestClient, body: object, status: int, code: str
) -> None:
    stored(client)
    problem(client.post("/v1/dissolutions", json=body), status, code)
    assert client.get("/v1/dissolutions").json()["items"] == []


def test_a_tenant_cannot_fill_the_queue_for_ever(tmp_path: Path) -> None:
    with served(tmp_path, api_queued_jobs=2) as api:
        client, other = api.client(api.key()), api.client(api.key(KeyScope.WRITE, "zeta"))
        for one in (client, other):
            stored(one)
        for _ in range(2):
            assert client.post("/v1/dissolutions", json={"conversation": "talk"}).status_code == 202
        full = client.post("/v1/dissolutions", json={"conversation": "talk"})
        problem(full, 429, "too_many_jobs")
        assert int(full.headers["retry-after"]) > 0
        assert other.post("/v1/dissolutions", json={"conversation": "talk"}).status_code == 202


def test_a_conversation_that_one_job_cannot_read_is_refused_with_the_figure(tmp_path: Path) -> None:
    with served(tmp_path, max_job_turns=3) as api, api.client() as client:
        stored(client)
        refused = client.post("/v1/dissolutions", json={"conversation": "talk"})
        problem(refused, 413, "snapshot_too_large")
        assert "4 turns; one job may have 3" in refused.json()["detail"]
        assert client.get("/v1/dissolutions").json()["items"] == []
        assert client.post("/v1/dissolutions", json={"conversation": "talk", "through": 3}).status_code == 202


def test_a_bank_too_small_for_its_gate_is_told_when_the_job_is_taken(client: TestClient) -> None:
    stored(client)
    small = {"probe": {"gate": {"name": "small", "questions": 10}}}

    told = client.post("/v1/dissolutions", json={"conversation": "talk", "policy": small}).json()
    plain = client.post("/v1/dissolutions", json={"conversation": "talk"}).json()

    assert told["bank"].startswith("the policy asks for 10 questions, and 21 would be enough to be sure")
    assert plain["bank"] is None
