"""Triggers over HTTP: a conversation is watched, looked at when turns come, and everything is on record."""

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from api.app import make_app
from dissolution.service import KeyScope
from dissolution.settings import Settings
from tests.running import running
from tests.unit.api.serving import problem, served, stored
from tests.unit.workers.celery.test_relay import Broker
from workers.celery.app import EVALUATE
from workers.celery.process import WorkerProcess
from workers.celery.relay import Relay
from workers.pipeline import QueueClass
from workers.runtime.inline import NoBell
from workers.tenants.api_keys import new_key

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


@pytest.mark.parametrize("by_name", [True, False])
def test_turns_that_come_over_http_are_evaluated_by_a_worker_that_the_relay_asks(
    tmp_path: Path, *, by_name: bool
) -> None:
    url = f"sqlite:///{tmp_path / 'ledger.sqlite3'}"
    settings = Settings(db=url, embedder="hashing", api_mode="service", watch="off" if by_name else "shadow")
    asked: list[str] = []

    def ask(conversation: str) -> bool:
        asked.append(conversation)
        return True

    with running(tmp_path, [], settings) as services:
        with services.unit_of_work() as work:
            made, key = new_key("acme", "writer", [KeyScope.ADMIN], services.clock.now())
            work.service.keys.add(made)
            work.commit()
        client = TestClient(make_app(services), headers={"authorization": f"Bearer {key}"})
        relay = Relay(
            settings,
            unit_of_work=services.unit_of_work,
            clock=services.clock,
            doorbell=Broker(),
            sender=Broker(),
            evaluator=ask,
        )
        stored(client)
        if by_name:
            assert client.put(AT, json={}).status_code == 200
        client.post("/v1/conversations/talk/turns", json={"turns": SAID})
        assert client.get(AT).json()["through"] == 0  # the service itself evaluates nothing
        assert relay.look().behind == 1
        worker = WorkerProcess(settings, NoBell(), QueueClass.IO)
        for conversation in asked:
            worker.run(conversation, EVALUATE)
            worker.run(conversation, EVALUATE)  # a message that comes twice
        worker.stop()
        told = client.get(AT).json()
        assert (told["through"], told["evaluations"], told["shadow"]) == (7, 7, True)
        assert len(client.get(f"{AT}/log?limit=50").json()["items"]) == 7
        with services.unit_of_work() as work:
            assert work.triggers.behind(10, services.clock.now()) == ()


def test_a_policy_that_cannot_be_read_stops_no_turn(tmp_path: Path) -> None:
    with served(tmp_path, watch="on", watch_policy=tmp_path / "gone.toml") as api:
        client = api.client()
        stored(client)
        assert client.post("/v1/conversations/talk/turns", json={"turns": SAID}).status_code == 201
        problem(client.get(AT), 404, "not_run")
