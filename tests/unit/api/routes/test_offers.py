"""What an installation offers over HTTP, checks of new fleets and policies, and dry runs."""

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests.unit.api.serving import TURNS, Served, problem, served, stored

ROSTER = """
[[member]]
name = "one"
family = "alpha"
model = "openai/gpt-4o-mini"
api_key_env = "ONE_KEY"
"""


def test_fleets_and_policies_are_named_never_files(
    api: Served, client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ONE_KEY", "a key")
    for folder, name, text in (
        ("fleets", "panel", ROSTER),
        ("fleets", "broken", "odd = 1"),
        ("fleets", "no good", ROSTER),
        ("policies", "strict", "[quorum]\nmin_members = 3\nmin_families = 3"),
    ):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / f"{name}.toml").write_text(text, encoding="utf-8")

    fleets = {one["name"]: one for one in client.get("/v1/fleets").json()["items"]}
    assert set(fleets) == {"extractive", "panel", "broken"}
    assert fleets["extractive"]["members"]
    assert (fleets["panel"]["members"], fleets["panel"]["families"]) == (["one"], ["alpha"])
    assert fleets["broken"]["problem"]
    assert str(tmp_path) not in str(fleets)
    policies = {one["name"]: one for one in client.get("/v1/policies").json()["items"]}
    assert set(policies) == {"default", "strict"}
    assert policies["strict"]["policy"]["quorum"]["min_members"] == 3
    stored(client)
    told = client.post("/v1/dissolutions", json={"conversation": "talk", "fleet": "panel", "policy": "strict"}).json()
    assert (told["fleet"], told["policy"]) == ("panel", "strict")
    assert str(tmp_path) not in str(told)
    assert api.services.settings.fleets_folder.startswith(str(tmp_path))


def test_a_missing_key_is_told_where_jobs_run_in_the_service_itself(
    api: Served, client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ONE_KEY", raising=False)
    (tmp_path / "fleets").mkdir()
    (tmp_path / "fleets" / "panel.toml").write_text(ROSTER, encoding="utf-8")
    stored(client)
    asked = {"conversation": "talk", "fleet": "panel"}
    told = problem(client.post("/v1/dissolutions", json=asked), 422, "invalid_roster")
    assert "member 'one' (ONE_KEY)" in told["detail"]
    assert str(tmp_path) not in told["detail"]
    assert client.get("/v1/dissolutions").json()["items"] == []
    with served(tmp_path, api_mode="service") as apart:  # there workers ask, whose environment is not known
        other = apart.client(apart.key())
        stored(other)
        assert other.post("/v1/dissolutions", json=asked).status_code == 202
    assert api.bell.wait(0) is None


def test_a_roster_is_checked_line_by_line(client: TestClient) -> None:
    told = client.post("/v1/fleets/validate", json={"toml": ROSTER})
    assert (told.status_code, told.json()["members"]) == (200, ["one"])
    wrong = problem(client.post("/v1/fleets/validate", json={"toml": ROSTER + "odd = 1\n"}), 422, "invalid_roster")
    assert "line 7" in wrong["detail"]
    problem(client.post("/v1/fleets/validate", json={"toml": ""}), 422, "invalid_request")


def test_a_policy_is_shown_as_a_job_would_keep_it(client: TestClient) -> None:
    told = client.post("/v1/policies/validate", json={"policy": {"name": "mine"}}).json()
    assert (told["name"], told["policy"]["consensus"]["embedder"]) == ("mine", "hashing")
    problem(client.post("/v1/policies/validate", json={"policy": {"odd": 1}}), 422, "invalid_request")
    problem(client.post("/v1/policies/validate", json={"policy": {"prompt_version": 99}}), 422, "invalid_policy")


def test_a_dry_run_costs_and_stores_nothing(client: TestClient) -> None:
    told = client.post("/v1/dissolutions/estimate", json={"inline": {"turns": TURNS}}).json()
    assert (told["asked"], told["known_usd"], told["refused"]) == (0, "0", None)
    assert told["members"] >= 2
    assert client.get("/v1/conversations").json()["items"] == []
    problem(client.post("/v1/dissolutions/estimate", json={"conversation": "none"}), 404, "not_found")


def test_a_dry_run_is_of_the_whole_path_under_the_effort_asked_for(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ONE_KEY", "a key")
    (tmp_path / "fleets").mkdir(exist_ok=True)
    members = "".join(ROSTER.replace("one", name).replace("alpha", name) for name in ("x", "y", "z"))
    (tmp_path / "fleets" / "panel.toml").write_text(members, encoding="utf-8")
    policy = {"probe": {"writer": "x", "reader": "y", "judge": "z"}}
    asked = {"inline": {"turns": TURNS}, "fleet": "panel", "policy": policy}
    told = client.post("/v1/dissolutions/estimate", json=asked).json()
    assert told["input_tokens"] == told["expected"]["whole"]["input_tokens"] > 0
    stages = {line["of"]: line["calls"] for line in told["expected"]["by_stage"]}
    assert (stages["fan_out"], stages["frame_audit"]) == (3, 3)
    low = client.post("/v1/dissolutions/estimate", json={**asked, "effort": "low"}).json()
    fewer = {line["of"]: line["calls"] for line in low["expected"]["by_stage"]}
    assert (fewer["fan_out"], fewer["frame_audit"]) == (2, 2)
    assert float(low["known_usd"]) < float(told["known_usd"])
    client.post("/v1/conversations", json={"name": "talk", "turns": TURNS})
    job = client.post("/v1/dissolutions", json={"conversation": "talk", "fleet": "panel", "effort": "high"}).json()
    assert job["effort"] == "high"
    problem(client.post("/v1/dissolutions/estimate", json={**asked, "effort": "much"}), 422, "invalid_request")
