"""Stability runs over HTTP: asked for once, done by workers, followed, reported on, compared, cancelled."""

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from dissolution.job import JobStatus
from stability.driving import advance_run
from tests.unit.api.serving import TURNS, Served, problem, served, stored

AT = "/v1/stability-runs"
TRUTH = {
    "claims": [
        {"id": "K1", "kind": "fact", "established_turn": 1, "phrases": ["postgres"]},
        {"id": "K2", "kind": "prohibition", "established_turn": 3, "phrases": ["Friday"]},
        {"id": "K3", "kind": "fact", "established_turn": 1, "phrases": ["(a+)+$"]},
    ],
    "replaced": [{"id": "S1", "corrected_turn": 2, "wrong": ["March 16"], "right": ["March 15"]}],
}
QUESTION = {"text": "We never deploy on which day?", "answers": ["Fridays"], "evidence_turns": [1]}


def drawn(*_: object, **__: object) -> str:
    return "<svg></svg>"


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, TestClient, dict[str, Any]]]:
    """Two runs of one plan, done by hand-driven workers; the first one's answer."""
    with served(tmp_path_factory.mktemp("api")) as api, pytest.MonkeyPatch.context() as patch:
        for module in ("stability_page", "stability_comparison_page"):  # pictures have tests of their own
            patch.setattr(f"reports.{module}.draw_svg", drawn)
        client = api.client()
        stored(client)
        body = {"conversation": "talk", "at": [2, 4], "arms": ["ledger", "truncation"], "questions": [QUESTION]}
        runs = [client.post(AT, json={**body, "truth": TRUTH, "seed": seed}).json() for seed in (0, 1)]
        for run in runs:
            finish(api, run["id"])
        yield api, client, runs[0]


def finish(api: Served, run: str) -> None:
    for _ in range(10):
        advance_run(api.services, run)
        with api.services.unit_of_work() as work:
            waiting = [job.id for job in work.jobs.find("j") if job.status is JobStatus.QUEUED]
        for job in waiting:
            api.run(job)


def test_a_run_is_taken_and_says_how_far_it_is(client: TestClient, api: Served) -> None:
    stored(client)
    reply = client.post(AT, json={"conversation": "talk", "every": 2, "replicates": 2, "arms": ["ledger", "summary"]})
    assert (reply.status_code, reply.headers["retry-after"]) == (202, "5")
    told = reply.json()
    assert reply.headers["location"] == f"{AT}/{told['id']}"
    assert (told["status"], told["checkpoints"], told["cells"], told["settled"]) == ("running", [2, 4], 8, 0)
    assert (told["fleet"], told["policy"], told["cadence"]) == ("extractive", "default", "every")
    assert {cell["state"] for cell in told["progress"]} == {"waiting"}
    advance_run(api.services, told["id"])
    cells = {cell["name"]: cell for cell in client.get(f"{AT}/{told['id']}").json()["progress"]}
    assert cells["ledger-r1-c1"]["state"] == "running"
    job = client.get(f"/v1/dissolutions/{cells['ledger-r1-c1']['dissolution']}").json()
    assert (job["lane"], job["status"]) == ("stability", "queued")
    assert (cells["summary-r1-c1"]["state"], "recorded" in cells["summary-r1-c1"]["reason"]) == ("not_measured", True)


def test_a_repeat_of_a_request_is_the_same_run(client: TestClient) -> None:
    stored(client)
    body, key = {"conversation": "talk", "every": 2}, {"idempotency-key": "once"}
    first, second = (client.post(AT, json=body, headers=key).json() for _ in range(2))
    assert first["id"] == second["id"]
    assert len(client.get(AT).json()["items"]) == 1
    problem(client.post(AT, json={**body, "seed": 3}, headers=key), 422, "idempotency_key_reused")


def test_what_was_measured_is_reported_in_three_forms(done: tuple[Served, TestClient, dict[str, Any]]) -> None:
    _, client, run = done
    told = client.get(f"{AT}/{run['id']}").json()
    assert (told["status"], told["settled"], told["known_usd"]) == ("done", 4, "0")
    at = f"{AT}/{run['id']}/report"
    report = client.get(at)
    figures = report.json()["cells"][1]["figures"]
    assert "excerpts assert nothing" in figures["truth"]["not_measured"]
    assert figures["competence"] == 1.0
    assert report.json()["run"]["plan"]["conversation"] == "talk"
    assert client.get(at, headers={"if-none-match": report.headers["etag"]}).status_code == 304
    page = client.get(at, headers={"accept": "text/html,*/*"})
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "<svg" in page.text
    told_in_words = client.get(f"{at}?format=markdown", headers={"accept": "text/html"})
    assert told_in_words.headers["content-type"] == "text/markdown; charset=utf-8"
    assert told_in_words.text.startswith("# Stability of talk")


