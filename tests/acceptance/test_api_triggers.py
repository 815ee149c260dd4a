"""Triggers of `dissolve api` alone: turns are appended over HTTP, and the service decides, now and on schedule."""

import os
import signal
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.acceptance.test_api import Service, ended
from tests.polling import eventually

QUIET: dict[str, Any] = {
    "shadow": False,
    "drift": {"distance": None, "shift_depth": None},
    "surprise": {"alpha": None},
    "lock_in": None,
    "cooldown_tokens": 0,
    "cooldown_turns": 0,
    "min_new_tokens": 0,
    "min_gain": 0.0,
}
"""Nothing fires but the schedule."""
SOON_HOURS = 0.0008
"""About three seconds."""


def said(number: int) -> dict[str, str]:
    return {"role": "user", "content": f"In round {number} we chose tariff {number} for the harbour, and pilots pay."}


def stored(client: httpx.Client, name: str, turns: int) -> None:
    talk = [said(number) for number in range(1, turns + 1)]
    assert client.post("/v1/conversations", json={"name": name, "turns": talk}).status_code == 201


def watch(client: httpx.Client, name: str, **schedule: float) -> None:
    policy = {"triggers": {**QUIET, "schedule": schedule}}
    assert client.put(f"/v1/conversations/{name}/triggers", json={"policy": policy}).status_code == 200


def decided(client: httpx.Client, name: str) -> list[dict[str, Any]]:
    return client.get(f"/v1/conversations/{name}/triggers/log?limit=50").json()["items"]


def fired(client: httpx.Client, name: str) -> list[dict[str, Any]]:
    return [one for one in decided(client, name) if one["job"] is not None]


@contextmanager
def talking(service: Service) -> Generator[tuple[httpx.Client, int]]:
    with service.running() as process, httpx.Client(base_url=service.url, timeout=30) as client:
        yield client, process.pid


def test_who_appends_turns_gets_dissolutions_now_on_schedule_and_after_a_crash(tmp_path: Path) -> None:
    service = Service(tmp_path)
    with talking(service) as (client, pid):
        stored(client, "counted", 1)
        watch(client, "counted", every_turns=3)
        stored(client, "imported", 4)
        watch(client, "imported", every_turns=3)  # no turn comes after this
        stored(client, "silent", 4)
        watch(client, "silent", every_hours=SOON_HOURS)  # nor after this

        more = {"turns": [said(number) for number in (2, 3, 4)]}
        assert client.post("/v1/conversations/counted/turns", json=more).status_code == 201
        for name in ("counted", "imported", "silent"):
            (one, *_) = eventually(lambda name=name: fired(client, name), limit_s=180, what=f"the firing of {name}")
            assert ended(service.url, one["job"])["status"] == "committed"
            assert client.get(f"/v1/conversations/{name}").json()["boundary_version"] >= 1
        assert [one["turn"] for one in decided(client, "counted")][:4] == [1, 2, 3, 4]
        assert {one["called"][0] for one in (fired(client, name)[0]["decision"] for name in ("counted", "silent"))} == {
            "schedule"
        }

        stored(client, "killed", 1)
        watch(client, "killed", every_turns=3)
        client.post("/v1/conversations/killed/turns", json=more)
        os.kill(pid, signal.SIGKILL)

    with talking(service) as (client, _):
        (one, *_) = eventually(lambda: fired(client, "killed"), limit_s=180, what="the firing of what was killed")
        assert ended(service.url, one["job"])["status"] == "committed"
        new = [one["turn"] for one in decided(client, "killed") if one["surprise"] is not None]
        assert new == [1, 2, 3, 4]  # each turn is read once
