"""Triggers over HTTP: a conversation is watched, looked at when turns come, and everything is on record."""

from fastapi.testclient import TestClient

from tests.unit.api.serving import problem, stored

AT = "/v1/conversations/talk/triggers"
SAID = [{"role": "user", "content": f"Point {n}: the bakery in Oslo sells bread number {n}."} for n in range(3)]


def test_a_conversation_is_watched_looked_at_and_left_alone(client: TestClient) -> None:
    stored(client)
    problem(client.get(AT), 404, "not_run")

    watched = client.put(AT, json={"lane": "batch"})
    assert (watched.status_code, watched.json()["shadow"], watched.json()["evaluations"]) == (200, True, 0)
    client.post("/v1/conversations/talk/turns", json={"turns": SAID})
    state = client.get(AT).json()
    assert (state["through"], state["evaluations"] >= 1) == (7, True)
    first = client.get(f"{AT}/log?limit=1").json()
    assert first["items"][0]["conversation"] == "talk"
    assert first["items"][0]["decision"]["reasons"]
    rest = client.get(f"{AT}/log?after={first['next']}").json()
    assert [one["number"] for one in rest["items"]] == list(range(2, state["evaluations"] + 1))
    assert client.delete(AT).status_code == 204
    problem(client.get(AT), 404, "not_run")
    problem(client.put(AT, json={"fleet": "none"}), 422, "invalid_roster")