def test_two_runs_are_compared(done: tuple[Served, TestClient, dict[str, Any]]) -> None:
    _, client, run = done
    runs = [one["id"] for one in client.get(AT).json()["items"]]
    other = next(one for one in runs if one != run["id"])
    told = client.get(f"{AT}/{run['id']}/comparison?with={other}").json()
    assert told["differs"] == ["seed: 0 / 1"]
    assert {row["paired"]["pairs"] for row in told["rows"]} <= {1, 2}
    page = client.get(f"{AT}/{run['id']}/comparison?with={other}&format=html")
    assert "<h1>Two stability runs of “talk”</h1>" in page.text
    problem(client.get(f"{AT}/{run['id']}/comparison?with=run-none"), 404, "not_found")
    problem(client.get(f"{AT}/{run['id']}/comparison"), 422, "invalid_request")


def test_runs_are_listed_page_by_page(done: tuple[Served, TestClient, dict[str, Any]]) -> None:
    _, client, _ = done
    first = client.get(f"{AT}?limit=1&status=done").json()
    second = client.get(f"{AT}?limit=1&status=done&cursor={first['next']}").json()
    assert len({first["items"][0]["id"], second["items"][0]["id"]}) == 2
    assert second["next"] is None
    assert first["items"][0]["progress"] == []
    assert client.get(f"{AT}?status=running").json()["items"] == []


def test_a_cancelled_run_ends_its_jobs(client: TestClient, api: Served) -> None:
    stored(client)
    run = client.post(AT, json={"conversation": "talk", "every": 2}).json()["id"]
    advance_run(api.services, run)
    told = client.post(f"{AT}/{run}/cancel").json()
    assert (told["status"], told["reason"]) == ("cancelled", "cancelled by loopback")
    job = client.get(f"/v1/dissolutions/{told['progress'][0]['dissolution']}").json()
    assert job["status"] == "cancelled"
    assert client.post(f"{AT}/{run}/cancel").status_code == 200


def test_so_many_runs_of_a_tenant_go_at_a_time(client: TestClient) -> None:
    stored(client)
    body = {"conversation": "talk", "every": 4}
    replies = [client.post(AT, json=body) for _ in range(5)]
    assert [reply.status_code for reply in replies[:4]] == [202] * 4
    problem(replies[4], 429, "too_many_jobs")


@pytest.mark.parametrize(
    ("wrong", "status", "code"),
    [
        ({}, 422, "invalid_request"),
        ({"every": 2, "at": [2]}, 422, "invalid_request"),
        ({"at": [4, 2]}, 422, "invalid_request"),
        ({"at": [9]}, 422, "invalid_input"),
        ({"every": 1, "replicates": 50, "arms": ["ledger", "ledger"]}, 422, "invalid_request"),
        ({"every": 2, "fleet": "../etc/passwd"}, 422, "invalid_roster"),
        ({"every": 2, "policy": "none"}, 404, "not_found"),
        ({"every": 2, "conversation": "nobody"}, 404, "not_found"),
        ({"every": 2, "questions": [{**QUESTION, "evidence_turns": [5]}]}, 422, "invalid_input"),
        ({"every": 2, "questions": [{**QUESTION, "kind": "not_answerable"}]}, 422, "invalid_request"),
        ({"every": 2, "truth": {"claims": [{"id": "K"}]}}, 422, "invalid_request"),
    ],
)
def test_what_cannot_be_done_is_refused_and_nothing_stored(
    client: TestClient, wrong: dict[str, object], status: int, code: str
) -> None:
    stored(client)
    problem(client.post(AT, json={"conversation": "talk", **wrong}), status, code)
    assert client.get(AT).json()["items"] == []


def test_more_cells_than_a_run_may_have_are_refused(client: TestClient) -> None:
    stored(client, turns=TURNS * 15)
    arms = ["ledger", "rewrite", "single"]
    reply = client.post(AT, json={"conversation": "talk", "every": 1, "replicates": 12, "arms": arms})
    assert "2160 cells" in problem(reply, 422, "invalid_input")["detail"]


def test_more_cycles_or_turns_than_a_request_may_ask_for_are_refused(client: TestClient) -> None:
    stored(client, turns=TURNS * 300)
    many = problem(client.post(AT, json={"conversation": "talk", "every": 1}), 422, "invalid_input")
    assert "1200 cycles: choose 500 or fewer" in many["detail"]
    long = problem(client.post(AT, json={"conversation": "talk", "firings": True}), 422, "invalid_input")
    assert "`firings` over 1200 turns" in long["detail"]


def test_cycles_may_run_where_triggers_would_fire(client: TestClient) -> None:
    stored(client)
    told = client.post(AT, json={"conversation": "talk", "firings": True}).json()
    assert told["cadence"] == "firings"
    assert told["checkpoints"][-1] == len(TURNS)
